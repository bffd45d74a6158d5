/* violated: accept; the run ends where a process stands at the label */
bool go;
active proctype A() { go == 0; accept_wait: go }
active proctype B() { go = 0 }
