byte x;
active proctype A() { { x = 1; { x = 2 } }; { do :: x < 5 -> { x++ } :: else -> break od }; if :: { x == 5; x = 6 } :: { x == 4; x = 7 } fi }
