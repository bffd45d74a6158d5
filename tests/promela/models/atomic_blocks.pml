/* a statement inside atomic blocks: the floor is lost, others go on */
byte x, y;
active proctype A() { atomic { x = 1; y == 1; x = 2 }; assert(y == 1) }
active proctype B() { x == 1; y = 1; assert(x != 0) }
