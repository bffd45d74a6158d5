/* only the youngest process can disappear */
byte n;
proctype P() { n++ }
init { run P(); run P(); _nr_pr == 1; assert(n == 2) }
