chan c = [1] of { byte }; chan r = [0] of { byte }; byte n;
active proctype A() { empty(c) && nfull(c); c!1; full(c); nempty(c) -> assert(len(c) == 1); empty(r); nfull(r); n = len(r); assert(n == 0) }
active proctype B() { byte v; full(c); c?v }
