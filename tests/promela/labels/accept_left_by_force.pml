/* violated: none; the loop cannot be closed without leaving the label behind */
byte x;
active proctype A() { do :: x < 3 -> x++ :: x == 3 -> break od; accept: x = 4; loop: x = 5; goto loop }
