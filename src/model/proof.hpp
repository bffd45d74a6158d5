// The proof that comes with an answer.
//
// A certificate names the rule, says which components form which side, and gives
// the assumptions. Together with the inputs that is enough to check every premise
// again; `certify` does so, knowing nothing of how the answer was found.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/method.hpp"
#include "model/network.hpp"
#include "model/split.hpp"

namespace surety {

// A set of tuples of states, as a decision diagram: a state at each level leads to a node of the level below, and what
// has no way through is not in the set. A way starts at node 0 of the first level; below the last there is one node, 0.
struct Diagram {
  struct Edge {
    State state;
    std::uint32_t node;  // of the next level
  };
  struct Level {
    std::uint32_t component = 0;       // its place in the split; one more than the last: the property
    std::vector<std::uint64_t> first;  // the edges of node i are first[i] .. first[i + 1], sorted by state
    std::vector<Edge> edges;
  };
  std::vector<Level> levels;
};

// One part of a conjunction, and its proof. A template, because the proof is a Certificate and has such parts itself.
template <class Proof>
struct ConjunctOf {
  Lts property;
  Proof certificate;
};
struct Induction;

// What rule flavers says of some tasks (doc/rules.md#flavers). Points are the states of all graphs in a row.
struct FlowSide {
  std::vector<std::string> tasks;
  std::vector<Lts> graphs;               // one per task: its flow graph
  std::vector<std::string> constraints;  // "ta:NAME" for the order of a task's nodes, or "NAME" of a component
  std::vector<std::uint64_t> together;   // one row of bits per point: the points that may be reached beside it
};

struct Certificate {
  Method rule = Method::monolithic;
  Split split;
  std::vector<Lts> assumptions;
  std::vector<std::string> properties = {};         // of rule sym-2: whose property is whose, by side
  Diagram diagram = {};                             // of rule symbolic: an inductive invariant
  std::vector<ConjunctOf<Certificate>> parts = {};  // of a conjunction, with the same split
  std::shared_ptr<const Induction> induction = {};  // of rule all-sizes
  std::vector<FlowSide> flow = {};                  // of rule flavers: all tasks, or two sides and an assumption
};

using Conjunct = ConjunctOf<Certificate>;

// A proof for every size (certify/all_sizes.cpp): from the property through the head into the chain.
struct Induction {
  std::string parameter;
  int from = 0;
  int margin = 0;                        // cells at each end that belong to the head
  std::vector<Certificate> small;        // a proof for each size below those of the chain
  std::vector<std::string> order;        // components of the head that are needed
  std::vector<Lts> head;                 // one per component, the last for the head as a whole
  std::vector<std::vector<Lts>> rounds;  // one per cell: one per component of it, renamed back to the first cell
  std::size_t back = 0;                  // after the last round comes this one again
};

}  // namespace surety
