#include "lang/ada/network/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lang/ada/flow/parallel.hpp"

namespace surety::ada {
namespace {

using flow::Alternative;
using Kind = Transition::Kind;

bool waits_with(const flow::Node& node, Alternative::Kind kind) {
  const auto is = [](Alternative::Kind k) { return [k](const Alternative& a) { return a.kind == k; }; };
  return node.kind == flow::Node::Kind::wait && std::ranges::any_of(node.alternatives, is(kind)) &&
         std::ranges::any_of(node.alternatives, is(Alternative::Kind::otherwise));
}

struct Use {
  std::uint32_t slot = 0;
  TaskStep step;
  bool write = false;
};

class Warner {
 public:
  Warner(const AdaProgram& program, const std::vector<TaskGraph>& graphs)
      : ada_(program), program_(program.flow), graphs_(graphs), parallel_(program.flow) {}

  Diagnostics run() {
    find_uses();
    about_variables();
    about_objects();
    about_conditional_calls();
    about_operands();
    return std::move(out_);
  }

 private:
  void warn(std::uint32_t place, std::string message, std::string hint = {}) {
    const auto& p = program_.places[place];
    auto warning = ada_.source->error({p.offset, p.length}, std::move(message), std::move(hint));
    warning.severity = Severity::warning;
    out_.push_back(std::move(warning));
  }

  // The variable that a slot is a part of: what is declared at its place.
  std::string variable(std::uint32_t slot) const {
    const flow::Slot& s = program_.slots[slot];
    const std::string& text = ada_.source->text;
    const std::size_t begin = program_.places[s.place].offset;
    if (begin >= text.size()) return s.name;
    const std::size_t end = std::min(text.find_first_of(" \t\r\n,:;()", begin), text.size());
    const std::string declared = text.substr(begin, end - begin);
    const auto at = declared.empty() ? std::string::npos : s.name.find(declared);
    if (at == std::string::npos) return s.name.substr(0, s.name.find('.'));  // a later one of several names
    return s.name.substr(0, at + declared.size());
  }
  std::size_t offset(std::uint32_t place) const { return program_.places[place].offset; }
  std::uint32_t line(std::uint32_t place) const {
    const auto& p = program_.places[place];
    return ada_.source->line_number({p.offset, p.length});
  }

  void find_uses() {
    for (std::uint32_t t = 0; t < graphs_.size(); ++t) {
      std::set<std::tuple<std::uint32_t, std::uint32_t, bool>> seen;
      for (const TaskGraph::Edge& e : graphs_[t].edges) {
        const Transition& x = graphs_[t].transitions[e.transition];
        if (x.kind != Kind::is && x.kind != Kind::to) continue;
        const std::uint32_t node = graphs_[t].states[e.from].node;
        if (seen.insert({x.object, node, x.kind == Kind::to}).second)
          uses_[x.object].push_back({x.object, {t, node}, x.kind == Kind::to});
      }
    }
  }

  bool conflict(const Use& a, const Use& b) {
    return (a.write || b.write) && a.step.task != b.step.task && parallel_.may_happen(a.step, b.step);
  }

  // The first two.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> tasks_in_conflict(const std::vector<Use>& uses) {
    for (std::size_t i = 0; i < uses.size(); ++i)
      for (std::size_t j = i + 1; j < uses.size(); ++j)
        if (conflict(uses[i], uses[j])) return std::pair(uses[i].step.task, uses[j].step.task);
    return std::nullopt;
  }

  // Once for each variable, with the first two tasks.
  void about_variables() {
    std::set<std::pair<std::size_t, std::string>> told;
    for (const auto& [slot, uses] : uses_) {
      const flow::Slot& s = program_.slots[slot];
      const std::pair<std::size_t, std::string> declared{offset(s.place), variable(slot)};
      if (s.atomic || told.contains(declared)) continue;
      const auto found = tasks_in_conflict(uses);
      if (!found) continue;
      told.insert(declared);
      warn(
          s.place,
          fmt::format("{} is used by {} and {}, perhaps at the same time, and is not atomic; read and written as if it "
                      "were",
                      variable(slot), program_.tasks[found->first].name, program_.tasks[found->second].name),
          fmt::format("pragma Atomic ({}) if that is meant", variable(slot)));
    }
  }

  // What a protected operation uses outside is safe only if nothing else uses it.
  void about_objects() {
    std::set<std::size_t> told;
    for (const flow::Object& object : program_.objects)
      for (const std::uint32_t slot : object.outside) {
        const bool joined = object.name.find('+') != std::string::npos;
        if ((!uses_.contains(slot) && !joined) || !told.insert(offset(program_.slots[slot].place)).second) continue;
        warn(program_.slots[slot].place,
             fmt::format("{} is used by {}, but others use it, too: it is not protected by it", variable(slot),
                         object.name));
      }
  }

  void about_conditional_calls() {
    std::map<std::uint32_t, std::uint32_t> calls, accepts;  // by entry: a place
    for (std::uint32_t t = 0; t < graphs_.size(); ++t)
      for (const TaskGraph::Edge& e : graphs_[t].edges) {
        const Transition& x = graphs_[t].transitions[e.transition];
        if (x.kind != Kind::call && x.kind != Kind::accept) continue;
        const flow::Node& node = program_.tasks[t].graph.nodes[graphs_[t].states[e.from].node];
        if (x.kind == Kind::call && is_conditional_call(node)) calls.emplace(x.object, x.place);
        if (x.kind == Kind::accept && is_conditional_accept(node)) accepts.emplace(x.object, x.place);
      }
    std::set<std::pair<std::size_t, std::size_t>> told;
    for (const auto& [entry, place] : calls) {
      const auto accept = accepts.find(entry);
      if (accept == accepts.end() || !told.insert({offset(place), offset(accept->second)}).second) continue;
      warn(place,
           fmt::format(
               "this conditional call of {} may meet the accept of line {}, which has an else part: the language "
               "allows it, GNAT never does it",
               program_.entries[entry].name, line(accept->second)));
    }
  }

  bool written_by_others(std::uint32_t slot, std::uint32_t task) const {
    const auto found = uses_.find(slot);
    return found != uses_.end() &&
           std::ranges::any_of(found->second, [&](const Use& u) { return u.write && u.step.task != task; });
  }

  void about_operands() {
    std::set<std::size_t> told;
    for (const AdaProgram::Operands& o : ada_.operands)
      for (const std::uint32_t a : o.left)
        for (const std::uint32_t b : o.right) {
          if (a == b || !written_by_others(a, o.task) || !written_by_others(b, o.task)) continue;
          if (!told.insert(offset(o.place)).second) continue;
          warn(o.place, fmt::format("the language leaves open whether {} or {} is read first here; taken from left to "
                                    "right, as GNAT mostly does",
                                    program_.slots[a].name, program_.slots[b].name));
        }
  }

  const AdaProgram& ada_;
  const flow::Program& program_;
  const std::vector<TaskGraph>& graphs_;
  Parallel parallel_;
  std::map<std::uint32_t, std::vector<Use>> uses_;  // by slot
  Diagnostics out_;
};

}  // namespace

bool is_conditional_call(const flow::Node& node) { return waits_with(node, Alternative::Kind::call); }
bool is_conditional_accept(const flow::Node& node) { return waits_with(node, Alternative::Kind::accept); }

Diagnostics warnings_of(const AdaProgram& program, const std::vector<TaskGraph>& graphs) {
  return Warner(program, graphs).run();
}

}  // namespace surety::ada
