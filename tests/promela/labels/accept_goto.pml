/* violated: accept; a label on a jump */
byte x;
active proctype A() { top: x = 1 - x; if :: x == 0 -> accept_zero: goto top :: x == 1 -> goto top fi }
