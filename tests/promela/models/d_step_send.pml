/* a send without a buffer is an error in a d_step, whether or not somebody receives */
chan c = [0] of { byte }; byte x;
active proctype A() { if :: d_step { if :: x == 2 -> skip :: c!1 fi; skip } :: x == 2 fi }
active proctype B() { x = 1; x = 2 }
