byte x; bool stop;
active proctype A() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od unless { stop -> x = 9 } }
active proctype B() { x == 2; stop = true }
