/* a claim does not look into atomic sequences */
byte x;
active proctype A() { do :: atomic { x = 1; x = 2 }; x = 0 od }
ltl unseen { [] (x != 1) }
ltl seen { [] (x != 2) }
ltl again { [] <> (x == 2) }
