byte n;
proctype P() { chan l = [1] of { byte }; byte v; l!3; l?v; n = n + v }
init { run P(); _nr_pr == 1; run P(); _nr_pr == 1; assert(n == 6) }
