chan c=[1] of {byte}; byte st;
active proctype A() { 
 do :: { { st=1; st=2; st=3 } unless { c?1 -> st = 9; goto out } } unless { c?2 -> st = 8; break } od;
 assert(st==8);
out: assert(st==9 || st==8) }
active proctype B() { if :: c!1 :: c!2 fi }
