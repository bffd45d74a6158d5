/* an end label belongs to the first statement of the block, and a declaration is one */
chan c = [0] of { byte }; byte n;
inline wait(q) { byte v; q?v; n = v }
active proctype A() { n++; end1: wait(c) }
active proctype B() { n = 1; end2: { bool b; c?b } }
