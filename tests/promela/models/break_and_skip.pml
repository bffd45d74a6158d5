byte x;
active proctype A() { do :: do :: x < 2 -> x++ :: break od; x++ :: x > 4 -> break od; skip; skip; if :: skip; skip; skip; x = 0 :: x = 1 fi }
