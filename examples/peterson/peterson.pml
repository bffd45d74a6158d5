/* Peterson: K processes and one critical section, with nothing but reads and writes.

   To enter, a process climbs K-1 levels. At each it writes its level, writes itself down as the
   last to arrive, and waits until somebody came after it or nobody else is as high. Every read
   and every write is a step of its own. For K = 2 this is the well-known algorithm with two
   flags and a turn.

   Source   G. Peterson: Myths about the mutual exclusion problem (IPL 1981), which has both forms, as
            used by Cobleigh, Avrunin, Clarke (STUDY, 1 property).
   Scales   K, the number of processes (default 2, at most 7). Processes: K.
   Holds    mutual exclusion, no invalid end state.
   Ours     the counter of those inside, which only the property reads.
   See also peterson_cells.lts, the same in FSP. */

#ifndef K
#define K 2
#endif

byte level[K + 1];  /* of process 1 .. K */
byte last[K];       /* the last to arrive at level 1 .. K-1 */
unsigned inside : 3;  /* a type with few values makes a small component */

#define FIRST   (p == 1 -> 2 : 1)          /* the first and the next of the others */
#define NEXT(q) (q + 1 == p -> q + 2 : q + 1)

proctype Process(byte p) {
  byte l = 1;  /* the level */
  byte q;      /* whose level is looked at */
climb:
  level[p] = l;
  atomic { last[l] = p; q = FIRST };
  do
  :: atomic { q <= K && level[q] < l -> q = NEXT(q) }
  :: q <= K && level[q] >= l ->  /* somebody is as high: did somebody come after me? */
     if
     :: atomic { last[l] == p -> q = FIRST }
     :: last[l] != p -> break
     fi
  :: q > K -> break
  od;
  atomic {
    l++;
    if
    :: l < K -> goto climb
    :: else -> l = 1; q = 0
    fi
  };
  inside++;
  inside--;
  level[p] = 0;
  goto climb
}

init {
  byte i = 1;
  atomic {
    do
    :: i <= K -> run Process(i); i++
    :: else -> break
    od
  }
}

ltl MUTEX { [] (inside <= 1) }
