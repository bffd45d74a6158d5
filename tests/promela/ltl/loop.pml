/* runs that end stand still for ever */
byte x; bool p;
active proctype A() { do :: x < 3 -> x++ :: x == 3 -> x = 0; p = !p :: x == 2 -> break od }
ltl always_small { [] (x <= 3) }
ltl comes_true { <> p }
ltl again { [] <> (x == 1) }
ltl too_small { [] (x < 3) }
ltl until { (x == 0) U (x == 1) }
ltl weak { (x < 3) W p }
ltl release { p V (x <= 3) }
ltl stays { <> [] (x == 2) }
ltl implied { [] ((x == 3) -> <> (x == 0)) }
