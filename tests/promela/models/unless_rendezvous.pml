chan c = [0] of { byte }; byte x;
active proctype A() { byte v; do :: x++ ; x < 3 :: x >= 3 -> break od unless { c?v -> x = 100 + v } ; x++ }
active proctype B() { x == 2; c!5 }
