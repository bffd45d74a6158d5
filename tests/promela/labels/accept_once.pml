/* violated: none; the label is passed once */
byte x;
active proctype A() { accept_start: x = 1; do :: x = 3 - x od }
