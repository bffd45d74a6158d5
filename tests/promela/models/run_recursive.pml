byte n;
proctype P(byte d) { if :: d > 0 -> run P(d - 1) :: else -> n = 9 fi }
init { run P(3); n == 9 }
