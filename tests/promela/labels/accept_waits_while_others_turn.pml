/* violated: accept; A waits at its label while B turns */
bool go; byte x;
active proctype A() { accept: go; x = 5 }
active proctype B() { do :: x = 1 - x od }
