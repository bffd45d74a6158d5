/* else asks whether a send or receive is possible; a rendezvous receive does not count, as in pan */
chan c = [1] of { byte };
chan r = [0] of { byte };
byte x;
active proctype A() { byte y; if :: c?y -> x = 1 :: else -> x = 2 fi; if :: c!5 -> x = 3 :: else -> x = 4 fi; if :: r!1 -> x = 5 :: else -> x = 6 fi }
active proctype B() { byte z; c!3; r?z; c?z }
