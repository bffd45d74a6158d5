/* assignments, sends and assertions as guards */
chan c = [1] of { byte }; byte x;
active proctype A() { if :: x = 1; x = 2 :: c!4 :: assert(x < 3) -> x = 3 :: printf("hello\n") fi }
active proctype B() { byte v; if :: c?v :: x == 3 -> c!v fi }
