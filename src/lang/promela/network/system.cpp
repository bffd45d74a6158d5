#include "lang/promela/network/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lang/promela/machine/execute.hpp"
#include "lang/promela/machine/expression.hpp"
#include "lang/promela/machine/start.hpp"
#include "lang/promela/network/restrictions.hpp"

namespace surety::promela::net {
namespace {

constexpr int kMostStartSteps = 100'000;

using Kind = Operation::Kind;

class Starter {
 public:
  Starter(const PromelaFile& file, Compiler& compiler, const Watch& no_watch)
      : code_(compiler.compiled()), memory_(code_), executor_(memory_, *file.program, no_watch, no_actions_) {
    system_.program = file.program.get();
    system_.code = &code_;
    system_.compiler = &compiler;
    system_.source = file.source.get();
    system_.no_watch = &no_watch;
  }

  tl::expected<System, Refusal> run() {
    start_program(memory_, *system_.program);
    system_.start = memory_.next;
    system_.slot_at.assign(code_.globals_bytes, kNone);
    for (std::uint32_t s = 0; s < code_.globals.size(); ++s) system_.slot_at[code_.globals[s].offset] = s;
    system_.set_by_init.assign(code_.globals.size(), false);
    if (auto refused = run_init()) return tl::unexpected(std::move(*refused));
    read_state();
    for (const Instance& instance : system_.instances)
      if (auto refused = refuse(*system_.program, code_, instance)) return tl::unexpected(std::move(*refused));
    if (auto refused = lost_channels()) return tl::unexpected(std::move(*refused));
    name_instances();
    return std::move(system_);
  }

 private:
  // ---- init

  // Executes init alone, until it has started all processes and another process may interrupt it.
  std::optional<Refusal> run_init() {
    memory_.open(system_.start);
    const auto found = std::ranges::find(system_.program->processes, Process::Kind::init, &Process::kind);
    if (found == system_.program->processes.end()) return std::nullopt;
    const auto type = static_cast<std::uint32_t>(found - system_.program->processes.begin());
    while (memory_.type(init_) != type) ++init_;
    alone_ = memory_.processes() == 1;
    for (int steps = 0;; ++steps) {
      const bool runs = runs_ahead();
      if (!runs && !keeps_floor_) return std::nullopt;
      if (steps > kMostStartSteps) return refusal("an init that starts processes for ever", found->place);
      const Operation* op = nullptr;
      if (auto refused = choose(op)) return refused;
      if (op == nullptr && !runs) return std::nullopt;  // it has to wait, and others go on
      if (op == nullptr) return refusal("an init that waits while it starts processes", found->place);
      if (auto refused = execute(*op)) return refused;
    }
  }

  static Refusal refusal(const char* construct, Place place) { return {construct, place}; }
  Place place_of(const Operation& op) const { return code_.statements[op.statement].place; }
  const CompiledProcess& init_code() const { return memory_.compiled(init_); }

  // Can init still come to a `run`?
  bool runs_ahead() const {
    return any_operation(init_code(), reachable_places(init_code(), memory_.place(init_)), is_run);
  }

  // `taken`: what init does next; it stays null if init can do nothing.
  std::optional<Refusal> choose(const Operation*& taken) {
    const std::uint32_t here = memory_.place(init_);
    if (!init_code().escapes[here].empty()) return refusal("unless", place_of(init_code().places[here].front()));
    const bool private_enough = alone_ && !interrupted_;
    bool something = false;
    for (const Operation& op : init_code().places[here]) {
      if (op.kind == Kind::finish) continue;
      if (const char* what = unknown_alone(code_, op)) return refusal(what, place_of(op));
      if (op.kind == Kind::send || op.kind == Kind::receive)
        return refusal("a message of init while it starts processes", place_of(op));
      if (op.kind == Kind::d_step) return refusal("a d_step of init while it starts processes", place_of(op));
      if (op.kind == Kind::assertion) return refusal("an assertion of init while it starts processes", place_of(op));
      if (!private_enough && is_about_globals(code_, written_, op))
        return refusal("a global variable that init uses while others run already", place_of(op));
      const bool possible = enabled(memory_, op, init_, something);
      if (std::exchange(memory_.why, Why::nothing) != Why::nothing)
        return refusal("an error of init while it starts processes", place_of(op));
      if (!possible) continue;
      if (something) return refusal("a choice of init while it starts processes", place_of(op));
      something = true;
      taken = &op;
    }
    return std::nullopt;
  }

  std::optional<Refusal> execute(const Operation& op) {
    if (is_run(op) && numbers_may_vary(op))
      return refusal("the number of a process or channel that init makes while others may end", place_of(op));
    if (op.kind == Kind::assign || op.kind == Kind::assign_run) note_assignment(op);
    const std::uint32_t before = memory_.processes();
    memory_.copy();
    executor_.execute(op, init_);
    if (std::exchange(memory_.why, Why::nothing) != Why::nothing)
      return refusal("an error of init while it starts processes", place_of(op));
    memory_.set_place(init_, op.target);
    if (memory_.processes() > before) note_arguments(op);
    keeps_floor_ = op.atomic;
    if (!op.atomic && memory_.processes() > 1) interrupted_ = true;
    system_.start = memory_.next;
    memory_.open(system_.start);
    return std::nullopt;
  }

  // A new process takes the number of the youngest process that has ended, and its channels take the numbers of the
  // channels that went with that process. So these numbers depend on which processes have ended. Can the program see
  // them?
  bool numbers_may_vary(const Operation& op) const {
    if (alone_ && !interrupted_) return false;
    const CompiledProcess& started = code_.processes[op.process];
    const bool pid = op.kind == Kind::assign_run || uses_pid(code_, started);
    for (std::uint32_t p = init_ + 1; p < memory_.processes(); ++p) {
      const bool channels = makes_channels(started) && makes_channels(memory_.compiled(p));
      if ((pid || channels) && can_end(memory_.compiled(p))) return true;
    }
    return false;
  }

  void note_assignment(const Operation& op) {
    if (op.store.address.empty()) return;
    const auto address = static_cast<std::uint32_t>(evaluate(memory_, op.store.address, init_));
    if (std::exchange(memory_.why, Why::nothing) == Why::nothing && address < code_.globals_bytes)
      system_.set_by_init[system_.slot_at[address]] = true;
  }

  void note_arguments(const Operation& run) {
    const std::uint32_t number = memory_.processes() - 1;
    Values& out = arguments_[number];
    for (const Target& parameter : code_.processes[run.process].parameters)
      out.push_back(load(memory_.now + evaluate(memory_, parameter.address, number), parameter.encoding));
  }

  // ---- what there is now

  void read_state() {
    memory_.open(system_.start);
    for (const VariableLeaf& leaf : code_.globals)
      system_.initial.push_back(load(memory_.now + leaf.offset, leaf.encoding));
    for (std::uint32_t c = 0; c < memory_.channels(); ++c) {
      const std::uint32_t kind = memory_.made_channel(static_cast<std::int32_t>(c) + 1)[kType];
      system_.channels.push_back({code_.channels[kind].name, &code_.channels[kind], kind});
    }
    for (std::uint32_t p = 0; p < memory_.processes(); ++p) {
      Instance instance;
      instance.type = memory_.type(p);
      instance.pid = p;
      instance.frame.assign(memory_.frame(p), memory_.frame(p) + memory_.compiled(p).frame_bytes);
      if (const auto known = arguments_.find(p); known != arguments_.end()) instance.arguments = known->second;
      system_.instances.push_back(std::move(instance));
    }
  }

  // Processes end in the order of their age, youngest first: only older processes can miss the channels of one that
  // has ended.
  std::optional<Refusal> lost_channels() const {
    bool older = false;
    for (const Instance& instance : system_.instances) {
      const CompiledProcess& process = code_.processes[instance.type];
      if (older && lends_channels(process) && can_end(process))
        return refusal("a channel of a process that may end before others do",
                       system_.program->processes[instance.type].place);
      older |= !process.flow.places[instance.place()].end;
    }
    return std::nullopt;
  }

  // Client(2): a process with its arguments; P.3: with its number, where two have the same arguments.
  void name_instances() {
    std::map<std::string, int> of_type, of_name;
    std::vector<std::string> names;
    for (const Instance& instance : system_.instances) {
      const Process& process = system_.program->processes[instance.type];
      std::vector<std::string> shown;
      for (std::size_t a = 0; a < instance.arguments.size(); ++a)
        shown.push_back(argument(process.variables[a].type, instance.arguments[a]));
      names.push_back(shown.empty() ? process.name : fmt::format("{}({})", process.name, fmt::join(shown, ",")));
      ++of_type[process.name];
      ++of_name[names.back()];
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      Instance& instance = system_.instances[i];
      const std::string& type = system_.program->processes[instance.type].name;
      instance.name = of_type[type] == 1       ? type
                      : of_name[names[i]] == 1 ? names[i]
                                               : fmt::format("{}.{}", type, instance.pid);
    }
  }

  std::string argument(const Type& type, std::int32_t value) const {
    if (type.base == Type::Base::channel && value > 0 && static_cast<std::size_t>(value) <= system_.channels.size())
      return system_.channels[static_cast<std::size_t>(value) - 1].name;
    return show(*system_.program, type.base == Type::Base::mtype ? static_cast<std::int32_t>(type.index) : -1, value);
  }

  const Compiled& code_;
  ActionTable no_actions_;
  Memory memory_;
  Executor executor_;
  System system_;
  std::uint32_t init_ = 0;                     // its number
  std::map<std::uint32_t, Values> arguments_;  // by process
  const std::vector<bool> written_ = written_globals(code_);
  bool alone_ = false;        // init is the only process at the start
  bool interrupted_ = false;  // others may have moved since init began to start them
  bool keeps_floor_ = false;
};

}  // namespace

std::string show(const Program& program, std::int32_t mtype, std::int32_t value) {
  if (mtype >= 0) {
    const MtypeSet& set = program.mtype_sets[static_cast<std::size_t>(mtype)];
    for (std::size_t i = 0; i < set.names.size(); ++i)
      if (set.values[i] == value) return set.names[i];
  }
  return fmt::format("{}", value);
}

tl::expected<System, Refusal> system_of(const PromelaFile& file, Compiler& compiler, const Watch& no_watch) {
  return Starter(file, compiler, no_watch).run();
}

}  // namespace surety::promela::net
