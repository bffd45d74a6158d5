/* Smokers: K smokers, K ingredients, an agent who puts all ingredients but one on the table.

   Each smoker has an endless supply of one ingredient and needs one of each of the others. The agent
   chooses one ingredient to withhold and puts the others on the table, one after the other. The
   smoker who has the withheld one should take them, thanks the agent, and smokes; meanwhile
   the agent chooses again.

   Source   S. Patil: Limitations and capabilities of Dijkstra's semaphore primitives (1971), as used by
            Cobleigh, Avrunin, Clarke (STUDY, 8 properties, none of them named: all eight here are ours).
   Scales   K, the number of smokers (default 3, Patil's problem; with two the fault does no harm; at most 8).
            Processes: 2K + 2: each place of the table is one.
   Fails    an invalid end state, Patil's deadlock: a smoker holds what another one needs. The properties hold.
   Ours     the onlooker, who hears what is the business of one process only: traces are about
            messages, and a message needs two.
   See also smokers.pml, which has no fault; smokers_broken.lts, the same in FSP.

   SPIN takes one trace a file: spin -DTRACE=2 -a smokers_broken.pml chooses the second of eight. */

#ifndef K
#define K 3
#endif
#ifndef TRACE
#define TRACE 1
#endif

chan choose = [0] of { byte };  /* the ingredient that is withheld; to the onlooker */
chan put    = [0] of { byte };  /* ingredient */
chan take   = [0] of { byte };  /* smoker */
chan thank  = [0] of { byte };  /* smoker */
chan light  = [0] of { byte };  /* smoker; to the onlooker */
chan out    = [0] of { byte };  /* smoker; to the onlooker */
chan pick[K + 1] = [0] of { byte };  /* pick[i]: ingredient i, by a smoker */

active proctype Agent() {
  byte s, i;
  do
  :: select (s : 1 .. K);
     choose!s;
     i = 1;
     do
     :: i <= K && i != s -> put!i; i++
     :: i == s -> i++
     :: i > K -> break
     od;
     atomic { s = 0; i = 0 };
     thank?_
  od
}

/* The place of one ingredient on the table. */
proctype Place(byte i) {
  do
  :: put?eval(i); pick[i]?_
  od
}

/* The fault: a smoker picks up what he needs piece by piece, lowest number first, as it comes.
   take is now the moment when he has everything. */
proctype Smoker(byte s) {
  byte i;
  do
  :: i = 1;
     do
     :: i <= K && i != s -> pick[i]!s; i++
     :: i == s -> i++
     :: i > K -> break
     od;
     i = 0;
     take!s; thank!s; light!s; out!s
  od
}

active proctype Onlooker() {
  do
  :: choose?_
  :: take?_
  :: light?_
  :: out?_
  od
}

init {
  byte i = 1;
  atomic {
    do
    :: i <= K -> run Smoker(i); run Place(i); i++
    :: else -> break
    od
  }
}

#if defined(SURETY) || TRACE == 1
/* The ingredients are taken by the smoker who has the withheld one. */
trace {
RIGHT_SMOKER:
  do
  :: choose?1 -> take?1
  :: choose?2 -> take?2
#if K >= 3
  :: choose?3 -> take?3
#endif
#if K >= 4
  :: choose?4 -> take?4
#endif
#if K >= 5
  :: choose?5 -> take?5
#endif
#if K >= 6
  :: choose?6 -> take?6
#endif
#if K >= 7
  :: choose?7 -> take?7
#endif
#if K >= 8
  :: choose?8 -> take?8
#endif
  od
}
#endif

#if defined(SURETY) || TRACE == 2
/* Who thanks is who took. */
trace {
THANKED:
  do
  :: take?1 -> thank?1
  :: take?2 -> thank?2
#if K >= 3
  :: take?3 -> thank?3
#endif
#if K >= 4
  :: take?4 -> thank?4
#endif
#if K >= 5
  :: take?5 -> thank?5
#endif
#if K >= 6
  :: take?6 -> thank?6
#endif
#if K >= 7
  :: take?7 -> thank?7
#endif
#if K >= 8
  :: take?8 -> thank?8
#endif
  od
}
#endif

#if defined(SURETY) || TRACE == 3
/* The agent does not choose again before he has been thanked. */
trace {
PATIENT:
  do
  :: choose?_ -> thank?_
  od
}
#endif

#if defined(SURETY) || TRACE == 4
/* Nothing is put between taking and thanking. */
trace {
CLEARED:
  do
  :: put?_
  :: take?_ -> thank?_
  od
}
#endif

/* The traces below are about one smoker or ingredient; what they allow the others they allow 3 .. K. */
#if K == 2
#define OTHERS(EVENT)
#elif K == 3
#define OTHERS(EVENT) EVENT(3)
#elif K == 4
#define OTHERS(EVENT) EVENT(3) EVENT(4)
#elif K == 5
#define OTHERS(EVENT) EVENT(3) EVENT(4) EVENT(5)
#elif K == 6
#define OTHERS(EVENT) EVENT(3) EVENT(4) EVENT(5) EVENT(6)
#elif K == 7
#define OTHERS(EVENT) EVENT(3) EVENT(4) EVENT(5) EVENT(6) EVENT(7)
#elif K == 8
#define OTHERS(EVENT) EVENT(3) EVENT(4) EVENT(5) EVENT(6) EVENT(7) EVENT(8)
#endif
#define PUT(i)   :: put?i
#define TAKE_BREAK(s) :: take?s -> break
#define TAKE_OR_LIGHT(s) :: take?s :: light?s
#define TAKE_OR_OUT(s) :: take?s :: out?s

#if defined(SURETY) || TRACE == 5
/* Whoever takes finds ingredient 2, except smoker 2, who does not find it. */
trace {
COMPLETE:
  do
  :: put?1
  OTHERS(PUT)
  :: take?2
  :: put?2 ->
     do
     :: put?1
     OTHERS(PUT)
     :: take?1 -> break
     OTHERS(TAKE_BREAK)
     od
  od
}
#endif

#if defined(SURETY) || TRACE == 6
/* Ingredient 1 is not put twice before something is taken. */
trace {
ONE_EACH:
  do
  :: put?2
  OTHERS(PUT)
  :: take?_
  :: put?1 ->
     do
     :: put?2
     OTHERS(PUT)
     :: take?_ -> break
     od
  od
}
#endif

#if defined(SURETY) || TRACE == 7
/* Smoker 1 lights only what he took. */
trace {
TAKEN_FIRST:
  do
  TAKE_OR_LIGHT(2)
  OTHERS(TAKE_OR_LIGHT)
  :: take?1 ->
     do
     TAKE_OR_LIGHT(2)
     OTHERS(TAKE_OR_LIGHT)
     :: light?1 -> break
     od
  od
}
#endif

#if defined(SURETY) || TRACE == 8
/* Smoker 1 does not take while he smokes. */
trace {
ONE_AT_A_TIME:
  do
  TAKE_OR_OUT(2)
  OTHERS(TAKE_OR_OUT)
  :: take?1 ->
     do
     TAKE_OR_OUT(2)
     OTHERS(TAKE_OR_OUT)
     :: out?1 -> break
     od
  od
}
#endif
