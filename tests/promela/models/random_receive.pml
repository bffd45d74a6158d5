chan c = [4] of { byte, byte }; byte v;
active proctype A() { c!1,10; c!2,20; c!1,11; c??2,v; assert(v == 20); c??1,v; assert(v == 10); c??eval(1),v; assert(v == 11 && len(c) == 0) }
