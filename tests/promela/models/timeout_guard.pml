byte n;
active [2] proctype A() { end: do :: timeout && n < 3 -> n++ od }
