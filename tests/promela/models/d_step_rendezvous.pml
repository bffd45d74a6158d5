chan c = [0] of { byte }; byte x;
active proctype A() { c!3; x = 9 }
active proctype B() { byte v; d_step { c?v; x = v; x++ }; x == 9 }
