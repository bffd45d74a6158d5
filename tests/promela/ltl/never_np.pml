/* what pan -l asks, written as a claim */
byte x;
active proctype A() { do :: x = 1; progress: x = 0 :: x = 2 od }
never { do :: true :: np_ -> goto accept_np od; accept_np: do :: np_ od }
