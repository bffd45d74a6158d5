chan c = [2] of { byte }; byte x;
active proctype A() { do :: d_step { c?x -> x++; if :: nempty(c) -> c?x :: else -> x = 7 fi } :: x == 7 -> break od }
active proctype B() { c!1; c!2; c!3 }
