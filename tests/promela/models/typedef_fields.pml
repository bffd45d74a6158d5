typedef Inner { byte v; bit f[2] }; typedef Outer { Inner in[2]; short s };
Outer o; Outer many[2];
active proctype A() { byte i = 1; o.in[1].v = 3; o.in[i].f[0] = 1; o.s = -4; many[i].in[0].v = o.in[1].v + o.s; assert(many[1].in[0].v == 255); assert(o.in[0].v == 0 && o.in[1].f[0] == 1) }
