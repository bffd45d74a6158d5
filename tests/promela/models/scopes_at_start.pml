byte n;
active proctype A() { do :: { byte t = 5; t++; n = t; n > 5 -> break } od; assert(n == 6) }
