#include "lang/promela/network/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "lang/net/values.hpp"
#include "lang/promela/labels.hpp"
#include "lang/promela/network/buffer.hpp"
#include "lang/promela/network/group.hpp"
#include "lang/promela/network/joint_transition.hpp"
#include "lang/promela/network/properties.hpp"
#include "lang/promela/network/replay.hpp"

namespace surety {
namespace promela::net {
namespace {

constexpr std::size_t kMaxActions = 500'000;
constexpr std::size_t kMaxContents = 100'000;  // of a buffer

bool wanted(const PromelaNetworkOptions& options, const LtlBlock& block) {
  return !options.formulas || std::ranges::find(*options.formulas, block.name) != options.formulas->end();
}

class Builder {
 public:
  Builder(const PromelaFile& file, const System& system, ActionTable& actions, Budget& budget,
          const PromelaNetworkOptions& options)
      : file_(file),
        system_(system),
        actions_(actions),
        budget_(budget),
        options_(options),
        slots_(system.channel_object(0)),
        marks_(system.mark_object(0)) {}

  tl::expected<PromelaNetwork, Refusal> run() {
    if (auto refused = explore_all()) return tl::unexpected(std::move(*refused));
    add_actions_of_one_process();
    add_rendezvous();
    if (!budget_.go_on()) return tl::unexpected(over_budget());
    if (joints_.size() > kMaxActions) return tl::unexpected(Refusal{"too many different steps", {}});
    PromelaNetwork out;
    for (const Instance& i : system_.instances) out.instances.push_back({i.name, i.type, i.arguments});
    for (std::uint32_t s = 0; s < slots_; ++s)
      if (system_.set_by_init[s]) out.set_by_init.push_back(object_name(s));
    std::vector<std::size_t> processes;  // the processes that are components
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      const bool over = graphs_[i].edges.empty() && graphs_[i].ended[0];  // it can do nothing more; most often init
      if (over && (i + 1 < graphs_.size() || !processes.empty())) continue;
      if (!add_process(out, i)) return tl::unexpected(over_budget());
      processes.push_back(i);
    }
    if (!budget_.has_room(bytes_to_copy(out.network))) return tl::unexpected(over_budget());
    out.replay = replay(out.network, processes);
    if (auto refused = add_objects(out)) return tl::unexpected(std::move(*refused));
    if (options_.group) group_globals(out, processes.size(), users_of_globals(processes), budget_);
    add_assertions(out);
    add_properties(out);
    if (!budget_.go_on()) return tl::unexpected(over_budget());
    out.rendezvous = std::move(rendezvous_);
    return out;
  }

 private:
  // With the variables and channels that have most values and messages: they make processes large.
  Refusal over_budget() const {
    constexpr std::size_t kFew = 8, kNamed = 3;
    std::vector<std::pair<std::size_t, std::string>> large;
    for (std::uint32_t s = 0; s < slots_; ++s)
      if (environment_.values[s].size() > kFew)
        large.emplace_back(environment_.values[s].size(),
                           fmt::format("{} has {} values", object_name(s), environment_.values[s].size()));
    for (std::uint32_t c = 0; c < environment_.messages.size(); ++c)
      if (const auto n = environment_.messages[c].size(); n > kFew)
        large.emplace_back(n, fmt::format("{} has {} messages", object_name(slots_ + c), n));
    std::ranges::sort(large, std::greater{});
    std::string text = "a program too large for its budget";
    for (std::size_t i = 0; i < std::min(kNamed, large.size()); ++i) text += (i == 0 ? ": " : ", ") + large[i].second;
    if (!large.empty()) text += " (a smaller type or bound would help)";
    return {text, {}};
  }

  // The memory that without_detours takes while it runs.
  static std::uint64_t bytes_of_steps(const ProcessGraph& graph) {
    constexpr std::uint64_t kState = sizeof(std::vector<ProcessGraph::Edge>) + sizeof(Bytes) + 32;
    return graph.states() * kState + 4 * sizeof(ProcessGraph::Edge) * graph.edges.size();
  }

  static std::uint64_t bytes_to_copy(const Network& network) {
    std::uint64_t bytes = 0;
    for (const Component& c : network.components)
      bytes += 8ULL * c.lts.state_count() + sizeof(Step) * c.lts.transition_count();
    return bytes;
  }

  // Polls the budget at every 256th call.
  bool may_go_on() { return (++work_ & 255) != 0 || budget_.go_on(); }

  // Explores processes until none of them writes a value, or sends a message, that is new to another process. Of the
  // processes that have to be explored again the smallest goes first, so that a large process is explored again only
  // when the small ones have found all their values and messages.
  std::optional<Refusal> explore_all() {
    for (const std::int32_t v : system_.initial) environment_.values.push_back({v});
    environment_.written.assign(slots_, false);
    environment_.messages.resize(system_.channels.size());
    environment_.grown.assign(marks_, 0);
    graphs_.resize(system_.instances.size());
    std::vector<std::uint64_t> cost(graphs_.size(), 0), since(graphs_.size(), 0);  // since: when it was last explored
    std::vector<bool> explored(graphs_.size(), false);
    const auto stale = [&](std::size_t i) {
      return !explored[i] || std::ranges::any_of(graphs_[i].asked, [&](std::uint32_t object) {
        return environment_.grown[object] > since[i];
      });
    };
    for (;;) {
      std::optional<std::size_t> next;
      for (std::size_t i = 0; i < graphs_.size(); ++i)
        if (stale(i) && (!next || cost[i] < cost[*next])) next = i;
      if (!next) break;
      since[*next] = environment_.clock;
      auto graph = explore(system_, system_.instances[*next], environment_, budget_);
      if (!graph) return std::move(graph.error());
      if (!budget_.go_on()) return over_budget();
      cost[*next] = graph->states() + graph->edges.size();
      explored[*next] = true;
      graphs_[*next] = std::move(*graph);
    }
    for (ProcessGraph& graph : graphs_) {
      if (!budget_.has_room(bytes_of_steps(graph))) return over_budget();
      graph = without_detours(std::move(graph));
    }
    actions_of_.resize(graphs_.size());
    for (std::size_t i = 0; i < graphs_.size(); ++i) actions_of_[i].resize(graphs_[i].transitions.size());
    return std::nullopt;
  }

  static std::string lower(std::string name) {  // as actions are written in FSP
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
  }

  std::string process_name(std::size_t i) const {
    std::string name = system_.instances[i].name;
    for (char& c : name)
      if (c == '(' || c == ',') c = '.';
    name = lower(std::move(name));
    name.erase(std::remove(name.begin(), name.end(), ')'), name.end());
    return name;
  }

  std::string field(std::uint32_t channel, std::size_t i, std::int32_t value) const {
    return show(*system_.program, system_.channels[channel].kind->mtypes[i], value);
  }

  std::string text(std::uint32_t channel, const Message& message) const {
    std::string out;
    for (std::size_t i = 0; i < message.size(); ++i) out += "." + field(channel, i, message[i]);
    return out;
  }

  std::string text(std::uint32_t object, const Access& access) const {
    if (object < slots_)
      return fmt::format(".{}.{}", access.kind == Access::Kind::is ? "is" : "to",
                         show(*system_.program, system_.code->globals[object].mtype, access.value));
    const std::uint32_t c = object - slots_;
    const char* negation = access.value == 0 ? ".not" : "";
    switch (access.kind) {
      case Access::Kind::length: return fmt::format(".len.{}", access.value);
      case Access::Kind::full: return fmt::format("{}.full", negation);
      case Access::Kind::empty: return fmt::format("{}.empty", negation);
      case Access::Kind::send: return (access.special ? ".sorted" : ".in") + text(c, access.message);
      case Access::Kind::receive: return (access.special ? ".any" : ".out") + text(c, access.message);
      case Access::Kind::peek: return ".first" + text(c, access.message);
      default: break;
    }
    std::string out = fmt::format("{}.{}", negation, access.special ? "has" : "next");
    for (std::size_t i = 0; i < access.mask.size(); ++i)
      out += access.mask[i] ? "." + field(c, i, *access.mask[i]) : "._";
    return out;
  }

  const std::string& object_name(std::uint32_t object) const {
    return object < slots_ ? system_.code->globals[object].name : system_.channels[object - slots_].name;
  }

  // `owner`: the process whose transition it is, if it is that of one process.
  std::string text(const Footprint& footprint, std::optional<std::size_t> owner = {}) const {
    std::string out;
    for (const auto& [object, accesses] : footprint) {
      if (object >= marks_) {
        const Mark& mark = system_.marks[object - marks_];
        if (mark.instance != owner) out += "." + process_name(mark.instance);
        out += "." + lower(mark.label) + (accesses.back().value != 0 ? ".come" : ".gone");
        continue;
      }
      out += "." + object_name(object);
      for (const Access& access : accesses) out += text(object, access);
    }
    return out;
  }

  // Two different joint transitions never get one name: they would synchronise with each other.
  Action fresh_action(std::string name) {
    std::string unique = name;
    for (int i = 2; !names_.insert(unique).second; ++i) unique = fmt::format("{}.{}", name, i);
    return actions_.intern(unique);
  }

  Action add_joint_transition(std::string name, JointTransition joint,
                              std::initializer_list<std::pair<std::size_t, std::uint32_t>> transitions) {
    joint.action = fresh_action(std::move(name));
    for (const auto& [process, transition] : transitions) joint.processes.push_back(process);
    for (const auto& [process, transition] : transitions) actions_of_[process][transition].push_back(joint.action);
    joints_.push_back(std::move(joint));
    return joints_.back().action;
  }

  // The only access of the transition, if that is a message into or out of a buffer.
  static const Access* plain_message(const Transition& transition) {
    if (transition.fails != 0 || transition.footprint.size() != 1 || transition.footprint.begin()->second.size() != 1)
      return nullptr;
    const Access& access = transition.footprint.begin()->second.front();
    return access.kind == Access::Kind::send || access.kind == Access::Kind::receive ? &access : nullptr;
  }

  void add_actions_of_one_process() {
    std::map<std::pair<std::uint32_t, Access>, std::set<std::size_t>> users;
    for (std::size_t i = 0; i < graphs_.size(); ++i)
      for (const Transition& transition : graphs_[i].transitions)
        if (const Access* access = plain_message(transition))
          users[{transition.footprint.begin()->first, *access}].insert(i);
    for (std::size_t i = 0; i < graphs_.size(); ++i)
      for (std::uint32_t m = 0; m < graphs_[i].transitions.size(); ++m) {
        const Transition& transition = graphs_[i].transitions[m];
        if (joints_.size() > kMaxActions || !may_go_on()) return;
        if (transition.synchronisation != Transition::Synchronisation::none || transition.silent()) continue;
        std::string name;
        if (const Access* access = plain_message(transition)) {
          const std::uint32_t object = transition.footprint.begin()->first;
          name = object_name(object) + text(object, *access);
          if (users[{object, *access}].size() > 1) name += ".by." + process_name(i);
        } else {
          name = process_name(i) + (transition.fails == 0 ? "" : fmt::format(".assert.{}", transition.fails)) +
                 text(transition.footprint, i);
        }
        add_joint_transition(std::move(name),
                             {{}, {}, transition.footprint, transition.events, transition.fails, transition.breaks},
                             {{i, m}});
      }
  }

  // The footprints of sender and receiver as one; nothing: they find different values in a variable.
  static std::optional<Footprint> together(const Footprint& sender, const Footprint& receiver) {
    Footprint all = sender;
    for (const auto& [object, accesses] : receiver) {
      auto& mine = all[object];
      if (mine.empty()) {
        mine = accesses;
        continue;
      }
      for (const Access& access : accesses) {
        const bool value = access.kind == Access::Kind::is;
        if (value && mine.front().kind == Access::Kind::is && mine.front().value != access.value) return std::nullopt;
        if (!value || mine.front().kind != Access::Kind::is) mine.push_back(access);
      }
    }
    return all;
  }

  // Each sender with each receiver of the same message on the same channel.
  void add_rendezvous() {
    struct Side {
      std::size_t process;
      std::uint32_t transition;
    };
    struct Sides {
      std::vector<Side> senders, receivers;
    };
    std::map<std::pair<std::uint32_t, Message>, Sides> by_message;  // and channel
    for (std::size_t i = 0; i < graphs_.size(); ++i)
      for (std::uint32_t t = 0; t < graphs_[i].transitions.size(); ++t) {
        const Transition& transition = graphs_[i].transitions[t];
        Sides& sides = by_message[{transition.channel, transition.message}];
        if (transition.synchronisation == Transition::Synchronisation::with_receiver) sides.senders.push_back({i, t});
        if (transition.synchronisation == Transition::Synchronisation::with_sender) sides.receivers.push_back({i, t});
      }
    const auto several = [](const std::vector<Side>& some) {
      return std::any_of(some.begin(), some.end(), [&](const Side& s) { return s.process != some[0].process; });
    };
    for (const auto& [what, sides] : by_message)
      for (const Side& s : sides.senders)
        for (const Side& r : sides.receivers) {
          if (joints_.size() > kMaxActions || !budget_.go_on()) return;
          if (s.process == r.process) continue;
          const Transition& sender = graphs_[s.process].transitions[s.transition];
          const Transition& receiver = graphs_[r.process].transitions[r.transition];
          auto footprint = together(sender.footprint, receiver.footprint);
          if (!footprint) continue;
          const ActionName operation(system_.channels[what.first].name + text(what.first, what.second));
          const bool plain = footprint->empty() && receiver.fails == 0;
          std::string name = operation.text();
          if (several(sides.senders)) name += ".from." + process_name(s.process);
          if (several(sides.receivers)) name += ".to." + process_name(r.process);
          if (receiver.fails != 0) name += fmt::format(".{}.assert.{}", process_name(r.process), receiver.fails);
          name += text(*footprint);
          JointTransition joint{{}, {}, std::move(*footprint), receiver.events, receiver.fails, receiver.breaks};
          const Action action = add_joint_transition(std::move(name), std::move(joint),
                                                     {{s.process, s.transition}, {r.process, r.transition}});
          if (plain)
            rendezvous_.insert_or_assign(
                action, Rendezvous{operation, system_.instances[s.process].name, system_.instances[r.process].name});
        }
  }

  // False: the budget has ended.
  bool add_process(PromelaNetwork& out, std::size_t i) {
    const ProcessGraph& graph = graphs_[i];
    LtsBuilder builder;
    const bool fails = std::any_of(graph.edges.begin(), graph.edges.end(),
                                   [](const ProcessGraph::Edge& e) { return e.to == ProcessGraph::kError; });
    const State error{graph.states()};
    builder.set_state_count(graph.states() + (fails ? 1 : 0));
    if (fails) builder.set_error(error);
    for (const auto& edge : graph.edges) {
      if (!may_go_on()) return false;
      const State to = edge.to == ProcessGraph::kError ? error : State{edge.to};
      if (graph.transitions[edge.transition].silent()) builder.add_step(State{edge.from}, kTau, to);
      for (const Action a : actions_of_[i][edge.transition]) builder.add_step(State{edge.from}, a, to);
    }
    if (!budget_.has_room(builder.bytes_to_build())) return false;
    out.network.components.push_back({system_.instances[i].name, builder.build()});
    out.ended.push_back(graph.ended);
    if (fails) out.ended.back().push_back(false);
    return true;
  }

  // What it takes to replay a trace on the machine. At this point each component is still one process.
  std::shared_ptr<const Replay> replay(const Network& network, const std::vector<std::size_t>& processes) {
    auto out = std::make_shared<Replay>();
    out->start = system_.start;
    out->globals_bytes = system_.code->globals_bytes;
    std::map<std::size_t, std::size_t> participant;
    for (std::size_t c = 0; c < processes.size(); ++c) {
      const std::size_t p = processes[c];
      participant[p] = c;
      out->participants.push_back({system_.instances[p].name, system_.instances[p].pid, network.components[c].lts,
                                   std::move(graphs_[p].frames)});
    }
    for (const Instance& i : system_.instances)
      if (system_.program->processes[i.type].kind == Process::Kind::init) out->init = i.pid;
    for (const JointTransition& joint : joints_) {
      if (!may_go_on()) break;
      Replay::Effect& effect = out->effects[joint.action];
      for (const std::size_t p : joint.processes) effect.participants.push_back(participant.at(p));
      for (const auto& [object, accesses] : joint.footprint)
        if (object < slots_) effect.leaves.push_back({system_.code->globals[object], accesses.back().value});
      effect.events = event_names(joint.events);
    }
    return out;
  }

  // As the machine names them (machine/execute.cpp): send and receive of a rendezvous are one event.
  std::vector<std::string> event_names(const std::vector<Event>& events) const {
    std::vector<std::string> out;
    for (const Event& e : events) {
      const Channel& channel = system_.channels[e.channel];
      const bool rendezvous = channel.kind->rendezvous();
      if (rendezvous && !e.send) continue;
      const char* direction = rendezvous ? "" : e.send ? ".in" : ".out";
      out.push_back(channel.kind->name + direction + text(e.channel, e.message));
    }
    return out;
  }

  using Users = std::map<std::uint32_t, std::vector<const JointTransition*>>;  // by object

  std::optional<Refusal> add_objects(PromelaNetwork& out) {
    Users users;
    for (const JointTransition& joint : joints_)
      for (const auto& [object, accesses] : joint.footprint)
        if (object < marks_) users[object].push_back(&joint);
    std::set<std::string> taken;
    for (const auto& c : out.network.components) taken.insert(c.name);
    const std::size_t first = out.network.components.size();
    for (const auto& [object, joints] : users) {
      std::optional<Lts> lts = object < slots_ ? variable(object, joints) : buffer(object - slots_, joints);
      if (!lts && !budget_.go_on()) return over_budget();
      if (!lts) return Refusal{fmt::format("more than {} contents of {}", kMaxContents, object_name(object)), {}};
      std::string name = object_name(object);
      while (!taken.insert(name).second) name += ".cell";
      out.network.components.push_back({name, std::move(*lts)});
      out.ended.emplace_back();
    }
    list_globals(out, first, users);
    return std::nullopt;
  }

  // The global variables (channels are none). A variable that some process writes is a component of its own here; the
  // first such component is number `next`.
  void list_globals(PromelaNetwork& out, std::size_t next, const Users& users) const {
    for (std::uint32_t slot = 0; slot < slots_; ++slot) {
      PromelaGlobal global;
      global.name = object_name(slot);
      if (users.contains(slot)) {
        const Component& own = out.network.components[next++];
        global.component = own.name;
        global.states = own.lts.state_count();
        global.why = PromelaGlobal::Why::larger;
      } else if (system_.code->globals[slot].channel) {
        continue;
      }
      out.globals.push_back(std::move(global));
    }
  }

  // For each global that is a component, in order: the processes whose own transitions access it. The partner of such a
  // process in a rendezvous takes part in the same action, but does not count.
  std::vector<std::vector<std::size_t>> users_of_globals(const std::vector<std::size_t>& processes) const {
    std::map<std::uint32_t, std::set<std::size_t>> users;
    for (std::size_t p = 0; p < processes.size(); ++p)
      for (std::uint32_t m = 0; m < graphs_[processes[p]].transitions.size(); ++m)
        if (!actions_of_[processes[p]][m].empty())
          for (const auto& [object, accesses] : graphs_[processes[p]].transitions[m].footprint)
            if (object < slots_) users[object].insert(p);
    std::vector<std::vector<std::size_t>> out;
    for (const auto& [slot, some] : users) out.emplace_back(some.begin(), some.end());
    return out;
  }

  // The component of a variable or a buffer: its states are the values that are reachable from the initial one, breadth
  // first. `next` says which value a joint transition leaves; nothing: it is not possible at this value.
  template <class Value, class Next>
  std::optional<Lts> object(Value initial, const std::vector<const JointTransition*>& joints, Next next) {
    auto values = surety::net::values_of(
        std::move(initial), joints, [](const JointTransition* joint) { return joint->action; },
        [&](const Value& value, const JointTransition* joint) { return next(value, *joint); }, kMaxContents,
        [&] { return may_go_on(); });
    if (!values || !budget_.has_room(values->builder.bytes_to_build())) return std::nullopt;
    return values->builder.build();
  }

  std::optional<Lts> variable(std::uint32_t slot, const std::vector<const JointTransition*>& joints) {
    return object(system_.initial[slot], joints, [&](std::int32_t value, const JointTransition& joint) {
      for (const Access& access : joint.footprint.at(slot)) {
        if (access.kind == Access::Kind::is && access.value != value) return std::optional<std::int32_t>();
        value = access.value;
      }
      return std::optional(value);
    });
  }

  std::optional<Lts> buffer(std::uint32_t c, const std::vector<const JointTransition*>& joints) {
    Buffer buffer(system_, c);
    return object(buffer.initial(), joints, [&](const Contents& contents, const JointTransition& joint) {
      return buffer.after(joint.footprint.at(slots_ + c), contents);
    });
  }

  void add_assertions(PromelaNetwork& out) {
    std::vector<Action> failing;
    for (const JointTransition& joint : joints_)
      if (joint.fails != 0) failing.push_back(joint.action);
    if (failing.empty() && !has_assertion()) return;
    LtsBuilder builder;
    builder.add_to_alphabet(Alphabet(std::move(failing)));
    out.assertions = Property{"assert", builder.build()};
  }

  bool has_assertion() const {
    for (const CompiledProcess& process : system_.code->processes)
      for (const auto& place : process.places)
        if (std::ranges::find(place, Operation::Kind::assertion, &Operation::kind) != place.end()) return true;
    return false;
  }

  void add_properties(PromelaNetwork& out) {
    for (const TraceName& trace : trace_names(*system_.program)) {
      auto lts = trace_property(system_, trace.process, joints_);
      if (lts)
        out.traces.push_back({trace.name, std::move(*lts)});
      else
        out.left_out.push_back(trace.name);
    }
    for (const Process& p : system_.program->processes)
      if (p.kind == Process::Kind::never) out.left_out.push_back(p.name);
    for (const LtlBlock& block : system_.program->formulas) {
      if (!wanted(options_, block)) continue;
      auto lts = safety_property(system_, block.formula, joints_, budget_);
      if (lts) {
        out.formulas.push_back({block.name, std::move(*lts)});
      } else {
        out.left_out.push_back(block.name);
        out.why_left_out[block.name] = lts.error();
      }
    }
    for (auto& name : label_checks(*system_.program)) out.left_out.push_back(std::move(name));
  }

  const PromelaFile& file_;
  const System& system_;
  ActionTable& actions_;
  Budget& budget_;
  const PromelaNetworkOptions& options_;
  const std::uint32_t slots_,
      marks_;  // objects below slots_ are globals, those from marks_ on are marks, those between are channels
  Environment environment_;
  std::vector<ProcessGraph> graphs_;  // by process
  std::vector<std::vector<std::vector<Action>>>
      actions_of_;  // by process and transition: the actions of the joint transitions that it is in
  std::vector<JointTransition> joints_;
  std::map<Action, Rendezvous> rendezvous_;
  std::set<std::string> names_;
  std::uint64_t work_ = 0;  // calls of may_go_on
};

}  // namespace
}  // namespace promela::net

tl::expected<PromelaNetwork, Diagnostic> promela_network(const PromelaFile& file, ActionTable& actions, Budget& budget,
                                                         const PromelaNetworkOptions& options) {
  const auto refused = [&](const promela::net::Refusal& r) {
    return tl::unexpected(file.source->error(r.place, fmt::format("not taken apart: {}", r.construct), {}));
  };
  promela::Report report(*file.source);
  promela::Compiler compiler(*file.program, *file.source, report);
  compiler.run();
  if (report.failed()) return tl::unexpected(std::move(report.errors().front()));
  const promela::Watch no_watch(*file.program, promela::kNone, compiler, report);
  auto system = promela::net::system_of(file, compiler, no_watch);
  if (!system) return refused(system.error());
  std::vector<std::string> about_labels;
  for (const auto& block : file.program->formulas)
    if (promela::net::wanted(options, block) && promela::net::mark_labels(*system, block.formula))
      about_labels.push_back(block.name);
  auto network = promela::net::Builder(file, *system, actions, budget, options).run();
  if (!network) return refused(network.error());
  network->about_labels = std::move(about_labels);
  return std::move(*network);
}

Network with_ends(const PromelaNetwork& promela, ActionTable& actions) {
  const Action ended = actions.intern("(all processes have ended)");
  Network out;
  out.name = promela.network.name;
  for (std::size_t i = 0; i < promela.network.components.size(); ++i) {
    const Component& component = promela.network.components[i];
    if (promela.ended[i].empty()) {
      out.components.push_back(component);
      continue;
    }
    LtsBuilder builder;
    builder.set_state_count(component.lts.state_count());
    builder.add_to_alphabet(component.lts.alphabet());
    builder.add_to_alphabet(Alphabet{ended});
    if (component.lts.error()) builder.set_error(*component.lts.error());
    for (std::uint32_t s = 0; s < component.lts.state_count(); ++s) {
      for (const Step& step : component.lts.steps(State{s})) builder.add_step(State{s}, step.action, step.target);
      if (promela.ended[i][s]) builder.add_step(State{s}, ended, State{s});
    }
    out.components.push_back({component.name, builder.build()});
  }
  return out;
}

}  // namespace surety
