/* a declaration after a statement is executed where it stands */
byte n;
active proctype A() { byte i; do :: i < 2 -> { byte t = 3; t = t + i; n = n + t }; { byte t; assert(t == 0); t = 7 }; i++ :: else -> break od; byte last = n; assert(last == 7) }
