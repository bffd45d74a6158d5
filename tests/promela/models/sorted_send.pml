chan c = [4] of { byte, byte }; byte a, b;
active proctype A() { c!!3,1; c!!1,9; c!!3,0; c!!2,2; c?a,b; assert(a == 1); c?a,b; assert(a == 2); c?a,b; assert(a == 3 && b == 0); c?a,b; assert(b == 1) }
