// Feeds bytes to the reader of quantified regular expressions. Whatever is refused must come with a reason that can be
// shown, and whatever is accepted is a property that allows something.
#include <chrono>
#include <string_view>

#include "base/check.hpp"
#include "lang/qre/qre.hpp"

namespace surety {
namespace {

void fuzz_qre(std::string_view text) {
  Budget budget({std::chrono::seconds(5), {}, {}, {}});
  const auto read = read_qre(text, "fuzz.qre", budget);
  if (!read) {
    check(!read.error().empty(), "a refusal has a reason");
    for (const auto& d : read.error()) check(!render(d).empty(), "a reason can be shown");
    return;
  }
  for (const QreProperty& property : *read) {
    std::vector<std::vector<Action>> actions;
    for (std::uint32_t i = 0; i < property.events.size(); ++i) actions.push_back({Action{i + 2}});
    const Lts monitor = qre_monitor(property, actions, Action{1});
    check(monitor.state_count() > 0 && is_deterministic(monitor), "a property is deterministic");
    check(property.automaton.accepting.size() == monitor.state_count(), "every state is accepting or not");
  }
}

}  // namespace
}  // namespace surety

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  surety::fuzz_qre({reinterpret_cast<const char*>(data), size});
  return 0;
}
