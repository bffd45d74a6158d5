// Feeds bytes to the parser of Ada, as one file of two. Whatever is refused must come with a reason that can be shown,
// and whatever is accepted has places inside its file.
#include <string>

#include "base/check.hpp"
#include "lang/ada/parser.hpp"

namespace surety::ada {
namespace {

constexpr std::string_view kBefore = "procedure Before is begin null; end Before;\n";

void fuzz_ada(std::string_view text) {
  const Source source("fuzz.adb", std::string(kBefore) + std::string(text));
  Report report(source);
  const auto units = parse(source, kBefore.size(), text.size(), report);
  for (const auto& d : report.errors()) check(!render(d).empty(), "a reason can be shown");
  if (report.failed()) return;
  for (const auto& unit : units) {
    const auto& place = unit.declaration.place;
    check(place.offset >= kBefore.size() && place.offset + place.length <= source.text.size(),
          "a place is in its file");
  }
}

}  // namespace
}  // namespace surety::ada

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  surety::ada::fuzz_ada({reinterpret_cast<const char*>(data), size});
  return 0;
}
