/* a declaration without a value sets its variable to 0 whenever control passes it; of an array the first element */
byte seen, other, kept; bit turn;
active proctype A() { byte n; do :: n < 2 -> byte t; seen = seen + t; t = 5; n++; turn == 0 :: else -> break od; assert(seen == 0) }
active proctype B() { byte i; top: { byte u; bit b[2]; if :: u = 2 :: other = u fi; kept = kept + b[0] + b[1]; b[0] = 1; b[1] = 1 }; turn = 1 - turn; i++; if :: i < 2 -> goto top :: else fi; assert(other == 0 && kept < 2) }
