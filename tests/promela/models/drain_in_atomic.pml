/* all messages are taken out of a buffer in one atomic sequence: it has an end, since there are only three places */
chan q = [3] of { byte };
byte n;
active proctype S() { byte i; do :: i < 4 -> q!i; i++ :: else -> break od }
active proctype D() { byte x; n = 1; atomic { do :: q?x :: empty(q) -> break od }; assert(x < 4) ; end: do :: q?x od }
