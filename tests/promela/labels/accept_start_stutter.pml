/* violated: accept; it stands there from the start, and another process ends */
bool go;
active proctype A() { accept_wait: go }
active proctype B() { byte i; i = 1; i = 2 }
