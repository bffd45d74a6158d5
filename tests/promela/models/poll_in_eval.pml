chan c = [2] of { byte, byte }; chan d = [1] of { byte, byte }; byte x;
active proctype A() {
  d!7,9; c!1,5;
  if :: c?[eval(d?[7,9]),5] -> skip :: else -> assert(false) fi;
  if :: c?[eval(d?[7,8]),5] -> assert(false) :: else -> skip fi;
  if :: c?eval(d?[7,9]),eval(d?[7,9] + 4) -> x = 1 :: else -> assert(false) fi;
  assert(x == 1 && len(c) == 0 && d?[7,eval(9)])
}
