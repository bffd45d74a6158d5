/* Client-server: K clients reserve one resource at a server, use it, and cancel.

   A client requests the resource. The server grants it if nobody has it, and denies it
   otherwise. A client that was granted the resource cancels when it is done; one that
   was denied may ask again. A cancel by somebody else does not free the resource.

   Source   C. Pasareanu, D. Giannakopoulou: Towards a compositional SPIN (SPIN 2006), figures 3 and 4.
   Scales   K, the number of clients (default 2, at most 8). Processes: K + 1.
   Fails    MUTEX, and with it DENIED_IF_TAKEN, which takes any cancel for the owner's. No invalid end state.
   Ours     numbers for the clients instead of names, so that K can grow; the second property.
   See also client_server.pml, which has no fault; client_server_broken.lts, the same in FSP.

   SPIN takes one trace a file: spin -DTRACE=2 -a client_server_broken.pml chooses the second. */

#ifndef K
#define K 2
#endif
#ifndef TRACE
#define TRACE 1
#endif

#define NOBODY 0

chan request = [0] of { byte };
chan cancel  = [0] of { byte };
chan grant   = [0] of { byte };
chan deny    = [0] of { byte };

active proctype Server() {
  byte owner = NOBODY;
  byte c;
ready:
  if
  :: request?c ->
     if
     :: owner == NOBODY -> grant!c; owner = c; goto ready
     /* The fault: a deny clears the reservation. */
     :: else -> deny!c; owner = NOBODY; goto ready
     fi
  :: cancel?c ->
     if
     :: owner == c -> owner = NOBODY; goto ready
     :: else -> goto ready
     fi
  fi
}

proctype Client(byte c) {
ask:
  request!c;
  if
  :: grant?eval(c)
  :: deny?eval(c) -> goto ask
  fi;
  cancel!c;
  goto ask
}

init {
  byte i = 1;
  atomic {
    do
    :: i <= K -> run Client(i); i++
    :: else -> break
    od
  }
}

#if defined(SURETY) || TRACE == 1
/* The paper's, figure 4: a client that was granted the resource cancels before anybody is granted it. */
trace {
MUTEX:
  do
  :: grant?1 -> cancel?1
  :: grant?2 -> cancel?2
#if K >= 3
  :: grant?3 -> cancel?3
#endif
#if K >= 4
  :: grant?4 -> cancel?4
#endif
#if K >= 5
  :: grant?5 -> cancel?5
#endif
#if K >= 6
  :: grant?6 -> cancel?6
#endif
#if K >= 7
  :: grant?7 -> cancel?7
#endif
#if K >= 8
  :: grant?8 -> cancel?8
#endif
  od
}
#endif

#if defined(SURETY) || TRACE == 2
/* Ours: nobody is denied a resource that is free. */
trace {
DENIED_IF_TAKEN:
  do
  :: cancel?_
  :: grant?_ ->
     do
     :: cancel?_ -> break
     :: deny?_
     :: grant?_
     od
  od
}
#endif
