/* violated: none; A stands at its label for ever, whatever B does */
byte y; bool go;
active proctype A() { progress: go; y = 3 }
active proctype B() { do :: y = 1 - y od }
