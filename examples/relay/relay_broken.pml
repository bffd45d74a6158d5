/* Relay: K tasks take turns at a shared bit; each writes 0 into it, then 1 again.

   The tasks stand in a ring and hand on a baton. Who has it reads the bit, writes 0 (busy),
   writes 1 (free), hands the baton to the next and prepares for its next turn. The bit is a
   server: a task asks it for its value on one channel and gives it a new one on another.

   Source   the Relay problem of S. Siegel, G. Avrunin: Improving the precision of INCA by eliminating
            solutions with spurious cycles (TSE 2002), as used by Cobleigh, Avrunin, Clarke (STUDY: "the
            number of tasks accessing the shared variable", property "always 1 between 0"). Nothing more
            is said of it there: who writes when, and the baton, are ours.
   Scales   K, the number of tasks in the ring (default 2). Processes: K + 1.
   Fails    the property. No invalid end state.
   See also relay.pml, which has no fault; relay_broken.lts, the same in FSP. */

#ifndef K
#define K 2
#endif

chan read    = [0] of { bit };        /* the value, to any task */
chan write   = [0] of { byte, bit };  /* writer and value */
chan pass[K] = [0] of { bit };        /* pass[t]: the baton, from task t to the next */

active proctype Variable() {
  bit value = 1;
  do
  :: read!value
  :: write?_,value
  od
}

proctype Task(byte t) {
  if
  :: t == 0 -> goto turn
  :: else -> goto wait
  fi;
turn:
  read?_;
  write!t,0;
  pass[t]!1;  /* The fault: the baton is handed on a step too early, while the bit is still 0. */
  write!t,1;
  skip;  /* prepares for its next turn */
wait:
  pass[(t + K - 1) % K]?_;
  goto turn
}

init {
  byte i = 0;
  atomic {
    do
    :: i < K -> run Task(i); i++
    :: else -> break
    od
  }
}

/* STUDY "always 1 between 0": after a 0 the next value written is 1, whoever writes it. */
trace {
ALWAYS_1_BETWEEN_0:
  do
  :: write?_,1
  :: write?_,0 -> write?_,1
  od
}
