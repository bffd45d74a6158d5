chan main = [1] of { chan, byte };
active proctype Server() { chan back; byte v; end: do :: main?back,v -> back!v + 1 od }
active [2] proctype Client() { chan mine = [0] of { byte }; byte r; main!mine,_pid; mine?r; assert(r == _pid + 1) }
