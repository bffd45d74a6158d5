/* Seeds are proofs about this. bad is violated. */
chan c = [0] of { byte };
byte x;
active proctype S() { do :: c!1; x = 1 :: c!2; x = 0 od }
active proctype R() { byte y; do :: c?y -> assert(y < 3) od }
trace { turns: do :: c?1 :: c?2 od }
ltl fine { [] (x < 2) }
ltl bad { [] (x == 0) }
