/* what would be sent to a full buffer, or compared with what an empty one has, is not worked out */
chan c = [1] of { byte }; chan d = [1] of { byte, byte }; byte zero, x;
active proctype A() { c!1; end1: c!2 / zero }
active proctype B() { end2: d?eval(1 / zero),x }
active proctype C() { if :: d?eval(2 % zero),x :: c?[1] -> x = (zero == 0 -> 1 : 1 / zero) fi; (x == 1 || 1 / zero == 1) }
