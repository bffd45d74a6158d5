// The answers: it holds, with a proof; it is violated, with a trace; it is not known, with what is.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/budget.hpp"
#include "model/proof.hpp"

namespace surety {

struct Holds {
  Certificate certificate;
};
struct Violated {
  Trace trace;       // of the whole network, every step, tau included
  Trace cycle = {};  // of progress and assertions: what is then repeated for ever; empty if nothing more happens
};
struct Unknown {
  Stop why = Stop::none;
  std::vector<Lts> assumptions;  // the last conjecture, if there was one
  std::string known;             // what is known of it: "too weak", "too strong", "untested"
  Trace trace = {};              // of a supplied assumption that is wrong: what the rest does
};
using Verdict = std::variant<Holds, Violated, Unknown>;

enum class VerdictKind : std::uint8_t { holds, violated, unknown };  // as the variant has them
inline VerdictKind verdict_kind(const Verdict& verdict) { return static_cast<VerdictKind>(verdict.index()); }
constexpr std::string_view name_of(VerdictKind kind) {
  return kind == VerdictKind::holds ? "holds" : kind == VerdictKind::violated ? "violated" : "unknown";
}
inline std::string_view name_of(const Verdict& verdict) { return name_of(verdict_kind(verdict)); }

}  // namespace surety
