#include "lang/ada/network/own_apart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "lang/ada/flow/execute.hpp"
#include "lang/ada/flow/label.hpp"
#include "lang/ada/network/explore.hpp"

namespace surety::ada {
namespace {

using flow::Alternative;
using flow::Code;
using flow::kNone;
using flow::kOpaque;
using flow::Node;
using Kind = Node::Kind;
using Op = flow::Instruction::Op;

constexpr std::uint64_t kLongStart = 10'000;  // steps of a task before its first visible one

// ---- what nodes use

using Visit = std::function<void(std::uint32_t)>;

void for_loads(const Code& code, const Visit& visit) {
  for (const auto& i : code)
    if (i.op == Op::load) visit(static_cast<std::uint32_t>(i.a));
}

// Slots whose values the node needs.
void for_reads(const Node& n, const Visit& visit) {
  for (const Code* code : {&n.offset, &n.value, &n.number}) for_loads(*code, visit);
  for (const Code& code : n.in) for_loads(code, visit);
  for (const Alternative& a : n.alternatives) {
    if (a.guard != kNone) visit(a.guard);
    for_loads(a.number, visit);
    for (const Code& code : a.in) for_loads(code, visit);
  }
  if (n.kind == Kind::read)
    for (std::uint32_t s = n.first; s < n.first + n.count; ++s) visit(s);
}

bool has_result(const Node& n) {
  return n.kind == Kind::compute || n.kind == Kind::read || n.kind == Kind::choose || n.kind == Kind::count ||
         n.kind == Kind::status;
}

// Slots that get values.
void for_writes(const Node& n, const Visit& visit) {
  if (has_result(n) && n.target != kNone) visit(n.target);
  for (const std::uint32_t target : n.targets) visit(target);
  for (const Alternative& a : n.alternatives)
    for (const std::uint32_t target : a.targets) visit(target);
  if (n.kind == Kind::write)
    for (std::uint32_t s = n.first; s < n.first + n.count; ++s) visit(s);
}

// Where control can go after it.
void for_next(const flow::Graph& graph, std::uint32_t node, const Visit& visit) {
  const Node& n = graph.nodes[node];
  for (const Alternative& a : n.alternatives) visit(a.next);
  if (n.kind != Kind::wait && n.kind != Kind::raise && n.kind != Kind::complete && n.kind != Kind::abandoned)
    visit(n.next);
  if (n.kind == Kind::branch) visit(n.other);
  for (std::uint32_t h = n.handler; h != kNone; h = graph.handlers[h].outer) visit(graph.handlers[h].node);
}

std::vector<bool> reachable(const flow::Graph& graph, std::uint32_t from) {
  std::vector<bool> out(graph.nodes.size(), false);
  std::vector<std::uint32_t> todo;
  const auto add = [&](std::uint32_t node) {
    if (node >= out.size() || out[node]) return;
    out[node] = true;
    todo.push_back(node);
  };
  add(from);
  if (graph.died != kNone) add(graph.died);
  while (!todo.empty()) {
    const std::uint32_t node = todo.back();
    todo.pop_back();
    for_next(graph, node, add);
  }
  return out;
}

// ---- one task

// Its graph, with steps for the uses of variables. The nodes keep their order.
class Rewriter {
 public:
  Rewriter(flow::Program& program, std::uint32_t task) : program_(program), task_(task) {}

  // It begins at node `from`.
  void run(std::uint32_t from) {
    old_ = std::move(program_.tasks[task_].graph);
    where_.resize(old_.nodes.size() + 1, 0);
    flow::Graph& out = program_.tasks[task_].graph;
    out = {};
    std::uint32_t start = 0;
    for (std::uint32_t i = 0; i < old_.nodes.size(); ++i) {
      if (i == old_.start) {
        start = here();
        Node begin;
        begin.next = from;
        begin.place = old_.nodes[from].place;
        nodes_.push_back(std::move(begin));
      }
      where_[i] = here();
      if (i < old_.start)
        nodes_.push_back(old_.nodes[i]);
      else
        rewrite(old_.nodes[i]);
    }
    where_.back() = here();
    for (Node& n : nodes_) settle(n);
    out.handlers = old_.handlers;
    for (flow::Handler& h : out.handlers) settle(h.node);
    out.start = start;
    out.body = where_[std::min<std::size_t>(old_.body, old_.nodes.size())];
    out.died = old_.died;
    if (out.died != kNone) settle(out.died);
    out.nodes = std::move(nodes_);
  }

 private:
  static constexpr std::uint32_t kNew = 1U << 31;  // a number of the new graph, not of the old one
  using Results = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // variables, and where their values are

  std::uint32_t here() const { return static_cast<std::uint32_t>(nodes_.size()); }
  void settle(std::uint32_t& node) const {
    node = (node & kNew) != 0 ? node & ~kNew : where_[std::min<std::size_t>(node, old_.nodes.size())];
  }
  void settle(Node& n) const {
    settle(n.next);
    settle(n.other);
    for (Alternative& a : n.alternatives) settle(a.next);
  }

  bool is_apart(std::uint32_t slot) const { return slot != kNone && program_.slots[slot].apart; }

  std::uint32_t temporary(const flow::Slot& like) {
    flow::Slot slot;
    slot.display = like.display;
    slot.low = like.low;
    slot.high = like.high;
    slot.task = task_;
    slot.temporary = true;
    slot.place = like.place;
    program_.slots.push_back(std::move(slot));
    return static_cast<std::uint32_t>(program_.slots.size() - 1);
  }

  Node& add(Kind kind, std::uint32_t handler, std::uint32_t place) {
    Node n;
    n.kind = kind;
    n.next = kNew | (here() + 1);
    n.handler = handler;
    n.place = place;
    nodes_.push_back(std::move(n));
    return nodes_.back();
  }

  // The slot where its value is for this node: read before, once.
  std::uint32_t value_of(std::uint32_t slot, const Node& with) {
    if (!is_apart(slot)) return slot;
    const auto [at, fresh] = read_.try_emplace(slot, 0);
    if (!fresh) return at->second;
    const std::uint32_t target = at->second = temporary(program_.slots[slot]);
    Node& n = add(Kind::read, with.handler, with.place);
    n.first = slot;
    n.target = target;
    return target;
  }
  void load(Code& code, const Node& with) {
    for (auto& i : code)
      if (i.op == Op::load) i.a = value_of(static_cast<std::uint32_t>(i.a), with);
  }

  // The index is found before the value, and if it is not modelled, it is chosen here.
  void find_offset(Node& n) {
    load(n.offset, n);
    if (n.kind != Kind::write || n.offset.empty()) return;
    bool apart = false;
    for (std::uint32_t s = n.first; s < n.first + n.count; ++s) apart = apart || is_apart(s);
    if (!apart) return;
    const std::uint32_t offset = temporary({});
    Node& compute = add(Kind::compute, n.handler, n.place);
    compute.target = offset;
    compute.value = std::move(n.offset);
    n.offset = {{Op::load, offset, 0}};
  }

  void rewrite(Node n) {
    read_.clear();
    find_offset(n);
    load(n.value, n);
    load(n.number, n);
    for (Code& code : n.in) load(code, n);
    for (Alternative& a : n.alternatives) {
      a.guard = value_of(a.guard, n);
      load(a.number, n);
      for (Code& code : a.in) load(code, n);
    }
    if (n.kind == Kind::compute && is_apart(n.target)) {
      n.kind = Kind::write;
      n.first = n.target;
      n.count = 1;
      n.target = kNone;
    }
    Results results;
    if (has_result(n)) n.target = result(n.target, results);
    for (std::uint32_t& target : n.targets) target = result(target, results);
    const std::uint32_t at = here();
    nodes_.emplace_back();  // that is where it will be
    n.next = write(results, n.next, n.handler, n.place);
    for (Alternative& a : n.alternatives) {
      results.clear();
      for (std::uint32_t& target : a.targets) target = result(target, results);
      a.next = write(results, a.next, n.handler, a.place);
    }
    nodes_[at] = std::move(n);
  }

  // Where a value goes first, if it is for a variable that is apart.
  std::uint32_t result(std::uint32_t target, Results& results) {
    if (!is_apart(target)) return target;
    results.emplace_back(target, temporary(program_.slots[target]));
    return results.back().second;
  }

  // Values go from where they are to the variables, in this order; then control goes on to `next`. Where that begins.
  std::uint32_t write(const Results& results, std::uint32_t next, std::uint32_t handler, std::uint32_t place) {
    if (results.empty()) return next;
    const std::uint32_t first = kNew | here();
    for (const auto& [slot, from] : results) {
      Node& n = add(Kind::write, handler, place);
      n.first = slot;
      n.value = {{Op::load, from, 0}};
    }
    nodes_.back().next = next;
    return first;
  }

  flow::Program& program_;
  const std::uint32_t task_;
  flow::Graph old_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> where_;  // by old node: the first one that stands for it
  std::map<std::uint32_t, std::uint32_t> read_;
};

// ---- which variables

class Apart {
 public:
  Apart(const flow::Program& program, const std::vector<bool>& tasks)
      : out_(program), tasks_(tasks), use_(first_environment(program).use) {}

  flow::Program run() {
    find_names();
    std::map<std::uint32_t, std::uint32_t> start;  // by task
    for (std::uint32_t t = 0; t < out_.tasks.size(); ++t)
      if (tasks_[t] && out_.tasks[t].master == 0 && !out_.tasks[t].graph.nodes.empty()) start[t] = begin(t);
    for (const auto& [t, from] : start) choose(t, from);
    for (const auto& [t, from] : start) Rewriter(out_, t).run(from);
    return std::move(out_);
  }

 private:
  bool is_own(std::uint32_t slot, std::uint32_t task) const {
    return out_.slots[slot].task == task || (use_[slot].task == task && !use_[slot].several && use_[slot].written);
  }

  // Does what the task does first; the node where something happens.
  std::uint32_t begin(std::uint32_t t) {
    std::vector<Value> memory;
    for (const flow::Slot& slot : out_.slots) memory.push_back(slot.initial);
    const flow::Graph& graph = out_.tasks[t].graph;
    const Stop stop =
        ada::run(graph, graph.start, memory, kLongStart, [&](std::uint32_t s) { return use_[s].shared(); });
    if (stop.kind == Stop::Kind::raised) return graph.start;
    for (std::uint32_t s = 0; s < out_.slots.size(); ++s)
      if (is_own(s, t)) out_.slots[s].initial = memory[s];
    return stop.node;
  }

  void choose(std::uint32_t t, std::uint32_t from) {
    const flow::Graph& graph = out_.tasks[t].graph;
    const auto reached = reachable(graph, from);
    std::set<std::uint32_t> read, written, kept;
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
      if (!reached[i]) continue;
      const Node& n = graph.nodes[i];
      for_reads(n, [&](std::uint32_t s) { read.insert(s); });
      for_writes(n, [&](std::uint32_t s) { written.insert(s); });
      if (n.kind == Kind::raise || n.kind == Kind::accept_end) kept.insert(n.target);
    }
    for (const flow::Handler& h : graph.handlers) kept.insert(h.occurrence);
    for (std::uint32_t s = 0; s < out_.slots.size(); ++s)
      if (is_own(s, t) && may_be_apart(out_.slots[s]) && read.contains(s) && written.contains(s) && !kept.contains(s))
        put_apart(out_.slots[s], t);
  }

  static bool may_be_apart(const flow::Slot& slot) {
    return !slot.name.empty() && !slot.temporary && slot.object == kNone && is_free(slot) && slot.initial != kOpaque;
  }

  void put_apart(flow::Slot& slot, std::uint32_t t) {
    const flow::Task& task = out_.tasks[t];
    if (slot.task != kNone && !action_label(slot.name).starts_with(task.label + "."))
      slot.name = fmt::format("{}.{}", task.name, slot.name);
    if (slot.task != kNone) {
      const std::string whole = slot.name;
      for (int i = 2; !names_.insert(action_label(slot.name)).second; ++i) slot.name = fmt::format("{}.{}", whole, i);
    }
    slot.apart = true;
    slot.task = t;
  }

  // Of components.
  void find_names() {
    const auto add = [&](const std::string& name) { names_.insert(action_label(name)); };
    for (const flow::Task& t : out_.tasks) add(t.name);
    for (const flow::Object& o : out_.objects) add(o.name);
    for (const flow::Slot& s : out_.slots)
      if (s.task == kNone && s.object == kNone && !s.temporary) add(s.name);
  }

  flow::Program out_;
  const std::vector<bool>& tasks_;
  const std::vector<SlotUse> use_;
  std::set<std::string> names_;
};

}  // namespace

flow::Program own_variables_apart(const flow::Program& program, const std::vector<bool>& tasks) {
  return Apart(program, tasks).run();
}

namespace {

// The first task, other than these, that has more than so many states.
std::uint32_t large_task(const flow::Program& program, const std::vector<bool>& but, std::uint32_t states,
                         Budget& budget) {
  constexpr std::uint64_t kMostWork = 3'000'000;  // edges in all
  Environment environment = first_environment(program);
  std::vector<TaskGraph> graphs(program.tasks.size());
  std::vector<ObjectGraph> objects(program.objects.size());
  std::uint64_t before = UINT64_MAX, work = 0;
  while (before != environment.changes) {
    before = environment.changes;
    for (std::uint32_t t = 0; t < graphs.size(); ++t) {
      environment.most_states = but[t] ? UINT32_MAX : states;
      const auto refusal = explore_task(program, t, environment, budget, graphs[t]);
      if (!but[t] && (graphs[t].states.size() > states || (refusal && !refusal->slots.empty()))) return t;
      if (refusal || (work += graphs[t].edges.size()) > kMostWork) return kNone;
    }
    for (std::uint32_t o = 0; o < objects.size(); ++o)
      if (explore_object(program, o, graphs, environment, budget, objects[o])) return kNone;
    if (!budget.go_on()) return kNone;
  }
  return kNone;
}

}  // namespace

std::vector<bool> large_tasks(const flow::Program& program, std::uint32_t states, Budget& budget) {
  std::vector<bool> out(program.tasks.size(), false);
  while (true) {
    const std::uint32_t t = large_task(own_variables_apart(program, out), out, states, budget);
    if (t == kNone) return out;
    out[t] = true;
  }
}

}  // namespace surety::ada
