// Feeds bytes to the readers of lang/aut. Whatever a reader accepts must come back the same from the
// writer's text; whatever it refuses must come with a reason that can be shown.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/check.hpp"
#include "lang/aut/read.hpp"
#include "lang/aut/write.hpp"

namespace surety {
namespace {

using Json = nlohmann::json;

void check_same(const Lts& a, const Lts& b) {
  check(a.state_count() == b.state_count() && a.alphabet() == b.alphabet(), "states and alphabet come back");
  check(a.error() == b.error() && a.end() == b.end(), "error and END come back");
  for (std::uint32_t s = 0; s < a.state_count(); ++s)
    check(std::ranges::equal(a.steps(State{s}), b.steps(State{s})), "steps come back");
}

// The value of a result, or nothing once its errors have been shown.
const Lts* accepted(const Result<Lts>& result) {
  if (result) return &*result;
  check(!result.error().empty(), "a refusal has a reason");
  for (const auto& d : result.error()) check(!render(d).empty(), "a reason can be shown");
  return nullptr;
}

bool is_utf8(const Lts& lts, const ActionTable& actions) {
  return std::ranges::all_of(lts.alphabet(), [&](Action a) {
    const Json name = actions.name(a);
    return Json::parse(name.dump(-1, ' ', false, Json::error_handler_t::replace)) == name;
  });
}

void fuzz_json(const Json& json, ActionTable& actions) {
  const auto result = read_lts_json(json, "fuzz.json", actions);
  const Lts* lts = accepted(result);
  if (!lts) return;
  to_dot(*lts, actions, "fuzz");
  const auto back = read_lts_json(Json::parse(to_json(*lts, actions)), "back.json", actions);
  check(accepted(back), "what to_json writes can be read");
  check_same(*lts, *back);
}

void fuzz_aut(std::string_view text, ActionTable& actions) {
  const auto result = read_aut(text, "fuzz.aut", actions);
  const Lts* lts = accepted(result);
  if (!lts) return;
  to_dot(*lts, actions, "fuzz");
  const auto back = read_aut(to_aut(*lts, actions), "back.aut", actions);
  check(accepted(back), "what to_aut writes can be read");
  check_same(*lts, *back);
  const Json json = Json::parse(to_json(*lts, actions));
  if (is_utf8(*lts, actions)) fuzz_json(json, actions);
}

}  // namespace
}  // namespace surety

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace surety;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ActionTable actions;
  fuzz_aut(text, actions);
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_discarded()) fuzz_json(json, actions);
  return 0;
}
