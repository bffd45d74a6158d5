// Feeds bytes to `certify`, as certificates about the models in tests/fuzz/models. Whatever is refused must come with a
// reason that can be shown, all work must stay inside the budget, and what is violated must not be proved.
#include <chrono>
#include <string>

#include "api/commands.hpp"
#include "api/json.hpp"
#include "base/check.hpp"

namespace surety::api {
namespace {

void fuzz_certificate(const std::string& text) {
  CertifyRequest request{SURETY_FUZZ_FOLDER "/fuzz.json"};
  request.limits.time = std::chrono::milliseconds(500);
  const auto start = std::chrono::steady_clock::now();
  const auto result = certify_text(text, request);
  // Generous: reading is not inside the budget, and sanitizers are slow.
  check(std::chrono::steady_clock::now() - start < std::chrono::seconds(5), "certify stays inside the budget");
  if (!result) {
    check(!result.error().diagnostics.empty(), "a refusal has a reason");
    for (const auto& d : result.error().diagnostics) check(!render(d).empty(), "a reason can be shown");
    return;
  }
  check(!dump(to_json(*result)).empty(), "an answer can be shown");
  if (!result->accepted() && result->finished() && result->refused.empty()) {
    bool reason = false;
    for (const auto& line : result->lines) reason = reason || !line.reason.empty();
    check(reason, "a refusal has a reason");
  }
  for (const auto& line : result->lines)
    check(!line.accepted || (line.property != "BAD" && line.property != "bad"), "what is violated is not proved");
}

}  // namespace
}  // namespace surety::api

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  surety::api::fuzz_certificate({reinterpret_cast<const char*>(data), size});
  return 0;
}
