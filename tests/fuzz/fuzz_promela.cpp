// Feeds bytes to the Promela reader, prints what it accepts, reads that back, and walks a little through both. Cycles
// through labels are replayed.
// Whatever is refused must come with a reason that can be shown. The preprocessor is left out: it is not ours.
#include <chrono>
#include <string_view>

#include "base/check.hpp"
#include "certify/machine.hpp"
#include "engine/machine/liveness.hpp"
#include "lang/promela/labels.hpp"
#include "lang/promela/machine/label_claim.hpp"
#include "lang/promela/printer.hpp"

namespace surety {
namespace {

void check_shown(const Diagnostics& errors) {
  check(!errors.empty(), "a refusal has a reason");
  for (const auto& d : errors) check(!render(d).empty(), "a reason can be shown");
}

void fuzz_labels(const std::string& name, PromelaMachine& machine, PromelaMachine& same) {
  Budget budget({std::chrono::seconds(1), {}, 500, {}});
  const auto result = find_claimed_run(machine, label_claim(name, machine), budget);
  if (!result.run) return;
  Trace actions;
  for (const auto& step : result.run->path.steps) actions.push_back(step.action);
  const auto& [path, again] = *result.run;
  check(!certify::replay_run(same, path.states, actions, again, label_claim(name, same)), "a run can be replayed");
}

void fuzz_promela(std::string_view text) {
  if (text.find('#') != std::string_view::npos) return;
  const auto file = read_promela(text, "fuzz.pml");
  if (!file) return check_shown(file.error());
  const auto back = read_promela(promela::to_promela(*file->program), "back.pml");
  check(back.has_value(), "what is printed can be read");
  ActionTable actions;
  const auto machine = PromelaMachine::make(*file, actions), same = PromelaMachine::make(*back, actions);
  check(machine.has_value() == same.has_value(), "what is printed is accepted as far as the program is");
  if (!machine) return check_shown(machine.error());
  Budget budget({std::chrono::seconds(1), {}, 500, {}}), other({std::chrono::seconds(1), {}, 500, {}});
  const auto one = search_machine(**machine, kToTheEnd | 7, budget), two = search_machine(**same, kToTheEnd | 7, other);
  if (budget.why() != Stop::time && other.why() != Stop::time)
    check(one.states == two.states, "what is printed has the same states");
  for (const auto& name : promela::label_checks(*file->program)) {
    const auto again = PromelaMachine::make(*file, actions);
    fuzz_labels(name, **machine, **again);
  }
}

}  // namespace
}  // namespace surety

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  surety::fuzz_promela({reinterpret_cast<const char*>(data), size});
  return 0;
}
