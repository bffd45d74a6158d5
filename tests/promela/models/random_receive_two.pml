chan c = [3] of { byte }; byte n;
active proctype S() { c!1; c!2; c!3 }
active proctype A() { c??3 -> n++ }
active proctype B() { byte v; c??v -> n = n + v; c??1 }
