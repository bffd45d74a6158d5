// The meaning of the code of flow graphs, and of nodes that no other task can notice.
#pragma once

#include <span>

#include "model/flow_graph.hpp"

namespace surety::ada {

using flow::Value;

struct Result {
  enum class Kind : std::uint8_t { value, unset, raised };
  Kind kind = Kind::value;
  Value value = 0;
  std::uint32_t slot = 0;       // unset: the slot that has no value
  std::uint32_t exception = 0;  // raised
  bool ok() const { return kind == Kind::value; }
};

Result evaluate(const flow::Code& code, std::span<const Value> memory);

// One operation on values that are neither opaque nor unset.
Result apply(flow::Instruction instruction, Value a, Value b);
bool is_binary(flow::Instruction::Op op);

// The node where an exception is handled; kNone: nowhere. Stores the exception where "raise;" finds it.
std::uint32_t handled_at(const flow::Graph& graph, std::uint32_t handler, std::uint32_t exception,
                         std::span<Value> memory);

// Follows nodes as long as there is one way to go and nothing that another task could notice: `is_visible` says of read
// and write nodes whether their slot is shared.
struct Stop {
  enum class Kind : std::uint8_t {
    visible,   // before this node: it waits, tells of an event, accesses what is shared, or is the end
    choice,    // before this node: a free choice, or a slot without a value
    raised,    // by this node, and no handler
    long_run,  // before this node: very many steps have been made
  };
  Kind kind = Kind::visible;
  std::uint32_t node = 0;
  std::uint32_t exception = 0;       // raised
  std::uint32_t slot = flow::kNone;  // choice: the slot without a value, if it is that
};

template <class IsShared>
Stop run(const flow::Graph& graph, std::uint32_t node, std::span<Value> memory, std::uint64_t most, IsShared is_shared);

// Where a read or write goes to.
Result address(const flow::Node& node, std::span<const Value> memory);

// ---- implementation

namespace detail {
// One step of a node that does not communicate. False: it stops before it (or raised).
bool step(const flow::Graph& graph, std::uint32_t& node, std::span<Value> memory, Stop& stop);
}  // namespace detail

template <class IsShared>
Stop run(const flow::Graph& graph, std::uint32_t node, std::span<Value> memory, std::uint64_t most,
         IsShared is_shared) {
  using Kind = flow::Node::Kind;
  Stop stop;
  for (std::uint64_t steps = 0; steps < most; ++steps) {
    const flow::Node& n = graph.nodes[node];
    if (n.kind == Kind::read || n.kind == Kind::write)
      if (const Result at = address(n, memory); at.ok() && is_shared(static_cast<std::uint32_t>(at.value)))
        return {Stop::Kind::visible, node, 0, flow::kNone};
    if (!detail::step(graph, node, memory, stop)) return stop;
  }
  return {Stop::Kind::long_run, node, 0, flow::kNone};
}

}  // namespace surety::ada
