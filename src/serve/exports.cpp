#include "serve/exports.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include "base/file.hpp"
#include "base/process.hpp"
#include "serve/gate.hpp"

namespace surety::serve {
namespace {

using namespace std::chrono_literals;

constexpr auto kTimeToConvert = 30s;
constexpr std::size_t kMostText = 256 << 20;

const std::map<std::string, std::string> kTypes = {
    {"json", "application/json"}, {"aut", "text/plain"}, {"dot", "text/plain"}, {"lts", "text/plain"}};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t n = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), n);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

// As a file has it. What was too large to be told with its steps is not there.
Or<Json> as_file(const Json& lts) {
  if (!lts.contains("steps")) return trouble(413, "size", "this one was too large to be told with all its steps");
  return Json{{"schema", 1},
              {"states", lts.at("states")},
              {"initial", 0},
              {"error", lts.value("error", Json())},
              {"end", lts.value("end", Json())},
              {"alphabet", lts.at("alphabet")},
              {"steps", lts.at("steps")}};
}

// Goes through the events of a job; actions are numbers there.
class Teller {
 public:
  Or<Json> find(JobLog& log, std::uint64_t k, std::uint64_t assumption, const Wanted& wanted) {
    const auto check = number(wanted.check), lane = number(wanted.lane);
    if (!check || (!wanted.lane.empty() && !lane)) return bad_request("'check' and 'lane' are numbers");
    JobLog::Cursor cursor;
    while (true) {
      const auto piece = log.next(cursor, 0ms);
      if (piece.text.empty()) return trouble(404, "missing", fmt::format("there is no conjecture {}", k));
      for (std::string_view rest = piece.text; !rest.empty();) {
        const auto end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end + 1);
        if (!is_about(line)) continue;
        const Json event = Json::parse(line, nullptr, false);
        if (!event.is_object()) continue;
        learn(event);
        if (event.value("event", "") != "conjecture" || event.value("k", 0U) != k ||
            event.value("assumption", 0U) != assumption || event.value("check", 0U) != *check ||
            (lane && event.value("lane", 0U) != *lane))
          continue;
        return named(event.at("lts"));
      }
    }
  }

 private:
  static bool is_about(std::string_view line) {
    for (const char* event : {"\"event\":\"model\"", "\"event\":\"actions\"", "\"event\":\"conjecture\""})
      if (line.find(event) != std::string_view::npos) return true;
    return false;
  }

  void learn(const Json& event) {
    if (event.value("event", "") == "model") names_ = event.value("actions", std::vector<std::string>());
    if (event.value("event", "") == "actions") {
      names_.resize(event.value("from", names_.size()));
      for (const Json& name : event.at("names")) names_.push_back(name);
    }
  }

  Or<Json> named(Json lts) const {
    if (!lts.contains("steps")) return as_file(lts);
    for (Json& action : lts.at("alphabet")) action = names_.at(action.get<std::size_t>());
    for (Json& step : lts.at("steps")) step.at(1) = names_.at(step.at(1).get<std::size_t>());
    return as_file(lts);
  }

  std::vector<std::string> names_;
};

Or<Json> of_report(Job& job, const std::string& check, std::uint64_t assumption) {
  const auto text = read_file(job.file("report"));
  const Json report = text ? Json::parse(*text, nullptr, false) : Json();
  const auto at = number(check);
  if (!report.is_object() || !at) return trouble(404, "missing", "there is no report, or not yet");
  if (report.contains("assumption") && report["assumption"].contains("lts"))
    return as_file(report["assumption"]["lts"]);
  if (!report.contains("checks") || *at >= report["checks"].size())
    return trouble(404, "missing", "the report has no such check");
  const Json& entry = report["checks"][*at];
  if (!entry.contains("assumptions") || assumption == 0 || assumption > entry["assumptions"].size())
    return trouble(404, "missing", "this check has no such assumption");
  return as_file(entry["assumptions"][assumption - 1].value("lts", Json::object()));
}

Or<std::string> json_of(Job& job, const Wanted& wanted) {
  if (wanted.of == "whole") {
    auto text = read_file(job.file("whole.json"));
    if (!text) return trouble(404, "missing", "only compose builds the whole, and only when it is done");
    return std::move(*text);
  }
  constexpr std::string_view kAssumption = "assumption.";
  const auto which = wanted.of.starts_with(kAssumption) ? number(std::string_view(wanted.of).substr(kAssumption.size()))
                                                        : std::nullopt;
  if (!which) return bad_request("'of' is whole or assumption.N");
  const auto k = number(wanted.k);
  if (!wanted.k.empty() && !k) return bad_request("'k' is the number of a conjecture");
  const auto found = k ? Teller().find(job.log(), *k, *which, wanted) : of_report(job, wanted.check, *which);
  if (!found) return tl::unexpected(found.error());
  return dump(*found);
}

}  // namespace

Or<Exported> export_lts(Job& job, const Wanted& wanted, const std::string& surety, const std::atomic<bool>& over) {
  const auto type = kTypes.find(wanted.format);
  if (type == kTypes.end()) return bad_request("'format' is aut, dot, json or lts");
  auto json = json_of(job, wanted);
  if (!json) return tl::unexpected(json.error());
  if (wanted.format == "json") return Exported{std::move(*json), type->second};
  Limits limits;
  limits.time = kTimeToConvert;
  Budget budget(limits, &over);
  const std::string folder = job.file(("export." + random_token()).c_str()),
                    file = folder + "/A.json";  // of FSP, A = …
  std::filesystem::create_directory(folder);
  if (auto written = write_file(file, *json); !written) return trouble(500, "file", written.error()[0].message);
  Command command{{surety, "compose", "--quiet", "--time=20s", "--memory=2G", "--output=-", "--format=" + wanted.format,
                   "--", file}};
  command.keep = kMostText;
  command.errors_apart = true;
  const Ran ran = run(command, budget);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  if (!ran.fine() || ran.cut) return trouble(422, "format", utf8(ran.errors.empty() ? "too large" : ran.errors));
  return Exported{ran.output, type->second};
}

}  // namespace surety::serve
