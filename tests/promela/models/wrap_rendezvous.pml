chan c = [0] of { byte, bool }; int x; int y;
active proctype A() { c!300,2 }
active proctype B() { if :: c?44,0 -> c?x,y :: c?x,y -> assert(x == 44) fi }
