#include "inspect/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lang/aut/read.hpp"
#include "load/fsp_beside.hpp"

namespace surety::api {

std::string equivalence_name(Equivalence equivalence) {
  switch (equivalence) {
    case Equivalence::trace: return "trace";
    case Equivalence::weak: return "weak";
    case Equivalence::strong: return "strong";
  }
  return "?";
}

bool Comparison::equivalent() const { return !lines.empty() && !lines.front().difference.has_value(); }

namespace {

struct Named {
  std::string name;
  Lts lts;
};

// A composite or process of an FSP file.
Outcome<Named> read_system(const std::string& file, const std::string& wanted, const CompareRequest& request,
                           ActionTable& actions, Budget& budget) {
  auto text = text_of(request.texts, file);
  if (!text) return bad_input(std::move(text.error()));
  auto fsp = read_fsp_beside(*text, file, actions, request.defines, request.texts);
  if (!fsp) return bad_input(std::move(fsp.error()));
  const auto composites = fsp->composites(), processes = fsp->processes();
  const std::string name = wanted.empty() && !composites.empty() ? composites.back() : wanted;
  if (std::find(composites.begin(), composites.end(), name) != composites.end()) {
    auto composite = fsp->composite(name, budget);
    if (!composite && budget.why() == Stop::none) return bad_input(std::move(composite.error()));
    auto lts = composite ? compose_fsp(*composite, budget) : std::nullopt;
    return Named{name, lts ? std::move(*lts) : Lts{}};  // without a budget the caller says so
  }
  if (std::find(processes.begin(), processes.end(), name) != processes.end()) {
    auto process = fsp->process(name, &budget);
    if (!process && budget.why() == Stop::none) return bad_input(std::move(process.error()));
    return Named{name, process ? std::move(process->lts) : Lts{}};
  }
  std::vector<std::string> known = composites;
  known.insert(known.end(), processes.begin(), processes.end());
  return usage(fmt::format("{}: there is no composite or process '{}'", file, name),
               did_you_mean(name, known, "there are"));
}

Outcome<Named> read_one(const std::string& where, const CompareRequest& request, ActionTable& actions, Budget& budget) {
  const auto [file, name] = file_and_name(where);
  const std::string ending = std::filesystem::path(file).extension().string();
  if (request.language == "fsp" || (request.language.empty() && (ending == ".lts" || ending == ".fsp")))
    return read_system(file, name, request, actions, budget);
  if (request.language != "aut" && ending != ".aut" && ending != ".json")
    return usage(fmt::format("{}: files ending in '{}' cannot be compared", file, ending),
                 "use .aut, .json or .lts, or say --language");
  auto text = text_of(request.texts, file);
  if (!text) return bad_input(std::move(text.error()));
  auto lts = ending == ".json" ? read_lts_json_text(*text, file, actions) : read_aut(*text, file, actions);
  if (!lts) return bad_input(std::move(lts.error()));
  return Named{file == "-" ? "stdin" : std::filesystem::path(file).stem().string(), std::move(*lts)};
}

}  // namespace

Outcome<Comparison> compare(const CompareRequest& request) {
  std::vector<Equivalence> wanted;
  for (const auto e : {Equivalence::trace, Equivalence::weak, Equivalence::strong})
    if (request.equivalence.empty() || equivalence_name(e) == request.equivalence) wanted.push_back(e);
  if (wanted.empty())
    return usage(fmt::format("there is no equivalence '{}'", request.equivalence), "use trace, weak or strong");
  Budget budget(request.limits, request.interrupted);
  Comparison out;
  std::array<Lts, 2> sides;
  Failure failure{Failure::kUsage, {}};
  for (std::size_t i = 0; i < 2; ++i) {  // both, so that one run reports the errors of both
    auto read = read_one(request.files[i], request, *out.actions, budget);
    if (!read) {
      if (failure.diagnostics.empty() || read.error().status == Failure::kInput) failure.status = read.error().status;
      failure.diagnostics.insert(failure.diagnostics.end(), read.error().diagnostics.begin(),
                                 read.error().diagnostics.end());
      continue;
    }
    out.names[i] = read->name;
    sides[i] = std::move(read->lts);
  }
  if (!failure.diagnostics.empty()) return tl::unexpected(std::move(failure));
  if (out.names[0] == out.names[1])
    for (std::size_t i = 0; i < 2; ++i)
      out.names[i] = fmt::format("{} ({})", out.names[i], i == 0 ? "first" : "second");
  for (const auto e : wanted) {
    auto found = budget.go_on() ? difference(sides[0], sides[1], e, &budget) : std::nullopt;
    if (!budget.go_on()) break;
    out.lines.push_back({e, std::move(found)});
  }
  out.why = budget.why();
  return out;
}

}  // namespace surety::api
