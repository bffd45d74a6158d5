bool flag[2]; bit turn; byte in;
active [2] proctype P() { again: flag[_pid] = 1; turn = _pid; (flag[1 - _pid] == 0 || turn == 1 - _pid); in++; assert(in == 1); in--; flag[_pid] = 0; goto again }
