chan q = [3] of { byte }; byte x; 
active proctype A() { q!1; q!2; q!3; if :: q??2 -> x = 1 :: q??<3> -> x = 2 :: q??[1] -> x = 3 fi }
active proctype B() { if :: q?1 :: q??3 :: timeout -> skip fi }
