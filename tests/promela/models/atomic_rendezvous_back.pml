chan c = [0] of { byte }; byte x;
active proctype A() { atomic { c!1; x = 1; c!2; x = 2 } }
active proctype B() { byte v; atomic { c?v; x = x + 10; c?v; x = x + 20 } }
active proctype C() { byte k; k = x; k = x }
