chan c=[1] of {byte}; byte st;
active proctype A() { do :: { st=1; st=2; st=3 } unless { c?1 -> st = 9; goto out } od;
out: assert(st==9) }
active proctype B() { c!1 }
