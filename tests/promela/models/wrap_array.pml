/* bits in an array are bytes, as in pan */
bit t[2]; bool f[2];
active proctype A() { t[0] = 2; assert(t[0] == 2); f[1] = 7; assert(f[1] == 7) }
