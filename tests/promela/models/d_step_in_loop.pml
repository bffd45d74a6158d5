byte x, n;
active [2] proctype A() { do :: d_step { n < 4 -> n++; x = x + n } :: n >= 4 -> break od }
