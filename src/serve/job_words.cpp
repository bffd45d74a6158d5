#include "serve/job_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "base/units.hpp"

namespace surety::serve {
namespace {

constexpr std::size_t kMostRuns = 1'000;     // of an experiment
constexpr std::size_t kMostValue = 1 << 16;  // bytes of an option

const std::set<std::string> kOfModels = {"system", "define", "cells", "language", "time", "memory", "states"};
const std::map<std::string, std::set<std::string>> kAllowed = {
    {"check",
     {"property", "method", "split", "learner", "alphabet", "reduction", "engine", "constraints", "spin-mode",
      "assumption", "seed-assumption", "threads", "unfair", "all-sizes", "queries", "no-certify"}},
    {"compose", {"property", "minimise"}},
    {"assume",
     {"property", "weakest", "interface", "conformance", "actions", "learner", "queries", "threads", "engine",
      "spin-mode"}},
    {"compare", {"equivalence"}},
    {"certify", {"property"}}};

// Not options of the command line, but of the question.
const std::set<std::string> kOfQuestion = {"other", "other_text", "kind", "methods", "texts"};

using Word = std::string;
using Words = std::vector<Word>;

std::string text_of(const Json& value) {
  if (value.is_string()) return value;
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  return {};
}

// Names of files that an option may have in it are opened beneath the folder by the child; these look wrong already.
bool leads_out(const std::string& value) {
  return value.starts_with('/') || value == ".." || value.starts_with("../") || value.find("/../") != std::string::npos;
}

Or<Word> checked(const std::string& option, std::string value) {
  if (value.empty()) return bad_request(fmt::format("'{}' needs a value", option));
  if (value.size() > kMostValue) return bad_request(fmt::format("the value of '{}' is too long", option));
  if (std::ranges::any_of(value, [](unsigned char c) { return c < 32 || c == 127; }))
    return bad_request(fmt::format("the value of '{}' has control characters", option));
  if (leads_out(value)) return trouble(403, "outside", fmt::format("'{}' leads out of the folder", option));
  return fmt::format("--{}={}", option, value);
}

class Reader {
 public:
  Reader(const Json& asked, const Places& places, const Vocabulary& vocabulary, const Allowance& allowance)
      : asked_(asked), places_(places), vocabulary_(vocabulary), allowance_(allowance) {}

  Or<Order> read() {
    out_.command = asked_.value("command", "");
    out_.program = out_.command == "experiment" ? "check" : out_.command;
    if (!kAllowed.contains(out_.program))
      return bad_request(fmt::format("there is no command '{}' for pages", out_.command));
    if (const auto it = asked_.find("options"); it != asked_.end()) options_ = *it;
    if (!options_.is_object()) return bad_request("'options' is an object");
    if (auto ok = take_files(); !ok) return tl::unexpected(ok.error());
    if (auto ok = take_options(); !ok) return tl::unexpected(ok.error());
    if (auto ok = take_limits(); !ok) return tl::unexpected(ok.error());
    if (auto ok = make_runs(); !ok) return tl::unexpected(ok.error());
    show();
    return std::move(out_);
  }

 private:
  // --- The files.

  Or<void> take_files() {
    out_.path = asked_.value("path", "");
    const auto where = places_.find(out_.path);
    if (!where) return tl::unexpected(where.error());
    out_.folder = where->folder;
    if (auto ok = take_text(where->path, asked_.contains("text") ? &asked_["text"] : nullptr); !ok) return ok;
    out_.files = {where->path};
    if (out_.program == "compare")
      if (auto ok = take_other(); !ok) return ok;
    if (const auto texts = options_.find("texts"); texts != options_.end())
      for (const auto& [path, text] : texts->items())
        if (auto ok = take_text(path, &text); !ok) return ok;
    return {};
  }

  // The text as it is now, whatever becomes of the file until the job has its turn.
  Or<void> take_text(const std::string& path, const Json* text) {
    if (path.find('=') != std::string::npos)
      return bad_request(fmt::format("{}: a file whose name has '=' cannot be checked from here", path));
    if (path.empty() || leads_out(path) || path.find('\0') != std::string::npos)
      return trouble(403, "outside", "this is no file of the folder");
    if (language_of(path).empty()) return trouble(403, "ending", fmt::format("{} is no model", path));
    if (text != nullptr && text->is_string()) {
      out_.overlays.push_back({path, *text});
    } else {
      auto there = out_.folder->read(path);
      if (!there) return tl::unexpected(there.error());
      out_.overlays.push_back({path, std::move(*there)});
    }
    return {};
  }

  // "b.lts:NAME", or another text of the same file.
  Or<void> take_other() {
    std::string other = options_.value("other", "");
    if (other.starts_with("examples:")) {
      if (out_.folder != places_.examples()) return bad_request("both files have to be in one folder");
      other = other.substr(9);
    }
    const auto colon = other.rfind(':');
    std::string file = other.substr(0, colon);
    const std::string name = colon == std::string::npos ? "" : other.substr(colon);
    const auto text = options_.find("other_text");
    if (text != options_.end() && file == out_.files[0]) file.insert(file.rfind('.'), ".other");
    if (file != out_.files[0])
      if (auto ok = take_text(file, text == options_.end() ? nullptr : &*text); !ok) return ok;
    if (const std::string mine = options_.value("name", ""); !mine.empty()) out_.files[0] += ":" + mine;
    out_.files.push_back(file + name);
    return {};
  }

  // --- The options.

  Or<void> take_options() {
    const auto known = vocabulary_.options.find(out_.program);
    const auto& allowed = kAllowed.at(out_.program);
    for (const auto& [name, value] : options_.items()) {
      if (kOfQuestion.contains(name) || (name == "name" && out_.program == "compare")) continue;
      const bool may = (allowed.contains(name) || kOfModels.contains(name)) && known != vocabulary_.options.end();
      const auto option = may ? known->second.find(name) : decltype(known->second.end())();
      if (!may || option == known->second.end())
        return bad_request(fmt::format("{} has no option '{}' for pages", out_.command, name));
      if (name == "time" || name == "memory" || (name == "define" && out_.command == "experiment")) continue;
      if (auto ok = take_option(name, option->second, value); !ok) return ok;
    }
    return take_kind();
  }

  Or<void> take_option(const std::string& name, const OptionOf& option, const Json& value) {
    if (option.flag || (option.equals_only && value.is_boolean())) {
      if (!value.is_boolean()) return bad_request(fmt::format("'{}' is true or false", name));
      if (value.get<bool>()) words_.push_back("--" + name);
      return {};
    }
    if (value.is_object()) return take_pairs(name, value);
    const Json list = value.is_array() ? value : Json::array({value});
    if (list.size() > 1 && !option.repeatable) return bad_request(fmt::format("'{}' has one value", name));
    for (const Json& one : list) {
      const std::string text = text_of(one);
      if (!option.words.empty() && std::ranges::find(option.words, text) == option.words.end())
        return bad_request(fmt::format("'{}' cannot be '{}'", name, text));
      if (name == "engine" && text == "spin" && !allowance_.spin)
        return trouble(403, "spin", "SPIN compiles and runs C, which this server was not allowed to do",
                       "start it with --allow-spin");
      auto word = checked(name, text);
      if (!word) return tl::unexpected(word.error());
      words_.push_back(std::move(*word));
      if (name == "property") out_.property += (out_.property.empty() ? "" : ", ") + text;
    }
    return {};
  }

  // { "K": 3 }
  Or<void> take_pairs(const std::string& name, const Json& pairs) {
    if (name != "define") return bad_request(fmt::format("'{}' is no object", name));
    for (const auto& [key, value] : pairs.items()) {
      auto word = checked(name, fmt::format("{}={}", key, text_of(value)));
      if (!word) return tl::unexpected(word.error());
      words_.push_back(std::move(*word));
    }
    return {};
  }

  Or<void> take_kind() {
    const auto kind = options_.find("kind");
    if (kind == options_.end()) return {};
    if (out_.program != "assume" || (*kind != "weakest" && *kind != "interface"))
      return bad_request("'kind' of assume is weakest or interface");
    words_.push_back("--" + kind->get<std::string>());
    return {};
  }

  // --- The limits: what is asked for, but no more than there is.

  Or<void> take_limits() {
    auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(allowance_.time);
    if (const auto it = options_.find("time"); it != options_.end()) {
      const auto asked = parse_time(text_of(*it));
      if (!asked) return bad_request("'time' cannot be that", "for example 60s, 2m");
      time = std::min(time, *asked);
    }
    time_ = fmt::format("--time={}ms", time.count() / 1'000'000);
    shown_time_ = time.count() % 1'000'000'000 == 0 ? fmt::format("{}s", time.count() / 1'000'000'000)
                                                    : fmt::format("{}ms", time.count() / 1'000'000);
    memory_ = allowance_.memory;
    if (const auto it = options_.find("memory"); it != options_.end()) {
      const auto asked = parse_size(text_of(*it));
      if (!asked || *asked == 0) return bad_request("'memory' cannot be that", "for example 200M, 2G");
      memory_ = std::min(memory_, *asked);
      shown_memory_ = memory_ == *asked ? text_of(*it) : fmt::format("{}", memory_);
    }
    const auto& options = vocabulary_.options.at(out_.program);
    const bool uses = out_.program == "check" || options_.value("kind", "") == "interface";
    if (uses && options.contains("threads") && !options_.contains("threads"))
      added_.push_back(fmt::format("--threads={}", allowance_.threads));
    return {};
  }

  // --- The runs: one, or of an experiment one for each point.

  Or<void> make_runs() {
    if (out_.command != "experiment") {
      out_.runs.push_back(run(words_, nullptr));
      return {};
    }
    std::vector<Json> points = {Json{{"define", Json::object()}}};
    if (const auto define = options_.find("define"); define != options_.end())
      for (const auto& [name, range] : define->items()) {
        const auto values = values_of(range);
        if (!values) return tl::unexpected(values.error());
        std::vector<Json> more;
        for (const Json& point : points)
          for (const std::string& value : *values) {
            more.push_back(point);
            more.back()["define"][name] =
                Json::parse(value, nullptr, false).is_number() ? Json::parse(value) : Json(value);
          }
        if (more.size() > kMostRuns) return bad_request(fmt::format("more than {} points", kMostRuns));
        points = std::move(more);
      }
    const Json methods = options_.value("methods", Json::array({options_.value("method", "auto")}));
    if (!methods.is_array() || points.size() * methods.size() > kMostRuns)
      return bad_request(fmt::format("'methods' is a list, and there may be {} points", kMostRuns));
    for (const Json& method : methods)
      for (const Json& point : points)
        if (auto ok = add_point(point, text_of(method)); !ok) return ok;
    return {};
  }

  Or<void> add_point(Json point, const std::string& method) {
    Words words = words_;
    std::erase_if(words, [](const Word& word) { return word.starts_with("--method="); });
    auto chosen = checked("method", method);
    if (!chosen) return tl::unexpected(chosen.error());
    words.push_back(std::move(*chosen));
    for (const auto& [name, value] : point["define"].items()) {
      auto word = checked("define", fmt::format("{}={}", name, text_of(value)));
      if (!word) return tl::unexpected(word.error());
      words.push_back(std::move(*word));
    }
    point["method"] = method;
    out_.runs.push_back(run(words, &point));
    return {};
  }

  // "2..5", "3", [2, 4], 7
  static Or<Words> values_of(const Json& range) {
    if (range.is_array()) {
      Words out;
      for (const Json& value : range) out.push_back(text_of(value));
      return out;
    }
    const std::string text = text_of(range);
    const auto dots = text.find("..");
    if (dots == std::string::npos) return Words{text};
    int low = 0, high = 0;
    const char* const middle = text.data() + dots;
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data(), middle, low).ptr != middle || std::from_chars(middle + 2, end, high).ptr != end ||
        high < low || static_cast<std::size_t>(high - low) >= kMostRuns)
      return bad_request(fmt::format("'{}' is no range", text), "for example 2..5");
    Words out;
    for (int i = low; i <= high; ++i) out.push_back(fmt::format("{}", i));
    return out;
  }

  Run run(const Words& words, const Json* point) const {
    Run out{{out_.program}, memory_};
    out.words.insert(out.words.end(), words.begin(), words.end());
    out.words.insert(out.words.end(), added_.begin(), added_.end());
    out.words.push_back(time_);
    out.words.push_back(fmt::format("--memory={}", memory_));
    if (point != nullptr) out.point = *point;
    return out;
  }

  // --- What a person would type.

  void show() {
    std::string line = "surety " + out_.program;
    for (const std::string& file : out_.files)
      line += " " + quoted(out_.folder == places_.examples() ? out_.folder->path() + "/" + file : file);
    for (const Word& word : out_.command == "experiment" ? out_.runs.front().words : words_) {
      if (!word.starts_with("--") || word.starts_with("--time=") || word.starts_with("--memory=")) continue;
      if (std::ranges::find(added_, word) != added_.end()) continue;
      const auto equals = word.find('=');
      line += " " + word.substr(0, equals);
      if (equals == std::string::npos) continue;
      const bool one_word = word.starts_with("--cells=");
      line += (one_word ? "=" : " ") + quoted(word.substr(equals + 1));
    }
    line += " --time " + shown_time_;
    if (!shown_memory_.empty()) line += " --memory " + shown_memory_;
    out_.shown = line;
  }

  const Json& asked_;
  const Places& places_;
  const Vocabulary& vocabulary_;
  const Allowance& allowance_;
  Json options_ = Json::object();
  Order out_;
  Words words_, added_;
  std::string time_, shown_time_, shown_memory_;
  std::uint64_t memory_ = 0;
};

}  // namespace

std::string quoted(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("-_./=,:+@%").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

Or<Order> read_order(const Json& asked, const Places& places, const Vocabulary& vocabulary,
                     const Allowance& allowance) {
  if (!asked.is_object()) return bad_request("a job is an object");
  return Reader(asked, places, vocabulary, allowance).read();
}

}  // namespace surety::serve
