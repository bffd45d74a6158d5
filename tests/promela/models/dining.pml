chan fork[3] = [1] of { bit };
active [3] proctype Phil() { byte l = _pid, r = (_pid + 1) % 3; fork[l]!1; fork[r]!1; end: do :: fork[l]?_; fork[r]?_; fork[l]!1; fork[r]!1 od }
