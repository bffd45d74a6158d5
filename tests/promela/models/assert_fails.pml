/* an assertion that can fail, and one that cannot */
byte x;
active [2] proctype Inc() { byte t; t = x; x = t + 1; assert(x > 0) }
init { _nr_pr == 1 -> assert(x == 2) }
