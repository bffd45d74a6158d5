#include "lang/promela/net_flow.hpp"

#include <algorithm>

namespace surety::promela::net {
namespace {

using SK = Statement::Kind;
using Op = Expression::Op;

class FlowBuilder {
 public:
  explicit FlowBuilder(const Process& process) : process_(process) {}

  Flow run() {
    flow_.end = node();
    flow_.nodes[flow_.end].end = true;
    label_nodes(process_.body);
    const auto first = std::find_if_not(process_.body.begin(), process_.body.end(),
                                        [&](const Statement& s) { return does_nothing(s); });
    flow_.start = first != process_.body.end() && begins_at_label(*first) ? labelled(*first) : node();
    sequence(process_.body, flow_.start, flow_.end);
    for (Node& n : flow_.nodes)
      for (Edge& e : n.edges) e.keep = e.region != 0 && flow_.nodes[e.target].region == e.region;
    return std::move(flow_);
  }

 private:
  struct Loop {
    std::uint32_t exit = 0;
  };

  std::uint32_t node() {
    flow_.nodes.emplace_back();
    flow_.nodes.back().region = region_;
    flow_.nodes.back().d_step = d_step_;
    return static_cast<std::uint32_t>(flow_.nodes.size() - 1);
  }

  void refuse(std::string construct, Place place) {
    if (!flow_.refusal) flow_.refusal = Refusal{std::move(construct), place};
  }

  // A node for every labelled statement, before anything jumps there.
  void label_nodes(const Sequence& body, bool opens_block = false) {
    for (const Statement& s : body) {
      if (!s.labels.empty()) {
        const std::uint32_t n = node();
        for (const Label& label : s.labels) {
          labels_[label.name] = n;
          if (is_single(s) && !opens_block) flow_.labels[label.name] = n;
          if (label.name.starts_with("end")) flow_.nodes[n].end = true;
        }
      }
      opens_block = opens_block && does_nothing(s);
      for (const Sequence& branch : s.branches) label_nodes(branch);
      label_nodes(s.body, true);
    }
  }

  static bool is_single(const Statement& s) {
    switch (s.kind) {
      case SK::assignment:
      case SK::increment:
      case SK::decrement:
      case SK::condition:
      case SK::send:
      case SK::receive:
      case SK::assertion:
      case SK::print: return true;
      default: return false;
    }
  }

  bool does_nothing(const Statement& s) const {
    if (s.kind == SK::exclusive) return true;
    if (s.kind != SK::declaration) return false;
    return !s.executed || std::all_of(s.variables.begin(), s.variables.end(),
                                      [&](std::uint32_t v) { return process_.variables[v].initial.empty(); });
  }

  // A statement whose target can be entered at once by the statement before it.
  std::optional<std::uint32_t> jump_target(const Statement& s) {
    if (!s.labels.empty()) return std::nullopt;
    if (s.kind == SK::go_to) {
      const auto found = labels_.find(s.name);
      if (found != labels_.end()) return found->second;
    }
    if (s.kind == SK::break_out && !loops_.empty()) return loops_.back().exit;
    return std::nullopt;
  }

  void sequence(const Sequence& body, std::uint32_t at, std::uint32_t next) {
    std::vector<const Statement*> steps;
    for (const Statement& s : body)
      if (!does_nothing(s)) steps.push_back(&s);
    if (steps.empty()) return jump(at, next);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      std::uint32_t then = next;
      if (i + 1 < steps.size()) {
        const Statement& following = *steps[i + 1];
        if (const auto target = jump_target(following))
          then = *target;
        else
          then = begins_at_label(following) ? labelled(following) : node();
      }
      // What follows a jump without a label of its own is never reached, but harmless.
      if (i > 0 && jump_target(*steps[i])) {
        at = then;
        continue;
      }
      statement(*steps[i], at, then);
      at = then;
    }
  }

  static bool is_counted(const Statement& s) {
    return s.kind == SK::for_range || s.kind == SK::for_in || s.kind == SK::select;
  }

  // As in SPIN, the label of a `for` or `select` stands on its loop, after the first assignment.
  static bool begins_at_label(const Statement& s) { return !s.labels.empty() && !is_counted(s); }

  std::uint32_t labelled(const Statement& s) {
    const std::uint32_t n = labels_[s.labels.front().name];
    flow_.nodes[n].region = region_;
    flow_.nodes[n].d_step = d_step_;
    return n;
  }

  void jump(std::uint32_t at, std::uint32_t to) { edge(at, nullptr, to); }

  void edge(std::uint32_t at, const Statement* s, std::uint32_t to) {
    flow_.nodes[at].edges.push_back({s, to, region_, d_step_ ? region_ : 0, false});
  }

  // What can be done at `from` can be done at `at` as well.
  void copy(std::uint32_t at, std::uint32_t from) {
    if (at == from) return;
    const auto edges = flow_.nodes[from].edges;
    for (const Edge& e : edges)
      if (choice_at_ == at && e.statement != nullptr && e.statement->kind == SK::else_branch)
        refuse("an else in a choice that is the first statement of another", e.statement->place);
    flow_.nodes[at].edges.insert(flow_.nodes[at].edges.end(), edges.begin(), edges.end());
    flow_.nodes[at].end |= flow_.nodes[from].end;
  }

  void statement(const Statement& s, std::uint32_t at, std::uint32_t next) {
    if (begins_at_label(s)) {
      const std::uint32_t own = labelled(s);
      if (own != at) {
        unlabelled(s, own, next);
        return copy(at, own);
      }
    }
    unlabelled(s, at, next);
  }

  void unlabelled(const Statement& s, std::uint32_t at, std::uint32_t next) {
    switch (s.kind) {
      case SK::selection: return options(s, at, next);
      case SK::repetition: return repetition(s, at, next);
      case SK::block: return sequence(s.body, at, next);
      case SK::atomic: return region(s, at, next, false);
      case SK::d_step: return region(s, at, next, true);
      case SK::go_to: {
        const auto found = labels_.find(s.name);
        return jump(at, found == labels_.end() ? at : found->second);
      }
      case SK::break_out: return jump(at, loops_.empty() ? next : loops_.back().exit);
      case SK::for_range:
      case SK::for_in:
      case SK::select: return counted(s, at, next);
      case SK::unless: return refuse("unless", s.place);
      case SK::else_branch:
        if (depth_ > 1) refuse("an else in a choice that is the first statement of another", s.place);
        return edge(at, &s, next);
      default: return edge(at, &s, next);
    }
  }

  void options(const Statement& s, std::uint32_t at, std::uint32_t next) {
    for (const Sequence& branch : s.branches) option(branch, at, next);
  }

  // depth_ counts choices whose options all begin at the same node.
  void option(const Sequence& branch, std::uint32_t at, std::uint32_t next) {
    const int before = depth_;
    depth_ = choice_at_ == at ? depth_ + 1 : 1;
    const std::uint32_t outer = choice_at_;
    choice_at_ = at;
    sequence(branch, at, next);
    choice_at_ = outer;
    depth_ = before;
  }

  void repetition(const Statement& s, std::uint32_t at, std::uint32_t next) {
    const Node& n = flow_.nodes[at];
    const bool own_node = !n.edges.empty() || n.region != region_ || choice_at_ == at;
    const std::uint32_t head = own_node ? node() : at;
    loops_.push_back({next});
    options(s, head, head);
    loops_.pop_back();
    copy(at, head);
  }

  void region(const Statement& s, std::uint32_t at, std::uint32_t next, bool d_step) {
    if (region_ != 0) return nested_region(s, at, next, d_step);
    region_ = ++regions_;
    d_step_ = d_step;
    sequence(s.body, at, next);
    region_ = 0;
    d_step_ = false;
  }

  // Inside an atomic block, another one changes nothing. A d_step does: inside, choices are no longer free.
  void nested_region(const Statement& s, std::uint32_t at, std::uint32_t next, bool d_step) {
    if (d_step && !d_step_) return refuse("a d_step inside an atomic block", s.place);
    sequence(s.body, at, next);
  }

  // for (i : a .. b) { ... }  is  i = a; do :: i <= b -> ...; i++ :: else -> break od
  // select (i : a .. b)       is  i = a; do :: i < b -> i++ :: break od
  void counted(const Statement& s, std::uint32_t at, std::uint32_t next) {
    if (s.kind == SK::for_in) return refuse("for (... in ...)", s.place);
    const std::uint32_t head = s.labels.empty() ? node() : labelled(s);
    edge(at, implied(SK::assignment, s, s.value), head);
    const Op compare = s.kind == SK::select ? Op::less : Op::less_equal;
    const Statement* more = implied(SK::condition, s, comparison(s, compare));
    const std::uint32_t back = node();
    if (s.kind == SK::select) {
      edge(head, more, back);
      jump(head, next);
    } else {
      const std::uint32_t body = node();
      edge(head, more, body);
      loops_.push_back({next});
      sequence(s.body, body, back);
      loops_.pop_back();
      Statement otherwise;
      otherwise.kind = SK::else_branch;
      otherwise.place = s.place;
      edge(head, own(std::move(otherwise)), next);
    }
    edge(back, implied(SK::increment, s, {}), head);
  }

  const Statement* implied(SK kind, const Statement& s, Expression value) {
    Statement made;
    made.kind = kind;
    made.place = s.place;
    made.target = s.target;
    made.value = std::move(value);
    return own(std::move(made));
  }

  const Statement* own(Statement s) {
    flow_.statements.push_back(std::make_unique<Statement>(std::move(s)));
    return flow_.statements.back().get();
  }

  static Expression comparison(const Statement& s, Op op) {
    Expression left;
    left.op = Op::variable;
    left.reference = s.target;
    left.place = s.place;
    Expression out;
    out.op = op;
    out.place = s.place;
    out.operands = {std::move(left), s.upper};
    return out;
  }

  const Process& process_;
  Flow flow_;
  std::map<std::string, std::uint32_t> labels_;
  std::vector<Loop> loops_;
  std::uint32_t region_ = 0;
  std::uint32_t regions_ = 0;
  bool d_step_ = false;
  int depth_ = 0;
  std::uint32_t choice_at_ = UINT32_MAX;
};

}  // namespace

Flow flow_of(const Process& process) { return FlowBuilder(process).run(); }

}  // namespace surety::promela::net
