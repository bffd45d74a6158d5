pid a, b;
byte seen;
proctype P() { seen = _pid }
init { a = run P(); b = run P(); assert(a == 1 && b >= 1); seen == b -> assert(_pid == 0) }
