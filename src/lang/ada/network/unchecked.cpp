// Which slots may be opaque is found without the order of nodes: whatever is computed from something opaque is opaque.
#include "lang/ada/network/unchecked.hpp"

#include <algorithm>

namespace surety::ada {
namespace {

using flow::kOpaque;
using Op = flow::Instruction::Op;
using Kind = flow::Node::Kind;

constexpr Value kLeast = flow::kUnset + 1, kMost = INT64_MAX;

struct Interval {
  bool opaque = false;
  Value low = kLeast, high = kMost;
};

Value add(Value a, Value b) {
  Value out = 0;
  if (!__builtin_add_overflow(a, b, &out)) return std::max(out, kLeast);
  return b > 0 ? kMost : kLeast;
}
Value negated(Value a) { return a == kMost ? kLeast : -a; }

class Search {
 public:
  Search(const flow::Program& program, const Environment& environment)
      : program_(program), environment_(environment), opaque_(program.slots.size(), false) {}

  std::vector<std::uint32_t> run() {
    for (std::uint32_t s = 0; s < environment_.values.size(); ++s)
      if (environment_.values[s].contains(kOpaque)) opaque_[s] = true;
    for (std::uint32_t o = 0; o < program_.operations.size(); ++o) about_operation(o);
    do {
      changed_ = false;
      for_graphs([&](const flow::Graph& graph, std::uint32_t i) { spread(graph.nodes[i]); });
    } while (changed_);
    for_graphs([&](const flow::Graph& graph, std::uint32_t i) { look(graph.nodes[i]); });
    return std::move(found_);
  }

 private:
  template <class Visit>
  void for_graphs(const Visit& visit) {
    const auto each = [&](const flow::Graph& graph) {
      for (std::uint32_t i = graph.start; i < graph.nodes.size(); ++i) visit(graph, i);
    };
    for (const flow::Task& t : program_.tasks) each(t.graph);
    for (const flow::Operation& o : program_.operations) {
      each(o.barrier);
      each(o.body);
    }
  }

  void mark(std::uint32_t slot) {
    if (slot >= opaque_.size() || opaque_[slot]) return;
    opaque_[slot] = true;
    changed_ = true;
  }
  template <class Slots>
  void mark(const Slots& slots, const Values& values) {
    for (std::size_t i = 0; i < slots.size() && i < values.size(); ++i)
      if (values[i] == kOpaque) mark(slots[i]);
  }

  // What callers pass.
  void about_operation(std::uint32_t o) {
    for (const Values& values : environment_.asked[o]) mark(program_.operations[o].in, values);
  }

  void spread(const flow::Node& n) {
    if (n.kind == Kind::compute && value_of(n.value).opaque) mark(n.target);
    if (n.kind == Kind::read)
      for (std::uint32_t s = n.first; s < n.first + n.count; ++s)
        if (opaque_[s] || value_of(n.offset).opaque) mark(n.target);
    if (n.kind == Kind::write && value_of(n.value).opaque)
      for (std::uint32_t s = n.first; s < n.first + n.count; ++s) mark(s);
    for (const flow::Alternative& a : n.alternatives) {
      if (a.kind == flow::Alternative::Kind::accept)
        for (const auto& calls : environment_.calls)
          for (const auto& [values, callers] : calls) mark(a.targets, values);
      if (a.kind == flow::Alternative::Kind::operation)
        for (const auto& outcomes : environment_.outcomes)
          for (const auto& [values, all] : outcomes)
            for (const Outcome& outcome : all) mark(a.targets, outcome.results);
    }
    if (n.kind == Kind::await_end)
      for (const auto& ends : environment_.ends)
        for (const Values& values : ends) mark(n.targets, values);
  }

  void look(const flow::Node& n) {
    at_ = n.place;
    for (const flow::Code* code : {&n.value, &n.offset, &n.number}) value_of(*code, true);
    for (const flow::Code& code : n.in) value_of(code, true);
    for (const flow::Alternative& a : n.alternatives) {
      at_ = a.place;
      value_of(a.number, true);
      for (const flow::Code& code : a.in) value_of(code, true);
    }
  }

  void doubt(bool tell) {
    if (tell && std::ranges::find(found_, at_) == found_.end()) found_.push_back(at_);
  }

  static bool is_binary(Op op) {
    return (op >= Op::plus && op <= Op::power) || (op >= Op::and_ && op <= Op::greater_equal);
  }

  Interval value_of(const flow::Code& code, bool tell = false) {
    std::vector<Interval> stack;
    for (const flow::Instruction& i : code) {
      if (i.op == Op::constant) {
        stack.push_back(i.a == kOpaque ? Interval{true, kLeast, kMost} : Interval{false, i.a, i.a});
        continue;
      }
      if (i.op == Op::load) {
        const flow::Slot& slot = program_.slots[static_cast<std::size_t>(i.a)];
        stack.push_back({opaque_[static_cast<std::size_t>(i.a)], slot.low, slot.high});
        continue;
      }
      if (stack.empty()) return {};
      Interval right = stack.back();
      stack.pop_back();
      Interval left;
      if (is_binary(i.op)) {
        if (stack.empty()) return {};
        left = stack.back();
        stack.pop_back();
      }
      stack.push_back(applied(i, left, right, tell));
    }
    return stack.empty() ? Interval{} : stack.back();
  }

  // Of an operation with one operand, that is `b`.
  Interval applied(const flow::Instruction& i, const Interval& a, const Interval& b, bool tell) {
    Interval out{is_binary(i.op) ? a.opaque || b.opaque : b.opaque, kLeast, kMost};
    switch (i.op) {
      case Op::plus: return {out.opaque, add(a.low, b.low), add(a.high, b.high)};
      case Op::minus: return {out.opaque, add(a.low, negated(b.high)), add(a.high, negated(b.low))};
      case Op::negate: return {out.opaque, negated(b.high), negated(b.low)};
      case Op::check:
        if (b.opaque && (b.low < i.a || b.high > i.b)) doubt(tell);
        return {b.opaque, std::max(b.low, i.a), std::min(b.high, i.b)};
      case Op::wrap: return {b.opaque, 0, i.a - 1};
      case Op::divide:
      case Op::mod:
      case Op::rem:
        if (b.opaque && b.low <= 0 && b.high >= 0) doubt(tell);
        if (b.low <= 0) return out;
        if (i.op == Op::divide) return {out.opaque, std::min<Value>(a.low, 0), std::max<Value>(a.high, 0)};
        return {out.opaque, i.op == Op::mod || a.low >= 0 ? 0 : negated(b.high), b.high - 1};
      case Op::power:
        if (b.opaque && b.low < 0) doubt(tell);
        return out;
      default: break;
    }
    if (i.op == Op::not_ || i.op == Op::inside || (i.op >= Op::equal && i.op <= Op::greater_equal)) {
      out.low = 0;
      out.high = 1;
    }
    return out;
  }

  const flow::Program& program_;
  const Environment& environment_;
  std::vector<bool> opaque_;
  std::vector<std::uint32_t> found_;
  std::uint32_t at_ = 0;
  bool changed_ = false;
};

}  // namespace

std::vector<std::uint32_t> unchecked_places(const flow::Program& program, const Environment& environment) {
  return Search(program, environment).run();
}

}  // namespace surety::ada
