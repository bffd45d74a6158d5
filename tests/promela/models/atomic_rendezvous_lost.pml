/* the receiver is not atomic: others may move before the sender goes on */
chan c = [0] of { byte };
byte x;
active proctype A() { atomic { c!7; assert(x == 0); x = 3 } }
active proctype B() { byte v; c?v; x = v }
