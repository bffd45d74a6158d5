// Laws of flow programs and their networks, over random flow programs.
//
// SURETY_PROGRAMS says how many programs, SURETY_SEED where to begin. A program that breaks a law is shown with its
// seed, made as small as it can be.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "ada/flow_programs.hpp"
#include "ada/flow_reference.hpp"
#include "base/check.hpp"

namespace surety {
namespace {

constexpr std::uint64_t kPrograms = 2000;
constexpr std::size_t kMostStates = 3'000, kMostPairs = 3'000;
constexpr std::size_t kMostShown = 5;

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Outcome {
  bool refused = false, too_large = false;
  std::string wrong;  // nothing: the law holds
  bool more_than_gnat = false;
  std::size_t states = 0, network_states = 0;
  std::set<std::string> seen;  // what happens in it
};

std::string joined(const std::vector<std::string>& trace) { return fmt::format("{}", fmt::join(trace, " ")); }

// What sort of step a name is.
std::string sort_of(const std::string& name) {
  static const std::vector<std::string> kSorts = {
      ".fails.",     ".gone@",      ".raised.", ".end@",      ".end.",         ".begin@",
      ".activated@", ".abandoned.", ".queued",  ".count.is.", ".callable.is.", ".terminated.is.",
      ".is.",        ".to.",        "p.op",     ".put",       ".get"};
  for (const std::string& sort : kSorts)
    if (name.find(sort) != std::string::npos) return sort;
  return "event";
}

void note_what_happens(const Behaviour& behaviour, const Labels& labels, std::set<std::string>& out) {
  std::set<std::uint32_t> used;
  for (const auto& steps : behaviour.steps)
    for (const auto& step : steps) used.insert(step.label);
  for (const std::uint32_t label : used)
    if (label != 0) out.insert("step " + sort_of(labels.name(label)));
  for (const auto end : behaviour.ends) {
    if (end == Behaviour::End::stuck) out.insert("can be stuck");
    if (end == Behaviour::End::ended) out.insert("can end");
  }
}

// The network against both readings of conditional calls.
Outcome compare_with_queues(const AdaProgram& program) {
  Outcome out;
  ActionTable actions;
  Budget budget;
  const auto network = ada_network(program, actions, budget);
  if (!network) {
    out.refused = true;
    out.wrong = "it is refused: " + network.error().message;
    return out;
  }
  Labels labels;
  const auto model = behaviour_of(*network, program.flow, actions, labels, kMostStates);
  const auto manual = reference_behaviour(program, ConditionalCalls::queued, labels, kMostStates);
  const auto gnat = reference_behaviour(program, ConditionalCalls::never_queued, labels, kMostStates);
  out.too_large = !model || !manual || !gnat;
  if (out.too_large) return out;
  out.states = manual->steps.size();
  out.network_states = model->steps.size();
  note_what_happens(*manual, labels, out.seen);
  const Comparison equal = compare(*manual, *model, labels, kMostPairs);
  const Comparison within = compare(*gnat, *model, labels, kMostPairs);
  out.too_large = equal.too_large || within.too_large;
  if (equal.only_first) out.wrong += fmt::format("only with queues: {}\n", joined(*equal.only_first));
  if (equal.only_second) out.wrong += fmt::format("only in the network: {}\n", joined(*equal.only_second));
  if (within.only_first) out.wrong += fmt::format("only with GNAT's queues: {}\n", joined(*within.only_first));
  out.more_than_gnat = within.only_second.has_value();
  return out;
}

bool breaks_the_law(const flow::Program& program) {
  try {
    const Outcome outcome = compare_with_queues(with_source(program));
    return !outcome.wrong.empty() && !outcome.refused;
  } catch (const InternalError&) {  // a loop that does nothing
    return false;
  }
}

// A smaller program that breaks the law, too.
flow::Program smallest(flow::Program program) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (flow::Program& less : simpler(program))
      if (breaks_the_law(less)) {
        program = std::move(less);
        smaller = true;
        break;
      }
  }
  return program;
}

TEST(FlowPrograms, HaveTheTracesOfQueuesThatAreFirstComeFirstServed) {
  const std::uint64_t first = number_from("SURETY_SEED", 1);
  const std::uint64_t count = number_from("SURETY_PROGRAMS", kPrograms);
  std::map<std::string, std::uint64_t> tally;
  std::uint64_t compared = 0, too_large = 0, more = 0, wrong = 0, states = 0, network_states = 0;
  for (std::uint64_t seed = first; compared < count && wrong < kMostShown; ++seed) {
    const AdaProgram program = random_flow_program(seed);
    const Outcome outcome = compare_with_queues(program);
    if (outcome.too_large) {
      ++too_large;
      continue;
    }
    ++compared;
    more += outcome.more_than_gnat;
    states += outcome.states;
    network_states += outcome.network_states;
    for (const std::string& feature : features(program.flow)) ++tally[feature];
    for (const std::string& what : outcome.seen) ++tally[what];
    if (outcome.wrong.empty()) continue;
    ++wrong;
    const flow::Program small = outcome.refused ? program.flow : smallest(program.flow);
    ADD_FAILURE() << "seed " << seed << "\n"
                  << outcome.wrong << "a smaller one:\n"
                  << compare_with_queues(with_source(small)).wrong << shown(small);
  }
  fmt::print("{} programs, {} too large; {} states with queues, {} of the network; {} with more traces than GNAT's\n",
             compared, too_large, states, network_states, more);
  for (const auto& [what, number] : tally) fmt::print("{:6} {}\n", number, what);
}

}  // namespace
}  // namespace surety
