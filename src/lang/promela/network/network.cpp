#include "lang/promela/network/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "lang/promela/labels.hpp"
#include "lang/promela/network/buffer.hpp"
#include "lang/promela/network/group.hpp"
#include "lang/promela/network/joint.hpp"
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
    private_actions();
    meetings();
    if (!budget_.go_on()) return tl::unexpected(over_budget());
    if (joints_.size() > kMaxActions) return tl::unexpected(Refusal{"too many different steps", {}});
    PromelaNetwork out;
    for (const Instance& i : system_.instances) out.instances.push_back({i.name, i.type, i.arguments});
    for (std::uint32_t s = 0; s < slots_; ++s)
      if (system_.set_by_init[s]) out.set_by_init.push_back(object_name(s));
    std::vector<std::size_t> processes;  // that are components
    for (std::size_t i = 0; i < opens_.size(); ++i) {
      const bool over = opens_[i].steps.empty() && opens_[i].ended[0];  // most often init
      if (over && (i + 1 < opens_.size() || !processes.empty())) continue;
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
  static Refusal over_budget() { return {"a program too large for its budget", {}}; }

  // What without_detours takes for a while.
  static std::uint64_t bytes_of_steps(const Open& open) {
    constexpr std::uint64_t kState = sizeof(std::vector<Open::Step>) + sizeof(Bytes) + 32;
    return open.states() * kState + 4 * sizeof(Open::Step) * open.steps.size();
  }

  static std::uint64_t bytes_to_copy(const Network& network) {
    std::uint64_t bytes = 0;
    for (const Component& c : network.components)
      bytes += 8ULL * c.lts.state_count() + sizeof(Step) * c.lts.transition_count();
    return bytes;
  }

  // A look at the budget, now and then.
  bool may_go_on() { return (++work_ & 255) != 0 || budget_.go_on(); }

  // Until no process writes a value or sends a message that is new to another. Those that cost least go first, so that
  // a large one is explored again only when the small ones have nothing new to say.
  std::optional<Refusal> explore_all() {
    for (const std::int32_t v : system_.initial) environment_.values.push_back({v});
    environment_.written.assign(slots_, false);
    environment_.messages.resize(system_.channels.size());
    environment_.grown.assign(marks_, 0);
    opens_.resize(system_.instances.size());
    std::vector<std::uint64_t> cost(opens_.size(), 0), at(opens_.size(), 0);
    std::vector<bool> explored(opens_.size(), false);
    const auto stale = [&](std::size_t i) {
      return !explored[i] || std::ranges::any_of(opens_[i].asked, [&](std::uint32_t object) {
        return environment_.grown[object] > at[i];
      });
    };
    for (;;) {
      std::optional<std::size_t> next;
      for (std::size_t i = 0; i < opens_.size(); ++i)
        if (stale(i) && (!next || cost[i] < cost[*next])) next = i;
      if (!next) break;
      at[*next] = environment_.clock;
      auto open = explore(system_, system_.instances[*next], environment_, budget_);
      if (!open) return std::move(open.error());
      if (!budget_.go_on()) return over_budget();
      cost[*next] = open->states() + open->steps.size();
      explored[*next] = true;
      opens_[*next] = std::move(*open);
    }
    for (Open& open : opens_) {
      if (!budget_.has_room(bytes_of_steps(open))) return over_budget();
      open = without_detours(std::move(open));
    }
    parts_.resize(opens_.size());
    for (std::size_t i = 0; i < opens_.size(); ++i) parts_[i].resize(opens_[i].moves.size());
    return std::nullopt;
  }

  static std::string lower(std::string name) {  // an action of FSP is written so
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

  std::string text(std::uint32_t object, const Touch& touch) const {
    if (object < slots_)
      return fmt::format(".{}.{}", touch.kind == Touch::Kind::is ? "is" : "to",
                         show(*system_.program, system_.code->globals[object].mtype, touch.value));
    const std::uint32_t c = object - slots_;
    const char* negation = touch.value == 0 ? ".not" : "";
    switch (touch.kind) {
      case Touch::Kind::length: return fmt::format(".len.{}", touch.value);
      case Touch::Kind::full: return fmt::format("{}.full", negation);
      case Touch::Kind::empty: return fmt::format("{}.empty", negation);
      case Touch::Kind::send: return (touch.special ? ".sorted" : ".in") + text(c, touch.message);
      case Touch::Kind::receive: return (touch.special ? ".any" : ".out") + text(c, touch.message);
      case Touch::Kind::peek: return ".first" + text(c, touch.message);
      default: break;
    }
    std::string out = fmt::format("{}.{}", negation, touch.special ? "has" : "next");
    for (std::size_t i = 0; i < touch.mask.size(); ++i) out += touch.mask[i] ? "." + field(c, i, *touch.mask[i]) : "._";
    return out;
  }

  const std::string& object_name(std::uint32_t object) const {
    return object < slots_ ? system_.code->globals[object].name : system_.channels[object - slots_].name;
  }

  // `owner`: whose step it is, if it is that of one process.
  std::string text(const Uses& uses, std::optional<std::size_t> owner = {}) const {
    std::string out;
    for (const auto& [object, touches] : uses) {
      if (object >= marks_) {
        const Mark& mark = system_.marks[object - marks_];
        if (mark.instance != owner) out += "." + process_name(mark.instance);
        out += "." + lower(mark.label) + (touches.back().value != 0 ? ".come" : ".gone");
        continue;
      }
      out += "." + object_name(object);
      for (const Touch& touch : touches) out += text(object, touch);
    }
    return out;
  }

  // Two different steps never get one name: that would tie them together.
  Action fresh_action(std::string name) {
    std::string unique = name;
    for (int i = 2; !names_.insert(unique).second; ++i) unique = fmt::format("{}.{}", name, i);
    return actions_.intern(unique);
  }

  Action add_joint(std::string name, Joint joint, std::initializer_list<std::pair<std::size_t, std::uint32_t>> moves) {
    joint.action = fresh_action(std::move(name));
    for (const auto& [process, move] : moves) joint.processes.push_back(process);
    for (const auto& [process, move] : moves) parts_[process][move].push_back(joint.action);
    joints_.push_back(std::move(joint));
    return joints_.back().action;
  }

  // A message into or out of a buffer, and nothing else.
  static const Touch* plain_message(const Move& move) {
    if (move.fails != 0 || move.uses.size() != 1 || move.uses.begin()->second.size() != 1) return nullptr;
    const Touch& touch = move.uses.begin()->second.front();
    return touch.kind == Touch::Kind::send || touch.kind == Touch::Kind::receive ? &touch : nullptr;
  }

  void private_actions() {
    std::map<std::pair<std::uint32_t, Touch>, std::set<std::size_t>> users;
    for (std::size_t i = 0; i < opens_.size(); ++i)
      for (const Move& move : opens_[i].moves)
        if (const Touch* touch = plain_message(move)) users[{move.uses.begin()->first, *touch}].insert(i);
    for (std::size_t i = 0; i < opens_.size(); ++i)
      for (std::uint32_t m = 0; m < opens_[i].moves.size(); ++m) {
        const Move& move = opens_[i].moves[m];
        if (joints_.size() > kMaxActions || !may_go_on()) return;
        if (move.meets != Move::Meets::nobody || move.silent()) continue;
        std::string name;
        if (const Touch* touch = plain_message(move)) {
          const std::uint32_t object = move.uses.begin()->first;
          name = object_name(object) + text(object, *touch);
          if (users[{object, *touch}].size() > 1) name += ".by." + process_name(i);
        } else {
          name = process_name(i) + (move.fails == 0 ? "" : fmt::format(".assert.{}", move.fails)) + text(move.uses, i);
        }
        add_joint(std::move(name), {{}, {}, move.uses, move.events, move.fails, move.breaks}, {{i, m}});
      }
  }

  // The uses of sender and receiver together; nothing: they do not find the same values.
  static std::optional<Uses> together(const Uses& sender, const Uses& receiver) {
    Uses all = sender;
    for (const auto& [object, touches] : receiver) {
      auto& mine = all[object];
      if (mine.empty()) {
        mine = touches;
        continue;
      }
      for (const Touch& touch : touches) {
        const bool value = touch.kind == Touch::Kind::is;
        if (value && mine.front().kind == Touch::Kind::is && mine.front().value != touch.value) return std::nullopt;
        if (!value || mine.front().kind != Touch::Kind::is) mine.push_back(touch);
      }
    }
    return all;
  }

  void meetings() {
    struct ComponentSet {
      std::size_t process;
      std::uint32_t move;
    };
    std::map<std::pair<std::uint32_t, Message>, std::pair<std::vector<ComponentSet>, std::vector<ComponentSet>>> sides;
    for (std::size_t i = 0; i < opens_.size(); ++i)
      for (std::uint32_t m = 0; m < opens_[i].moves.size(); ++m) {
        const Move& move = opens_[i].moves[m];
        auto& both = sides[{move.channel, move.message}];
        if (move.meets == Move::Meets::receiver) both.first.push_back({i, m});
        if (move.meets == Move::Meets::sender) both.second.push_back({i, m});
      }
    const auto several = [](const std::vector<ComponentSet>& some) {
      return std::any_of(some.begin(), some.end(), [&](const ComponentSet& s) { return s.process != some[0].process; });
    };
    for (const auto& [what, both] : sides)
      for (const ComponentSet& s : both.first)
        for (const ComponentSet& r : both.second) {
          if (joints_.size() > kMaxActions || !budget_.go_on()) return;
          if (s.process == r.process) continue;
          const Move& sender = opens_[s.process].moves[s.move];
          const Move& receiver = opens_[r.process].moves[r.move];
          auto uses = together(sender.uses, receiver.uses);
          if (!uses) continue;
          const ActionName operation(system_.channels[what.first].name + text(what.first, what.second));
          const bool plain = uses->empty() && receiver.fails == 0;
          std::string name = operation.text();
          if (several(both.first)) name += ".from." + process_name(s.process);
          if (several(both.second)) name += ".to." + process_name(r.process);
          if (receiver.fails != 0) name += fmt::format(".{}.assert.{}", process_name(r.process), receiver.fails);
          name += text(*uses);
          Joint joint{{}, {}, std::move(*uses), receiver.events, receiver.fails, receiver.breaks};
          const Action action =
              add_joint(std::move(name), std::move(joint), {{s.process, s.move}, {r.process, r.move}});
          if (plain)
            rendezvous_.insert_or_assign(
                action, Rendezvous{operation, system_.instances[s.process].name, system_.instances[r.process].name});
        }
  }

  // False: the budget has ended.
  bool add_process(PromelaNetwork& out, std::size_t i) {
    const Open& open = opens_[i];
    LtsBuilder builder;
    const bool fails =
        std::any_of(open.steps.begin(), open.steps.end(), [](const Open::Step& s) { return s.to == Open::kError; });
    const State error{open.states()};
    builder.set_state_count(open.states() + (fails ? 1 : 0));
    if (fails) builder.set_error(error);
    for (const auto& step : open.steps) {
      if (!may_go_on()) return false;
      const State to = step.to == Open::kError ? error : State{step.to};
      if (open.moves[step.move].silent()) builder.add_step(State{step.from}, kTau, to);
      for (const Action a : parts_[i][step.move]) builder.add_step(State{step.from}, a, to);
    }
    if (!budget_.has_room(builder.bytes_to_build())) return false;
    out.network.components.push_back({system_.instances[i].name, builder.build()});
    out.ended.push_back(open.ended);
    if (fails) out.ended.back().push_back(false);
    return true;
  }

  // What a trace can be walked with on the machine. The components are still the processes, one by one.
  std::shared_ptr<const Replay> replay(const Network& network, const std::vector<std::size_t>& processes) {
    auto out = std::make_shared<Replay>();
    out->start = system_.start;
    out->globals_bytes = system_.code->globals_bytes;
    std::map<std::size_t, std::size_t> player;
    for (std::size_t c = 0; c < processes.size(); ++c) {
      const std::size_t p = processes[c];
      player[p] = c;
      out->players.push_back({system_.instances[p].name, system_.instances[p].pid, network.components[c].lts,
                              std::move(opens_[p].frames)});
    }
    for (const Instance& i : system_.instances)
      if (system_.program->processes[i.type].kind == Process::Kind::init) out->init = i.pid;
    for (const Joint& joint : joints_) {
      if (!may_go_on()) break;
      Replay::Deed& deed = out->deeds[joint.action];
      for (const std::size_t p : joint.processes) deed.players.push_back(player.at(p));
      for (const auto& [object, touches] : joint.uses)
        if (object < slots_) deed.leaves.push_back({system_.code->globals[object], touches.back().value});
      deed.events = event_names(joint.events);
    }
    return out;
  }

  // As the machine names them (machine_execute.cpp): the two of a rendezvous are one.
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

  using Users = std::map<std::uint32_t, std::vector<const Joint*>>;  // by object

  std::optional<Refusal> add_objects(PromelaNetwork& out) {
    Users users;
    for (const Joint& joint : joints_)
      for (const auto& [object, touches] : joint.uses)
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

  // Each as a component of its own, if somebody writes it; they begin at `next`. Channels are not variables.
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

  // Of each global that is a component the processes that have a part in its actions themselves: not those that only
  // meet one that has.
  std::vector<std::vector<std::size_t>> users_of_globals(const std::vector<std::size_t>& processes) const {
    std::map<std::uint32_t, std::set<std::size_t>> users;
    for (std::size_t p = 0; p < processes.size(); ++p)
      for (std::uint32_t m = 0; m < opens_[processes[p]].moves.size(); ++m)
        if (!parts_[processes[p]][m].empty())
          for (const auto& [object, touches] : opens_[processes[p]].moves[m].uses)
            if (object < slots_) users[object].insert(p);
    std::vector<std::vector<std::size_t>> out;
    for (const auto& [slot, some] : users) out.emplace_back(some.begin(), some.end());
    return out;
  }

  // Breadth first from the initial value; `next` says what an action makes of a value.
  template <class Value, class Next>
  std::optional<Lts> object(Value initial, const std::vector<const Joint*>& joints, Next next) {
    std::map<Value, std::uint32_t> numbers{{initial, 0}};
    std::vector<Value> values{initial};
    LtsBuilder builder;
    std::vector<Action> alphabet;
    for (const Joint* joint : joints) alphabet.push_back(joint->action);
    for (std::uint32_t s = 0; s < values.size(); ++s)
      for (const Joint* joint : joints) {
        if (!may_go_on()) return std::nullopt;
        const std::optional<Value> to = next(values[s], *joint);
        if (!to) continue;
        const auto [at, fresh] = numbers.try_emplace(*to, static_cast<std::uint32_t>(values.size()));
        if (fresh) values.push_back(*to);
        if (values.size() > kMaxContents) return std::nullopt;
        builder.add_step(State{s}, joint->action, State{at->second});
      }
    builder.set_state_count(static_cast<std::uint32_t>(values.size()));
    builder.add_to_alphabet(Alphabet(std::move(alphabet)));
    if (!budget_.has_room(builder.bytes_to_build())) return std::nullopt;
    return builder.build();
  }

  std::optional<Lts> variable(std::uint32_t slot, const std::vector<const Joint*>& joints) {
    return object(system_.initial[slot], joints, [&](std::int32_t value, const Joint& joint) {
      for (const Touch& touch : joint.uses.at(slot)) {
        if (touch.kind == Touch::Kind::is && touch.value != value) return std::optional<std::int32_t>();
        value = touch.value;
      }
      return std::optional(value);
    });
  }

  std::optional<Lts> buffer(std::uint32_t c, const std::vector<const Joint*>& joints) {
    Buffer buffer(system_, c);
    return object(buffer.initial(), joints, [&](const Contents& contents, const Joint& joint) {
      return buffer.after(joint.uses.at(slots_ + c), contents);
    });
  }

  void add_assertions(PromelaNetwork& out) {
    std::vector<Action> failing;
    for (const Joint& joint : joints_)
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
  const std::uint32_t slots_, marks_;  // objects: slots of globals come before the first, marks from the second on
  Environment environment_;
  std::vector<Open> opens_;                              // by process
  std::vector<std::vector<std::vector<Action>>> parts_;  // by process and move: the actions that it is part of
  std::vector<Joint> joints_;
  std::map<Action, Rendezvous> rendezvous_;
  std::set<std::string> names_;
  std::uint64_t work_ = 0;  // for looks at the budget
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
