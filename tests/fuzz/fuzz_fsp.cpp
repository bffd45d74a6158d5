// Feeds bytes to the FSP reader, elaborates everything it accepts, and prints the small LTSs back.
// Whatever is refused must come with a reason that can be shown.
#include <chrono>
#include <string_view>

#include "base/check.hpp"
#include "lang/fsp/fsp.hpp"
#include "model/equivalence.hpp"

namespace surety {
namespace {

// Small, so that an input that asks for much is refused in milliseconds.
const FspLimits kLimits{20'000, 5'000, 5'000, 50, 20'000, 50'000};

void check_shown(const Diagnostics& errors) {
  check(!errors.empty(), "a refusal has a reason");
  for (const auto& d : errors) check(!render(d).empty(), "a reason can be shown");
}

void check_printer(const Lts& lts, ActionTable& actions) {
  if (lts.state_count() > 30 || lts.alphabet().size() > 30) return;
  // Accepting states and constraints bring labels that FSP itself cannot write.
  for (const Action a : lts.alphabet())
    if (actions.name(a).find_first_of("@*") != std::string_view::npos) return;
  const std::string text = to_fsp(lts, actions, "BACK");
  const auto file = read_fsp(text, "back.lts", actions, {}, kLimits);
  check(file.has_value(), "what to_fsp writes can be read");
  const auto back = file->process("BACK");
  check(back.has_value(), "what to_fsp writes can be compiled");
  check(!difference(lts, back->lts, Equivalence::strong), "what to_fsp writes behaves the same");
}

void fuzz_fsp(std::string_view text, ActionTable& actions) {
  const auto file = read_fsp(text, "fuzz.lts", actions, {}, kLimits);
  if (!file) return check_shown(file.error());
  for (const auto& d : file->warnings()) check(!render(d).empty(), "a warning can be shown");
  for (const auto& name : file->processes()) {
    const auto process = file->process(name);
    if (!process)
      check_shown(process.error());
    else
      check_printer(process->lts, actions);
  }
  for (const auto& name : file->assertions())
    if (const auto assertion = file->assertion(name); !assertion) check_shown(assertion.error());
  if (const auto progress = file->progress(); !progress) check_shown(progress.error());
  if (const auto fluents = file->fluents(); !fluents) check_shown(fluents.error());
  if (const auto menus = file->menus(); !menus) check_shown(menus.error());
  for (const auto& name : file->composites()) {
    Budget budget({std::chrono::seconds(1), {}, 2'000, {}});
    const auto composite = file->composite(name, budget);
    if (!composite) {
      check_shown(composite.error());
    } else if (const auto lts = compose_fsp(*composite, budget)) {
      check_printer(minimise_ltsa(*lts), actions);
    }
  }
}

}  // namespace
}  // namespace surety

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  surety::ActionTable actions;
  surety::fuzz_fsp({reinterpret_cast<const char*>(data), size}, actions);
  return 0;
}
