chan c = [2] of { byte, byte }; byte me = 3, x;
active proctype A() { c!4,1; c!3,2 }
active proctype B() { end: do :: c?eval(me),x -> assert(x == 2) :: c?4,x -> assert(x == 1) od }
