mtype = { ping, pong };
chan c = [1] of { mtype };
active proctype A() { end: do :: c!ping; c?pong od }
active proctype B() { end: do :: c?ping -> c!pong :: c?ping -> break od }
ltl no_overflow { [] (len(c) <= 1) }
ltl pings { [] <> (c?[ping]) }
ltl answered { [] (c?[ping] -> <> c?[pong]) }
