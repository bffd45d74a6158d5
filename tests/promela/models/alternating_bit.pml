mtype = { msg, ack };
chan to = [1] of { mtype, bit }; chan from = [1] of { mtype, bit };
active proctype Sender() { bit s, r; do :: to!msg(s); if :: from?ack(r); if :: r == s -> s = 1 - s :: else fi :: timeout fi od }
active proctype Receiver() { bit r, e; do :: to?msg(r); if :: r == e -> e = 1 - e :: else fi; from!ack(r) :: to?msg(_) od }
