chan a = [0] of { byte }; chan b = [0] of { byte };
active proctype A() { a!1; b?1 }
active proctype B() { b!1; a?1 }
