#include "lang/ada/network/liveness.hpp"

#include <algorithm>
#include <map>

namespace surety::ada {
namespace {

using flow::kNone;
using flow::Node;
using Kind = Node::Kind;

class Liveness {
 public:
  Liveness(const flow::Graph& graph, const std::function<bool(std::uint32_t)>& is_own)
      : graph_(graph), is_own_(is_own) {
    const std::size_t n = graph.nodes.size();
    reads_.resize(n);
    writes_.resize(n);
    before_.resize(n);
    for (std::size_t i = 0; i < n; ++i) describe(i);
    words_ = (slots_.size() + 63) / 64;
    live_.assign(n * words_, 0);
    read_bits_.assign(n * words_, 0);
    for (std::size_t i = 0; i < n; ++i)
      for (const std::uint32_t s : reads_[i]) read_bits_[i * words_ + s / 64] |= 1ULL << (s % 64);
  }

  std::vector<std::vector<std::uint32_t>> run() {
    std::vector<std::uint32_t> todo;
    std::vector<bool> waits(graph_.nodes.size(), true);
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      todo.push_back(i);
      for (const std::uint32_t next : after(i)) before_[next].push_back(i);
      for (const std::uint32_t next : after_exception(i)) before_[next].push_back(i);
    }
    while (!todo.empty()) {
      const std::uint32_t i = todo.back();
      todo.pop_back();
      waits[i] = false;
      if (!update(i)) continue;
      for (const std::uint32_t b : before_[i])
        if (!waits[b]) {
          waits[b] = true;
          todo.push_back(b);
        }
    }
    std::vector<std::vector<std::uint32_t>> out(graph_.nodes.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (std::uint32_t s = 0; s < slots_.size(); ++s)
        if ((live_[i * words_ + s / 64] >> (s % 64) & 1) != 0) out[i].push_back(slots_[s]);
      std::ranges::sort(out[i]);
    }
    return out;
  }

 private:
  void read(std::size_t node, std::uint32_t slot) {
    if (slot != kNone && is_own_(slot)) reads_[node].push_back(number(slot));
  }
  void write(std::size_t node, std::uint32_t slot) {
    if (slot != kNone && is_own_(slot)) writes_[node].push_back(number(slot));
  }
  void code(std::size_t node, const flow::Code& code) {
    for (const auto& i : code)
      if (i.op == flow::Instruction::Op::load) read(node, static_cast<std::uint32_t>(i.a));
  }
  std::uint32_t number(std::uint32_t slot) {
    const auto [at, fresh] = numbers_.try_emplace(slot, static_cast<std::uint32_t>(slots_.size()));
    if (fresh) slots_.push_back(slot);
    return at->second;
  }

  // What is written on some ways only (alternatives of a wait) does not count as written.
  void describe(std::size_t i) {
    const Node& n = graph_.nodes[i];
    code(i, n.value);
    code(i, n.offset);
    code(i, n.number);
    for (const auto& c : n.in) code(i, c);
    for (const auto& a : n.alternatives) {
      read(i, a.guard);
      code(i, a.number);
      for (const auto& c : a.in) code(i, c);
    }
    switch (n.kind) {
      case Kind::compute:
      case Kind::count:
      case Kind::status:
      case Kind::choose: write(i, n.target); break;
      case Kind::read:
        for (std::uint32_t s = 0; s < n.count; ++s) read(i, n.first + s);
        write(i, n.target);
        break;
      case Kind::write:
        if (n.offset.empty()) write(i, n.first);
        break;
      case Kind::raise:
        if (n.first == kNone) read(i, n.target);
        break;
      case Kind::accept_end: read(i, n.target); break;
      case Kind::await_end:
        for (const std::uint32_t t : n.targets) write(i, t);
        break;
      default: break;
    }
  }

  std::vector<std::uint32_t> after(std::uint32_t i) const {
    const Node& n = graph_.nodes[i];
    std::vector<std::uint32_t> out;
    const auto add = [&](std::uint32_t next) {
      if (next < graph_.nodes.size()) out.push_back(next);
    };
    if (n.kind == Kind::complete || n.kind == Kind::abandoned) return out;
    if (n.kind == Kind::wait)
      for (const auto& a : n.alternatives) add(a.next);
    else if (n.kind != Kind::raise)
      add(n.next);
    if (n.kind == Kind::branch) add(n.other);
    return out;
  }
  std::vector<std::uint32_t> after_exception(std::uint32_t i) const {
    std::vector<std::uint32_t> out;
    const Node& n = graph_.nodes[i];
    if (n.kind == Kind::complete || n.kind == Kind::abandoned) return out;
    for (std::uint32_t h = n.handler; h != kNone; h = graph_.handlers[h].outer)
      if (graph_.handlers[h].node < graph_.nodes.size()) out.push_back(graph_.handlers[h].node);
    return out;
  }

  // True: something is new. What raises an exception has written nothing.
  bool update(std::uint32_t i) {
    std::vector<std::uint64_t> bits(words_, 0);
    const auto add = [&](const std::vector<std::uint32_t>& nodes) {
      for (const std::uint32_t next : nodes)
        for (std::size_t w = 0; w < words_; ++w) bits[w] |= live_[next * words_ + w];
    };
    add(after(i));
    for (const std::uint32_t s : writes_[i]) bits[s / 64] &= ~(1ULL << (s % 64));
    add(after_exception(i));
    bool changed = false;
    for (std::size_t w = 0; w < words_; ++w) {
      bits[w] |= read_bits_[i * words_ + w];
      changed = changed || bits[w] != live_[i * words_ + w];
      live_[i * words_ + w] = bits[w];
    }
    return changed;
  }

  const flow::Graph& graph_;
  const std::function<bool(std::uint32_t)>& is_own_;
  std::map<std::uint32_t, std::uint32_t> numbers_;
  std::vector<std::uint32_t> slots_;  // by number
  std::vector<std::vector<std::uint32_t>> reads_, writes_, before_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> live_, read_bits_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> live_slots(const flow::Graph& graph,
                                                   const std::function<bool(std::uint32_t)>& is_own) {
  return Liveness(graph, is_own).run();
}

}  // namespace surety::ada
