byte x;
active proctype A() { do :: x = 1 - x :: x = 5; break od }
never stuck { do :: true :: x == 5 -> goto accept_five od; accept_five: do :: x == 5 od }
