/* MER: the arbiter that hands out the resources of a Mars rover to the threads that use them.

   A user requests resources, one at a time, and may hold several. The arbiter grants one if neither it
   nor one that conflicts with it is held. If all who stand in the way have a lower priority than the
   user, it rescinds their resources, waits until they have cancelled, and then grants; otherwise it
   denies. A user cancels when it likes, and certainly when told to. Low numbers have high priority.

   Source   the MER resource arbiter of C. Pasareanu, D. Giannakopoulou: Towards a compositional SPIN (SPIN
            2006), also in Bobaru et al. (AGAR); the flight software is described by G. Holzmann, R. Joshi:
            Model-driven software verification (SPIN 2004). Written from those descriptions.
   Scales   K, the number of users (default 2, at most 8). Processes: K + 1.
            R, the number of resources (default 4; 2 to 5): communicating, driving,
            the arm, imaging, grinding; driving conflicts with all others.
   Fails    COMM_OR_DRIVE and ARM_OR_DRIVE. The other properties hold, and no invalid end state.
   Ours     the fifth resource (the paper names four), and all properties but the first.
   See also mer.pml, which has no fault; mer_broken.lts, the same in FSP.

   SPIN takes one trace a file: spin -DTRACE=2 -a mer_broken.pml chooses the second of four. */

#ifndef K
#define K 2
#endif
#ifndef R
#define R 4
#endif
#ifndef TRACE
#define TRACE 1
#endif

#define COMM  1
#define DRIVE 2
#define ARM   3
#define IMAGE 4
#define GRIND 5
#define NOBODY 0

/* Of each array, channel r is for resource r, and the message is a user. Nobody is at the other end
   of channel 0: what is done there waits, and so WHEN makes an operation wait for a condition. */
chan request[R + 1] = [0] of { byte };
chan grant[R + 1]   = [0] of { byte };
chan deny[R + 1]    = [0] of { byte };
chan cancel[R + 1]  = [0] of { byte };
chan rescind[R + 1] = [0] of { byte };

#define WHEN(condition, r) ((condition) -> (r) : 0)

#define USES(r)                                                     \
  :: request[WHEN(!held[r], r)]!u ->                                \
     if                                                             \
     :: atomic { grant[r]?eval(u) -> held[r] = true }               \
     :: deny[r]?eval(u)                                             \
     fi                                                             \
  :: cancel[WHEN(held[r], r)]!u -> held[r] = false                  \
  :: rescind[r]?eval(u)

proctype User(byte u) {
  bool held[R + 1];
  do
  USES(COMM)
  USES(DRIVE)
#if R >= ARM
  USES(ARM)
#endif
#if R >= IMAGE
  USES(IMAGE)
#endif
#if R >= GRIND
  USES(GRIND)
#endif
  od
}

#define CONFLICT(r, s) (r == s || r == DRIVE || s == DRIVE)
#define HEARS(x)                                                    \
  :: atomic { request[x]?u -> r = x; s = 1 } -> goto check          \
  :: atomic { cancel[x]?_ -> holder[x] = NOBODY }

active proctype Arbiter() {
  byte holder[R + 1];  /* NOBODY or a user */
  byte u, r;           /* who asks for what */
  byte s;              /* the resource that is looked at */
ready:
  do
  HEARS(COMM)
  HEARS(DRIVE)
#if R >= ARM
  HEARS(ARM)
#endif
#if R >= IMAGE
  HEARS(IMAGE)
#endif
#if R >= GRIND
  HEARS(GRIND)
#endif
  od;
check:
  /* Is somebody in the way who has a higher priority, or the user itself? */
  atomic {
    do
    :: s > R -> s = 1; break
    :: s <= R && CONFLICT(r, s) && holder[s] != NOBODY && holder[s] <= u -> goto refuse
    :: else -> s++
    od
  };
clear:
  /* The fault: it rescinds what is in the way and grants at once, without waiting for the cancel. */
  do
  :: s > R -> break
  :: s <= R && CONFLICT(r, s) && holder[s] != NOBODY ->
     rescind[s]!holder[s];
     atomic { holder[s] = NOBODY; s++ }
  :: else -> s++
  od;
  grant[r]!u;
  atomic { holder[r] = u; u = 0; r = 0; s = 0 };
  goto ready;
refuse:
  deny[r]!u;
  atomic { u = 0; r = 0; s = 0 };
  goto ready
}

init {
  byte i = 1;
  atomic {
    do
    :: i <= K -> run User(i); i++
    :: else -> break
    od
  }
}

#if defined(SURETY) || TRACE == 1
/* The paper's, and AGAR's: communication and driving do not happen at the same time. */
trace {
COMM_OR_DRIVE:
  do
  :: grant[COMM]?_ -> cancel[COMM]?_
  :: grant[DRIVE]?_ -> cancel[DRIVE]?_
  od
}
#endif

#if R >= ARM && (defined(SURETY) || TRACE == 2)
/* Ours: the arm is still while the rover drives. */
trace {
ARM_OR_DRIVE:
  do
  :: grant[ARM]?_ -> cancel[ARM]?_
  :: grant[DRIVE]?_ -> cancel[DRIVE]?_
  od
}
#endif

#if R == 2
#define RESCINDED(u) :: rescind[COMM]?u :: rescind[DRIVE]?u
#elif R == 3
#define RESCINDED(u) :: rescind[COMM]?u :: rescind[DRIVE]?u :: rescind[ARM]?u
#elif R == 4
#define RESCINDED(u) :: rescind[COMM]?u :: rescind[DRIVE]?u :: rescind[ARM]?u :: rescind[IMAGE]?u
#else
#define RESCINDED(u) \
  :: rescind[COMM]?u :: rescind[DRIVE]?u :: rescind[ARM]?u :: rescind[IMAGE]?u :: rescind[GRIND]?u
#endif

#if defined(SURETY) || TRACE == 3
/* Ours: nothing is taken from user 1, who has the highest priority. What is taken from others is fine. */
trace {
FIRST_KEEPS:
  do
  RESCINDED(2)
#if K >= 3
  RESCINDED(3)
#endif
#if K >= 4
  RESCINDED(4)
#endif
#if K >= 5
  RESCINDED(5)
#endif
#if K >= 6
  RESCINDED(6)
#endif
#if K >= 7
  RESCINDED(7)
#endif
#if K >= 8
  RESCINDED(8)
#endif
  od
}
#endif

/* The trace below is about user K; the others may do at any time what it is about. */
#define OTHER(u) :: grant[COMM]?u :: cancel[COMM]?u :: rescind[COMM]?u
#if K == 2
#define OTHERS OTHER(1)
#elif K == 3
#define OTHERS OTHER(1) OTHER(2)
#elif K == 4
#define OTHERS OTHER(1) OTHER(2) OTHER(3)
#elif K == 5
#define OTHERS OTHER(1) OTHER(2) OTHER(3) OTHER(4)
#elif K == 6
#define OTHERS OTHER(1) OTHER(2) OTHER(3) OTHER(4) OTHER(5)
#elif K == 7
#define OTHERS OTHER(1) OTHER(2) OTHER(3) OTHER(4) OTHER(5) OTHER(6)
#elif K == 8
#define OTHERS OTHER(1) OTHER(2) OTHER(3) OTHER(4) OTHER(5) OTHER(6) OTHER(7)
#endif

#if defined(SURETY) || TRACE == 4
/* Ours: what is rescinded from user K has been granted to it, is asked back once, and is then cancelled. */
trace {
RESCIND_ONCE:
  do
  OTHERS
  :: grant[COMM]?K ->
     do
     OTHERS
     :: cancel[COMM]?K -> break
     :: rescind[COMM]?K ->
        do
        OTHERS
        :: cancel[COMM]?K -> goto RESCIND_ONCE
        od
     od
  od
}
#endif
