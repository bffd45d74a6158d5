bool go; byte n;
active proctype A() provided (go) { n = 1; n = 2; go = false; n = 3 }
active proctype B() { go = true; n == 2; assert(go || n == 2); go = true }
