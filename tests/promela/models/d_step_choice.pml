/* inside a d_step the first executable option is taken */
byte x;
active proctype A() { d_step { if :: x = 1 :: x = 2 fi; if :: x == 2 -> x = 5 :: x == 1 -> x = 6 fi }; assert(x == 6) }
