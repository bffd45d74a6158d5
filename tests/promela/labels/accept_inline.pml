/* violated: accept; in an inline that is called twice */
byte x;
inline twice(v) { x = v; accept: x = v + 1 }
active proctype A() { do :: twice(1); twice(4) od }
