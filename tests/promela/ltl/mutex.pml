bool flag[2]; bit turn; byte inside;
active [2] proctype P() { again: flag[_pid] = 1; turn = _pid; (flag[1 - _pid] == 0 || turn == 1 - _pid); inside++; critical: skip; inside--; flag[_pid] = 0; goto again }
ltl exclusive { [] !(P[0]@critical && P[1]@critical) }
ltl one_inside { [] (inside < 2) }
ltl first_gets_in { <> P[0]@critical }
ltl someone_gets_in { <> (P[0]@critical || P[1]@critical) }
ltl enters_again { [] <> (inside == 1) }
ltl asked_is_granted { [] ((flag[0] == 1) -> <> P[0]@critical) }
