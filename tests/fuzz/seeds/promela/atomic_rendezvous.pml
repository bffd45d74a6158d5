/* the floor goes to the receiver of a rendezvous, if it is in an atomic sequence too */
chan c = [0] of { byte };
byte x;
active proctype A() { atomic { x = 1; c!7; x = 3 }; x = 4 }
active proctype B() { byte v; atomic { c?v; x = v; assert(x == 7) }; x = 5 }
active proctype C() { do :: x == 1 -> break :: x > 5 -> break od; x = 9 }
