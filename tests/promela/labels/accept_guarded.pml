/* violated: none; the option with the label cannot be taken for ever */
byte x;
active proctype A() { do :: x < 2 -> x++; accept: skip :: x == 2 -> x = 3 :: x == 3 -> x = 2 od }
