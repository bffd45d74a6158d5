byte x, y;
inline add(v, n) { v = v + n }
inline twice(v) { add(v, 1); add(v, v) }
active [2] proctype A() { twice(x); add(y, x) }
