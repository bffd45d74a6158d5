typedef Port { chan c = [1] of { byte }; byte n };
Port p[2];
active proctype A() { p[0].c!1; p[1].c!2; p[1].n = 5 }
active proctype B() { byte v; p[1].c?v; assert(v == 2); p[0].c?v; assert(v == 1) }
