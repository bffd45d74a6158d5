byte seen[4];
active [3] proctype A() { seen[_pid] = _pid; assert(_nr_pr <= 4); _pid == 0 -> skip }
active proctype B() { assert(_pid == 3) }
