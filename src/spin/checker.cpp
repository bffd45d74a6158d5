#include "spin/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "base/check.hpp"
#include "base/file.hpp"

namespace surety::spin {

using Outcome = SearchResult::Outcome;

namespace {

// What the assumption allows, but at most n actions of this alphabet, which contains that of the assumption.
Lts limited(const Lts* assumption, const Alphabet& alphabet, std::uint32_t n) {
  const std::uint32_t states = assumption == nullptr ? 1 : assumption->state_count();
  LtsBuilder builder;
  builder.set_state_count(states * (n + 1));
  builder.add_to_alphabet(alphabet);
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t s = 0; s < states; ++s)
      for (const Action a : alphabet) {
        std::uint32_t target = s;
        if (assumption != nullptr && assumption->alphabet().contains(a)) {
          const auto steps = assumption->steps(State{s}, a);
          if (steps.empty()) continue;
          target = steps.front().target.value;
        }
        builder.add_step(State{i * states + s}, a, State{(i + 1) * states + target});
      }
  return builder.build();
}

// The process that plays the assumption cannot take part in a rendezvous between two processes of the side. So an
// assumption about such an action becomes a part of the property: after an action that the assumption does not allow,
// everything is allowed.
Lts folded(const Lts& assumption, const Lts& property) {
  const std::uint32_t width = property.state_count(), sink = assumption.state_count() * width;
  const Alphabet alphabet = unite(assumption.alphabet(), property.alphabet());
  LtsBuilder builder;
  builder.set_state_count(sink + 1);
  builder.add_to_alphabet(alphabet);
  const auto next = [](const Lts& lts, std::uint32_t s, Action a) -> std::optional<std::uint32_t> {
    if (!lts.alphabet().contains(a)) return s;
    const auto steps = lts.steps(State{s}, a);
    if (steps.empty() || steps.front().target == lts.error()) return std::nullopt;
    return steps.front().target.value;
  };
  for (const Action a : alphabet) {
    builder.add_step(State{sink}, a, State{sink});
    for (std::uint32_t s = 0; s < sink; ++s) {
      const auto allowed = next(assumption, s / width, a);
      const auto fine = next(property, s % width, a);
      if (!allowed)
        builder.add_step(State{s}, a, State{sink});
      else if (fine)
        builder.add_step(State{s}, a, State{*allowed * width + *fine});
    }
  }
  return builder.build();
}

}  // namespace

Result<std::unique_ptr<SpinChecker>> SpinChecker::make(System system, Mode mode, Budget& budget) {
  auto tools = Tools::find(budget);
  if (!tools) return tl::unexpected(std::move(tools.error()));
  auto folder = TempFolder::make();
  if (!folder) return tl::unexpected(std::move(folder.error()));
  return std::unique_ptr<SpinChecker>(new SpinChecker(std::move(system), mode, std::move(*tools), std::move(*folder)));
}

SpinChecker::SpinChecker(System system, Mode mode, Tools tools, TempFolder folder)
    : system_(std::move(system)), mode_(mode), folder_(std::move(folder)), pan_(std::move(tools)) {
  for (std::uint32_t k = 0; k < system_.operations.size(); ++k)
    operations_[fmt::format("{}?{}", system_.operations[k].where, system_.operations[k].message)] = k;
}

SideNumbers SpinChecker::numbers(const ComponentSet& side) const {
  SideNumbers out;
  for (const Lts* lts : side) {
    const auto it = std::find_if(system_.instances.begin(), system_.instances.end(),
                                 [&](const Instance& instance) { return instance.lts == lts; });
    surety::check(it != system_.instances.end(), "SPIN is asked about what is no process");
    out.push_back(static_cast<std::uint32_t>(it - system_.instances.begin()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string SpinChecker::verifier(const SideNumbers& side, const Lts* assumption, const Lts& property, Budget& budget) {
  // A search of a whole system is worth an optimised verifier, one of an open part is not.
  bool whole = !side.empty();
  for (std::uint32_t k = 0; k < system_.actions.size(); ++k) whole &= system_.kind(k, side) != Kind::open;
  std::string folder;
  if (const auto known = folders_.find(side); known != folders_.end()) {
    folder = known->second;
  } else {
    folder = folder_.file(fmt::format("{}", folders_.size()));
    std::error_code error;
    if (!std::filesystem::create_directory(folder, error)) {
      pan_.fail("a temporary folder cannot be made", error.message(), budget);
      return "";
    }
    if (mode_ == Mode::separate && !pan_.make(folder, open_text(system_, side), whole, true, budget)) return "";
    folders_[side] = folder;
  }
  if (mode_ == Mode::per_query)
    return pan_.make(folder, query_text(system_, side, assumption, property), whole, false, budget) ? folder : "";
  auto written = write_file(folder + "/" + kTableFile, table_bytes(system_, side, assumption, property));
  if (written) return folder;
  pan_.fail("a table for SPIN cannot be written", written.error().front().message, budget);
  return "";
}

SearchResult SpinChecker::ask(const SideNumbers& side, const Lts* assumption, const Lts& property, Want want,
                              Budget& budget) {
  SearchResult result;
  result.outcome = Outcome::stopped;
  surety::check(property.state_count() > 0, "a property without states");
  const std::string folder = verifier(side, assumption, property, budget);
  if (folder.empty() || !budget.go_on()) return result;
  const PanReport report = pan_.verify(folder, budget);
  result.states = report.states;
  result.transitions = report.transitions;
  result.bytes = report.bytes;
  if (!budget.go_on()) return result;
  if (report.kind == PanReport::Kind::clean) {
    result.outcome = Outcome::exhausted;
    return result;
  }
  if (report.message != kViolation && !report.message.starts_with("event_trace error")) {
    pan_.fail(fmt::format("SPIN reports an error of a component: {}", report.message), "", budget);
    return result;
  }
  if (want == Want::verdict) {
    result.outcome = Outcome::found;
    return result;
  }
  const std::string replay = pan_.replay(folder, mode_ == Mode::separate, budget);
  if (!budget.go_on()) return result;
  if (understand(replay, result.trace))
    result.outcome = Outcome::found;
  else
    pan_.fail("SPIN's counterexample is not understood", replay, budget);
  return result;
}

// SPIN searches depth first, so its counterexamples are long. Asked again with an assumption that also counts and
// allows only so many actions, it finds shorter ones, from which learners learn more.
SearchResult SpinChecker::check(const Lts* assumption, const ComponentSet& side, const Lts& property, Want want,
                                Budget& budget) {
  const SideNumbers who = numbers(side);
  std::vector<Action> counts, inside;
  for (std::uint32_t k = 0; k < system_.actions.size(); ++k) {
    const Action a = system_.actions[k];
    const bool named = property.alphabet().contains(a) || (assumption != nullptr && assumption->alphabet().contains(a));
    const Kind kind = system_.kind(k, who);
    if (kind == Kind::open || (kind == Kind::free && named)) counts.push_back(a);
    if (kind == Kind::inner) inside.push_back(a);
  }
  const Alphabet counted(std::move(counts)), inner(std::move(inside));
  if (assumption != nullptr && !intersect(inner, assumption->alphabet()).empty()) {
    const Lts both = folded(*assumption, property);
    return check(nullptr, side, both, want, budget);
  }
  SearchResult best = ask(who, assumption, property, want, budget);
  const auto length = [&] { return static_cast<std::uint32_t>(project(best.trace, counted).size()); };
  if (want == Want::verdict || best.outcome != Outcome::found || length() <= 1) return best;
  std::uint32_t enough = length(), little = 0;  // with `little` actions there is no violation
  // From small limits upwards: violations near the start are found in few states.
  for (std::uint32_t n = 1; little + 1 < enough; n = n * 2 < enough ? n * 2 : little + (enough - little) / 2) {
    const Lts limit = limited(assumption, counted, n);
    SearchResult result = ask(who, &limit, property, want, budget);
    result.states = std::max(result.states, best.states);
    if (result.outcome == Outcome::stopped) return result;
    if (result.outcome == Outcome::found) {
      best = std::move(result);
      enough = std::min(n, length());
    } else {
      little = n;
    }
  }
  return best;
}

// Lines "surety@7" of our own verifier, or "... Recv u1,3 <- queue 2 (grant[2])" of spin.
bool SpinChecker::understand(const std::string& replay, Trace& trace) const {
  static const std::regex received(R"(Recv (\S+)\s+<- queue \d+ \((\S+)\))");
  const std::string mark = kStepMark;
  std::istringstream lines(replay);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (const auto at = line.find(mark); mode_ == Mode::separate && at != std::string::npos) {
      const auto k = std::strtoul(line.c_str() + at + mark.size(), nullptr, 10);
      if (k >= system_.actions.size()) return false;
      trace.push_back(system_.actions[k]);
    } else if (mode_ == Mode::per_query && std::regex_search(line, found, received)) {
      const auto known = operations_.find(fmt::format("{}?{}", found[2].str(), found[1].str()));
      if (known == operations_.end()) return false;
      trace.push_back(system_.actions[known->second]);
    }
  }
  return !trace.empty();
}

}  // namespace surety::spin
