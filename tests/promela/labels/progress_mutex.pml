/* violated: none */
bool flag[2]; bit turn;
active [2] proctype P() { again: flag[_pid] = 1; turn = _pid; (flag[1 - _pid] == 0 || turn == 1 - _pid); progress: flag[_pid] = 0; goto again }
