// The control flow of one process: nodes between statements, one edge a way to go on.
//
// Loops, choices, jumps, `for` and `select` are gone; what is left on the edges are the
// statements that do something. As in SPIN, a jump is a step of its own only where it
// is an option's first statement, and the options of a choice that stands first in
// another one are options of that one.
//
// atomic: an edge keeps control if it belongs to an atomic block and its target lies
// inside the same one. The node where a block begins lies outside, so that a jump
// back to it gives control away; that is what the tables of pan say (pan -d).
// d_step: the same, and of the edges with the same `group` the first that can be taken
// is the only one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lang/promela/tree.hpp"

namespace surety::promela::net {

// What this translation cannot express, and where.
struct Refusal {
  std::string construct;
  Place place;
};

struct Edge {
  const Statement* statement = nullptr;  // null: a jump
  std::uint32_t target = 0;
  std::uint32_t region = 0;  // the atomic block or d_step it belongs to; 0: none
  std::uint32_t group = 0;   // the d_step whose edges exclude each other; 0: none
  bool keep = false;         // the process goes on without interruption
};

struct Node {
  std::vector<Edge> edges;
  std::uint32_t region = 0;  // that it lies inside of
  bool d_step = false;       // that block is a d_step
  bool end = false;          // a valid end state: the end of the body, or a label end...
};

struct Flow {
  std::vector<Node> nodes;
  std::uint32_t start = 0;
  std::uint32_t end = 0;                               // of the body
  std::map<std::string, std::uint32_t> labels;         // of a single statement that does not open a block: its node
  std::vector<std::unique_ptr<Statement>> statements;  // those that the text only implies: of `for` and `select`
  std::optional<Refusal> refusal;                      // then the rest means nothing
};

Flow flow_of(const Process& process);

}  // namespace surety::promela::net
