/* Gas Station: K customers, two pumps, one operator who takes money and gives change.

   A customer pays the operator in advance for one of the pumps, pumps there, and waits for
   the change. The operator activates a pump when its first customer pays, and again after
   each sale for as long as others have paid for it. A pump tells the operator who used it.

   Source   D. Helmbold, D. Luckham: Debugging Ada tasking programs (IEEE Software 1985), as
            used by Cobleigh, Avrunin, Clarke (STUDY, 4 properties) and by Bobaru, Pasareanu,
            Giannakopoulou (AGAR). Written from those descriptions; the originals are not public.
   Scales   K, the number of customers (default 2, at most 8). Processes: K + 3.
   Holds    all four properties, no invalid end state.
   Left out amounts of money and of petrol; who comes first at a pump (any customer who paid may).
   See also gas_station.lts, the same in FSP.

   SPIN takes one trace a file: spin -DTRACE=2 -a gas_station.pml chooses the second of four. */

#ifndef K
#define K 2
#endif
#ifndef TRACE
#define TRACE 1
#endif

/* Of each array, channel p belongs to pump p. Nobody is at the other end of channel 0: what is
   done there waits, and so WHEN makes an operation wait for a condition. */
chan prepay[3] = [0] of { byte };    /* customer */
chan activate[3] = [0] of { bit };
chan start[3] = [0] of { byte };     /* customer */
chan finish[3] = [0] of { byte };    /* customer */
chan charge[3] = [0] of { byte };    /* customer */
chan change[K + 1] = [0] of { byte };  /* to a customer: the pump that he pays for */

#define WHEN(condition, p) ((condition) -> (p) : 0)

proctype Customer(byte c) {
  do
  :: if
     :: prepay[1]!c -> start[1]!c; finish[1]!c
     :: prepay[2]!c -> start[2]!c; finish[2]!c
     fi;
     change[c]?_
  od
}

proctype Pump(byte p) {
  byte c;
  do
  :: activate[p]?_;
     start[p]?c;
     finish[p]?eval(c);
     charge[p]!c;
     c = 0
  od
}

/* n[p]: customers who have paid for pump p and have not been charged yet. */
active proctype Operator() {
  byte n[3];
  byte c;
  do
  :: atomic { prepay[WHEN(n[1] < K, 1)]?_ -> n[1]++ };
     if
     :: n[1] == 1 -> activate[1]!1
     :: else
     fi
  :: atomic { prepay[WHEN(n[2] < K, 2)]?_ -> n[2]++ };
     if
     :: n[2] == 1 -> activate[2]!1
     :: else
     fi
  :: atomic { charge[WHEN(n[1] > 0, 1)]?c -> n[1]-- };
     change[c]!1;
     c = 0;
     if
     :: n[1] > 0 -> activate[1]!1
     :: else
     fi
  :: atomic { charge[WHEN(n[2] > 0, 2)]?c -> n[2]-- };
     change[c]!2;
     c = 0;
     if
     :: n[2] > 0 -> activate[2]!1
     :: else
     fi
  od
}

init {
  byte i = 1;
  atomic {
    run Pump(1);
    run Pump(2);
    do
    :: i <= K -> run Customer(i); i++
    :: else -> break
    od
  }
}

#if defined(SURETY) || TRACE == 1
/* STUDY "mutual exclusion": two customers never use one pump at the same time. Pump 1; pump 2 is its twin. */
trace {
MUTEX:
  do
  :: start[1]?1 -> finish[1]?1
  :: start[1]?2 -> finish[1]?2
#if K >= 3
  :: start[1]?3 -> finish[1]?3
#endif
#if K >= 4
  :: start[1]?4 -> finish[1]?4
#endif
#if K >= 5
  :: start[1]?5 -> finish[1]?5
#endif
#if K >= 6
  :: start[1]?6 -> finish[1]?6
#endif
#if K >= 7
  :: start[1]?7 -> finish[1]?7
#endif
#if K >= 8
  :: start[1]?8 -> finish[1]?8
#endif
  od
}
#endif

/* The traces below follow customer 1; what the others do on the same channels may happen at any time. */
#if K == 2
#define OTHERS(EVENT) EVENT(2)
#elif K == 3
#define OTHERS(EVENT) EVENT(2) EVENT(3)
#elif K == 4
#define OTHERS(EVENT) EVENT(2) EVENT(3) EVENT(4)
#elif K == 5
#define OTHERS(EVENT) EVENT(2) EVENT(3) EVENT(4) EVENT(5)
#elif K == 6
#define OTHERS(EVENT) EVENT(2) EVENT(3) EVENT(4) EVENT(5) EVENT(6)
#elif K == 7
#define OTHERS(EVENT) EVENT(2) EVENT(3) EVENT(4) EVENT(5) EVENT(6) EVENT(7)
#elif K == 8
#define OTHERS(EVENT) EVENT(2) EVENT(3) EVENT(4) EVENT(5) EVENT(6) EVENT(7) EVENT(8)
#endif
#define STARTS(c) :: start[1]?c :: start[2]?c
#define PAYS_OR_STARTS(c) :: prepay[1]?c :: prepay[2]?c STARTS(c)

#if defined(SURETY) || TRACE == 2
/* AGAR: the operator gives change for the pump that the customer used. Customer 1; all are equal. */
trace {
CHANGE:
  do
  OTHERS(STARTS)
  :: start[1]?1 ->
     do
     OTHERS(STARTS)
     :: change[1]?1 -> break
     od
  :: start[2]?1 ->
     do
     OTHERS(STARTS)
     :: change[1]?2 -> break
     od
  od
}
#endif

#if defined(SURETY) || TRACE == 3
/* Ours: who uses a pump has paid for that pump. */
trace {
PREPAID:
  do
  OTHERS(PAYS_OR_STARTS)
  :: prepay[1]?1 ->
     do
     OTHERS(PAYS_OR_STARTS)
     :: start[1]?1 -> break
     od
  :: prepay[2]?1 ->
     do
     OTHERS(PAYS_OR_STARTS)
     :: start[2]?1 -> break
     od
  od
}
#endif

#if defined(SURETY) || TRACE == 4
/* Ours: one activation, one sale. */
trace {
ACTIVATED:
  do
  :: activate[1]?_ -> start[1]?_
  od
}
#endif
