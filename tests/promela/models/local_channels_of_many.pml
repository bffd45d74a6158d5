byte n; chan c = [1] of { byte };
proctype W(byte id) { chan mine = [1] of { byte, byte }; mine!id,1; n = n + id; c!id }
init { byte i, v; atomic { run W(1); run W(2) }; c?v; c?v; _nr_pr == 1; run W(3); c?v }
