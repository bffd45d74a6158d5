byte x; bool b;
active proctype A() { atomic { x = 1; x = 2; x = 3 } unless { b -> x = 9 } ; do :: x < 5 -> x++ :: else -> break od unless { if :: b -> b = false :: x == 77 fi } }
active proctype B() { b = true }
