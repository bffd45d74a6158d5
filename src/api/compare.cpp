#include <fmt/format.h>

#include "api/commands.hpp"

namespace surety::api {

std::string equivalence_name(Equivalence equivalence) {
  switch (equivalence) {
    case Equivalence::trace: return "trace";
    case Equivalence::weak: return "weak";
    case Equivalence::strong: return "strong";
  }
  return "?";
}

bool Comparison::equivalent() const { return !lines.front().difference.has_value(); }

Outcome<Comparison> compare(const std::string& a, const std::string& b, const std::string& equivalence,
                            const std::string& language) {
  std::vector<Equivalence> wanted;
  for (const auto e : {Equivalence::trace, Equivalence::weak, Equivalence::strong})
    if (equivalence.empty() || equivalence_name(e) == equivalence) wanted.push_back(e);
  if (wanted.empty())
    return usage(fmt::format("there is no equivalence '{}'", equivalence), "use trace, weak or strong");
  Budget budget;
  Source source;
  source.files = {a, b};
  source.language = language;
  auto model = load(source, budget);
  if (!model) return tl::unexpected(std::move(model.error()));
  Comparison out{std::move(*model), {}};
  const Lts& first = out.model.network.components[0].lts;
  const Lts& second = out.model.network.components[1].lts;
  for (const auto e : wanted) out.lines.push_back({e, difference(first, second, e)});
  return out;
}

}  // namespace surety::api
