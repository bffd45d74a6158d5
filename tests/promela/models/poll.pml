chan c = [2] of { byte, byte }; byte n;
active proctype A() { if :: c?[1,2] -> n = 1 :: c??[3,4] -> n = 2 :: atomic { nempty(c) && !c?[1,2] -> n = 3 } fi }
active proctype B() { c!5,5; c!3,4 }
