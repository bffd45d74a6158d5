byte x;
chan c = [1] of { byte };
active proctype A() { do :: c!1; c?x; x == 2 -> break :: timeout -> x = 2; goto done od; done: skip }
active proctype B() { x == 2; x = 3 }
