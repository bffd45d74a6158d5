/* the number of a process that has died is given again */
byte n;
proctype P(byte x) { n = x }
proctype Q() { if :: _pid == 1 -> assert(n == 2) :: _pid == 2 -> n = _pid fi }
init { run P(1); run Q() }
