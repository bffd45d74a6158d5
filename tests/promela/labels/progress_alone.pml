/* violated: progress; nothing is fair, B may turn alone */
byte x, y;
active proctype A() { do :: x = 1; progress_a: x = 0 od }
active proctype B() { do :: y = 1 - y od }
