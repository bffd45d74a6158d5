/* an inline call as the first statement: its declaration is executed all the same */
byte r = 4;
inline get() { byte t = r; r = t + 1 }
active [2] proctype A() { get(); assert(r >= 5) }
