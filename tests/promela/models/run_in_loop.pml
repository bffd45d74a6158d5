byte n;
proctype P(byte i) { n = n + i }
init { byte i = 1; do :: i <= 3 -> run P(i); i++ :: else -> break od; _nr_pr == 1; assert(n <= 6) }
