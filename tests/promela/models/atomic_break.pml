byte x;
active proctype A() { do :: atomic { x < 3 -> x++ } :: atomic { x == 3 -> break } od; atomic { if :: x == 3 -> x = 4; :: else fi; do :: x < 6 -> x++ :: else -> goto L od }; L: atomic { x = 0; skip } }
active proctype B() { x >= 5 -> x = 6 }
