chan c = [0] of { byte }; chan d = [0] of { byte }; byte x;
active proctype A() { atomic { x = 1; c!1; x = 2; d?_; x = 3 } x = 4 }
active proctype B() { atomic { c?_; x = 11; d!1; x = 12 } }
active [2] proctype C() { x = x + 1 }
