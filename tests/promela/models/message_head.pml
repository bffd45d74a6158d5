/* c!a(b) is c!a,b */
mtype = { req, ack };
chan c = [1] of { mtype, byte };
active proctype A() { c!req(5) }
active proctype B() { byte v; if :: c?ack(v) :: c?req(v) -> assert(v == 5) fi }
