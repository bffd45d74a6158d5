byte b = 254; short s = 32767; int i = 2147483647; unsigned u : 3 = 6; bit t; bool f;
active proctype A() { b++; b++; assert(b == 0); b = b - 1; assert(b == 255); s++; assert(s == -32768); i++; assert(i < 0); u++; u++; assert(u == 0); t = 2; assert(t == 0); f = 3; assert(f == 1); b = 300; assert(b == 44); s = 70000; assert(s == 4464) }
