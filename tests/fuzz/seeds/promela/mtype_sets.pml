mtype = { red, green }; mtype = { blue }; mtype:fruit = { apple, pear };
mtype c = red; mtype:fruit f = pear;
active proctype A() { assert(c == red); c = blue; f = apple; assert(c != red); if :: f == apple -> c = green :: else -> assert(false) fi; printf("%e\n", c); printm(c) }
