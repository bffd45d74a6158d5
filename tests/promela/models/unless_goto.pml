byte x; chan c = [0] of {byte};
active proctype A() { do :: c!1 :: x == 2 -> break od unless { x == 1 -> goto out }; out: skip }
active proctype B() { byte v; c?v; c?v; x = 1 }
