// Flow graphs: what a task does next, without what only it can see.
//
// A flow graph is an LTS in which every state but the first is entered by one action only. So a state is a *point*, the
// one after a *node*: the action and where it leads. Actions that nothing speaks of are tau, and tau nodes go where
// that changes no trace:
//
//   R1  a tau node that is the only successor of each of its predecessors: they get its successors, if that makes no
//       more edges than before;
//   R2  tau nodes with equal successors and equal predecessors are one;
//   R3  nodes that cannot be reached go, and tau nodes that lead nowhere;
//   R4  a tau node whose only successor has no other predecessor: that one takes its place.
//
// R1 to R3 leave the graphs weakly bisimilar; R4 keeps the traces, which is all that a safety property can see, and
// makes the graphs smaller. Flow graphs are those of FLAVERS (Dwyer, Clarke, Cobleigh, Naumovich, TOSEM 2004); R1 to R4
// are ours.
#pragma once

#include "model/lts.hpp"

namespace surety {

// The flow graph of an LTS. Its alphabet is what is visible of that of the LTS.
Lts flow_graph(const Lts& lts, const Alphabet& visible);

// With the same traces.
enum class RefineBy { r1_to_r3, r1_to_r4 };
Lts refine(const Lts& flow_graph, RefineBy rules = RefineBy::r1_to_r4);

}  // namespace surety
