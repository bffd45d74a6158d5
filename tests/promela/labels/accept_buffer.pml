/* violated: accept; a label inside, where only some runs pass */
mtype = { ping, pong };
chan c = [1] of { mtype };
active proctype A() { end: do :: c!ping; c?pong od }
active proctype B() { end: do :: c?ping -> c!pong :: c?ping -> c!pong; accept_more: c?ping -> c!pong od }
