#include "spin/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "base/check.hpp"
#include "base/file.hpp"

namespace surety::spin {

using Outcome = SearchResult::Outcome;

Result<std::unique_ptr<SpinChecker>> SpinChecker::make(System system, Mode mode, Budget& budget) {
  auto tools = Tools::find(budget);
  if (!tools) return tl::unexpected(std::move(tools.error()));
  auto folder = TempFolder::make();
  if (!folder) return tl::unexpected(std::move(folder.error()));
  return std::unique_ptr<SpinChecker>(new SpinChecker(std::move(system), mode, std::move(*tools), std::move(*folder)));
}

SpinChecker::SpinChecker(System system, Mode mode, Tools tools, TempFolder folder)
    : system_(std::move(system)), mode_(mode), folder_(std::move(folder)), pan_(std::move(tools)) {
  for (std::uint32_t k = 0; k < system_.operations.size(); ++k)
    operations_[fmt::format("{}?{}", system_.operations[k].where, system_.operations[k].message)] = k;
}

SideNumbers SpinChecker::numbers(const Side& side) const {
  SideNumbers out;
  for (const Lts* lts : side) {
    const auto it = std::find_if(system_.instances.begin(), system_.instances.end(),
                                 [&](const Instance& instance) { return instance.lts == lts; });
    surety::check(it != system_.instances.end(), "SPIN is asked about what is no process");
    out.push_back(static_cast<std::uint32_t>(it - system_.instances.begin()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string SpinChecker::verifier(const SideNumbers& side, const Lts* assumption, const Lts& property, Budget& budget) {
  const bool whole = side.size() == system_.instances.size();
  std::string folder;
  if (const auto known = folders_.find(side); known != folders_.end()) {
    folder = known->second;
  } else {
    folder = folder_.file(fmt::format("{}", folders_.size()));
    std::error_code error;
    if (!std::filesystem::create_directory(folder, error))
      return pan_.fail("a temporary folder cannot be made", error.message(), budget), "";
    if (mode_ == Mode::separate && !pan_.make(folder, open_text(system_, side), whole, true, budget)) return "";
    folders_[side] = folder;
  }
  if (mode_ == Mode::per_query)
    return pan_.make(folder, query_text(system_, side, assumption, property), whole, false, budget) ? folder : "";
  auto written = write_file(folder + "/" + kTableFile, table_text(system_, side, assumption, property));
  if (!written) return pan_.fail("a table for SPIN cannot be written", written.error().front().message, budget), "";
  return folder;
}

SearchResult SpinChecker::check(const Lts* assumption, const Side& side, const Lts& property, Budget& budget) {
  SearchResult result;
  result.outcome = Outcome::stopped;
  surety::check(property.state_count() > 0, "a property without states");
  const std::string folder = verifier(numbers(side), assumption, property, budget);
  if (folder.empty() || !budget.go_on()) return result;
  const PanReport report = pan_.verify(folder, budget);
  result.states = report.states;
  result.transitions = report.transitions;
  result.bytes = report.bytes;
  if (!budget.go_on()) return result;
  if (report.kind == PanReport::Kind::clean) {
    result.outcome = Outcome::exhausted;
    return result;
  }
  if (report.message != kViolation && !report.message.starts_with("event_trace error")) {
    pan_.fail(fmt::format("SPIN reports an error of a component: {}", report.message), "", budget);
    return result;
  }
  const std::string replay = pan_.replay(folder, mode_ == Mode::separate, budget);
  if (!budget.go_on()) return result;
  if (understand(replay, result.trace))
    result.outcome = Outcome::found;
  else
    pan_.fail("SPIN's counterexample is not understood", replay, budget);
  return result;
}

// Lines "surety@7" of our own verifier, or "... Recv u1,3 <- queue 2 (grant[2])" of spin.
bool SpinChecker::understand(const std::string& replay, Trace& trace) const {
  static const std::regex received(R"(Recv (\S+)\s+<- queue \d+ \((\S+)\))");
  const std::string mark = kStepMark;
  std::istringstream lines(replay);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (const auto at = line.find(mark); mode_ == Mode::separate && at != std::string::npos) {
      const auto k = std::strtoul(line.c_str() + at + mark.size(), nullptr, 10);
      if (k >= system_.actions.size()) return false;
      trace.push_back(system_.actions[k]);
    } else if (mode_ == Mode::per_query && std::regex_search(line, found, received)) {
      const auto known = operations_.find(fmt::format("{}?{}", found[2].str(), found[1].str()));
      if (known == operations_.end()) return false;
      trace.push_back(system_.actions[known->second]);
    }
  }
  return !trace.empty();
}

}  // namespace surety::spin
