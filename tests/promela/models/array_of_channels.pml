chan c[3] = [1] of { byte }; byte got;
active proctype A() { byte i; do :: i < 3 -> c[i]!i; i++ :: else -> break od }
active proctype B() { byte v; do :: c[2]?v -> got = got + v :: c[1]?v -> got = got + v :: c[0]?v :: got == 3 -> break od }
