chan c = [1] of { byte, bit, short }; byte a; short s; bit t;
active proctype A() { c!300,3,70000; c?a,t,s; assert(a == 44 && t == 1 && s == 4464) }
