/* a process that has ended stays until those after it have gone */
byte n;
proctype Short() { n = 1 }
proctype Long() { n == 5 }
init { atomic { run Short(); run Long() }; n == 1; assert(_nr_pr == 3); n = 5; _nr_pr == 1 }
