byte x;
active proctype A() { x = 1; here: x = 2; there: goto out; out: skip }
active proctype B() { if :: A@here -> assert(x == 1) :: A[0]@there -> assert(x == 2) fi }
