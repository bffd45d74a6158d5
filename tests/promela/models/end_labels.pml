chan c = [0] of { byte };
active proctype A() { c!1; end: c!2 }
active proctype B() { byte v; c?v; endless: do :: v == 7 -> skip :: c?1 od }
