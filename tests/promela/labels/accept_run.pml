/* violated: none; every process that passes the label ends, and there are not enough of them */
byte x;
proctype P() { accept: x++ }
init { byte i; do :: i < 3 -> run P(); i++ :: else -> break od; end: false }
