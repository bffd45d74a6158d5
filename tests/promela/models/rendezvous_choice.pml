chan c = [0] of { byte, byte };
byte n;
active [2] proctype S() { c!_pid,1 }
active [2] proctype R() { byte v; if :: c?0,v -> n++ :: c?1,v -> n = n + 2 :: c?eval(_pid),v -> assert(false) fi }
