// LTSs as JSON, the form in which certificates carry their assumptions.
//
//   {
//     "schema": 1,
//     "states": 2,
//     "initial": 0,
//     "error": null,
//     "end": null,
//     "alphabet": ["off", "on"],
//     "steps": [
//       [0, "on", 1],
//       [1, "off", 0]
//     ]
//   }
//
// Unlike .aut it keeps the whole LTS: alphabet, error state, END, and the LTS
// without states. A certificate may come from anywhere, so the reader trusts
// nothing it finds; it names the first thing that is wrong by its place.
#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "base/json.hpp"
#include "base/json_place.hpp"
#include "lang/aut/labels.hpp"
#include "lang/aut/read.hpp"
#include "lang/aut/write.hpp"

namespace surety {
namespace {

using Tree = nlohmann::json;

// States that no step touches cost us memory and the file nothing, so there is an end to them.
constexpr std::uint64_t kMaxIdleStates = 1 << 10;

// For messages: no more of a name than a person would read.
std::string shown(std::string_view name) { return json_string(name.size() <= 60 ? name : name.substr(0, 60)); }

std::string number_or_null(std::optional<State> s) { return s ? fmt::format("{}", s->value) : "null"; }

std::optional<std::uint64_t> whole_number(const Tree& json) {
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_number_integer() && json.get<std::int64_t>() >= 0) return json.get<std::uint64_t>();
  return std::nullopt;
}

class LtsJsonReader {
 public:
  LtsJsonReader(const Tree& json, ActionTable& actions) : json_(json), actions_(actions) {}

  // Nothing: see problem().
  std::optional<Lts> read() {
    if (!read_sizes() || !read_alphabet() || !read_marks() || !read_steps()) return std::nullopt;
    return builder_.build();
  }
  std::string problem() const {
    return member_.empty() ? problem_
           : element_      ? fmt::format("{}[{}]: {}", member_, *element_, problem_)
                           : fmt::format("{}: {}", member_, problem_);
  }
  const std::string& member() const { return member_; }  // where it is
  std::optional<std::size_t> element() const { return element_; }

 private:
  bool read_sizes();
  bool read_alphabet();
  bool read_marks();
  bool read_mark(const char* key, std::optional<std::uint64_t>& mark);
  bool read_steps();
  bool read_step(const Tree& step, std::size_t index);

  const Tree* find(const char* key) const {
    const auto it = json_.find(key);
    return it == json_.end() ? nullptr : &*it;
  }
  bool wrong(const char* member, std::optional<std::size_t> element, std::string problem) {
    member_ = member;
    element_ = element;
    problem_ = std::move(problem);
    return false;
  }
  bool wrong(const char* member, std::string problem) { return wrong(member, std::nullopt, std::move(problem)); }

  const Tree& json_;
  ActionTable& actions_;
  const Tree* steps_ = nullptr;
  std::uint64_t states_ = 0;
  std::optional<std::uint64_t> error_, end_;
  tsl::robin_map<std::string, Action> labels_;
  LtsBuilder builder_;
  std::string member_, problem_;
  std::optional<std::size_t> element_;
};

bool LtsJsonReader::read_sizes() {
  if (!json_.is_object()) return wrong("", "expected an object with the members of an LTS");
  const Tree* schema = find("schema");
  if (!schema || whole_number(*schema) != 1) return wrong("schema", "expected 1");
  steps_ = find("steps");
  if (!steps_ || !steps_->is_array()) return wrong("steps", "expected a list");
  const Tree* states = find("states");
  const auto count = states ? whole_number(*states) : std::nullopt;
  if (!count) return wrong("states", "expected how many there are, a whole number");
  const std::uint64_t touched = 2 * steps_->size() + 3;  // the initial state, error and END need no step
  if (*count > std::max(touched, kMaxIdleStates) || *count > std::numeric_limits<std::uint32_t>::max())
    return wrong("states", fmt::format("{} are too many for {} steps", *count, steps_->size()));
  const Tree* initial = find("initial");
  if (!initial || whole_number(*initial) != 0) return wrong("initial", "expected 0");
  states_ = *count;
  builder_.set_state_count(static_cast<std::uint32_t>(states_));
  return true;
}

bool LtsJsonReader::read_alphabet() {
  const Tree* alphabet = find("alphabet");
  if (!alphabet || !alphabet->is_array()) return wrong("alphabet", "expected a list of names");
  std::vector<Action> letters;
  for (const Tree& json : *alphabet) {
    const auto* name = json.get_ptr<const std::string*>();
    if (!name || name->empty()) return wrong("alphabet", letters.size(), "expected a name");
    if (*name == "tau") return wrong("alphabet", letters.size(), "tau is in no alphabet");
    letters.push_back(actions_.intern(*name));
    if (!labels_.emplace(*name, letters.back()).second)
      return wrong("alphabet", letters.size() - 1, fmt::format("{} is there twice", shown(*name)));
  }
  labels_.emplace("tau", kTau);
  builder_.add_to_alphabet(Alphabet(std::move(letters)));
  return true;
}

bool LtsJsonReader::read_marks() {
  if (!read_mark("error", error_) || !read_mark("end", end_)) return false;
  if (error_ && error_ == end_) return wrong("end", "this is the error state");
  if (error_) builder_.set_error(State{static_cast<std::uint32_t>(*error_)});
  if (end_) builder_.set_end(State{static_cast<std::uint32_t>(*end_)});
  return true;
}

bool LtsJsonReader::read_mark(const char* key, std::optional<std::uint64_t>& mark) {
  const Tree* json = find(key);
  if (json && json->is_null()) return true;
  if (json) mark = whole_number(*json);
  if (!mark) return wrong(key, "expected the number of a state, or null");
  return *mark < states_ || wrong(key, fmt::format("state {} does not exist", *mark));
}

bool LtsJsonReader::read_steps() {
  builder_.reserve(steps_->size());
  std::size_t index = 0;
  return std::all_of(steps_->begin(), steps_->end(), [&](const Tree& step) { return read_step(step, index++); });
}

bool LtsJsonReader::read_step(const Tree& step, std::size_t index) {
  const auto wrong_step = [&](const std::string& problem) { return wrong("steps", index, problem); };
  if (!step.is_array() || step.size() != 3) return wrong_step("expected [FROM, LABEL, TO]");
  const auto from = whole_number(step[0]);
  const auto* label = step[1].get_ptr<const std::string*>();
  const auto to = whole_number(step[2]);
  if (!from || !label || !to) return wrong_step("expected [FROM, LABEL, TO], two whole numbers and a name");
  for (const std::uint64_t s : {*from, *to})
    if (s >= states_) return wrong_step(fmt::format("state {} does not exist", s));
  if (from == error_) return wrong_step("the error state has no steps");
  if (from == end_) return wrong_step("the end state has no steps");
  const auto it = labels_.find(*label);
  if (it == labels_.end()) return wrong_step(fmt::format("{} is not in the alphabet", shown(*label)));
  builder_.add_step(State{static_cast<std::uint32_t>(*from)}, it->second, State{static_cast<std::uint32_t>(*to)});
  return true;
}

}  // namespace

Result<Lts> read_lts_json(const Tree& json, const std::string& file, ActionTable& actions) {
  LtsJsonReader reader(json, actions);
  if (auto lts = reader.read()) return std::move(*lts);
  return fail(file_error(file, reader.problem()));
}

Result<Lts> read_lts_json_text(std::string_view text, const std::string& file, ActionTable& actions) {
  const auto json = parse_json(text, file);
  if (!json) return tl::unexpected(json.error());
  LtsJsonReader reader(*json, actions);
  if (auto lts = reader.read()) return std::move(*lts);
  return fail(error_at(file, text, place_in_json(text, reader.member(), reader.element()), 1, reader.problem()));
}

std::string not_in_json(const Lts& lts, const ActionTable& actions) {
  for (const Action a : lts.alphabet()) {
    const std::string name(actions.name(a));
    if (name.empty()) return "an action without a name cannot be written as .json";
    if (name == actions.name(kTau)) return "an action named tau cannot be written as .json: this is the silent step";
    if (utf8(name) != name)
      return fmt::format("the action {} cannot be written as .json: its name is not UTF-8", shown(name));
  }
  return {};
}

std::string to_json(const Lts& lts, const ActionTable& actions) {
  for (const Action a : lts.alphabet()) check(actions.name(a) != actions.name(kTau), "no visible action is named tau");
  const auto labels = labels_by_action(lts, actions, json_string);
  std::vector<std::string> alphabet = sorted_names(actions, lts.alphabet());
  std::transform(alphabet.begin(), alphabet.end(), alphabet.begin(), json_string);

  JsonWriter out;
  const auto member = [&](const char* key, const std::string& value) {
    out.key(key);
    out.element() += value;
  };
  out.open('{');
  member("schema", "1");
  member("states", fmt::format("{}", lts.state_count()));
  member("initial", "0");
  member("error", number_or_null(lts.error()));
  member("end", number_or_null(lts.end()));
  member("alphabet", fmt::format("[{}]", fmt::join(alphabet, ", ")));
  out.key("steps");
  out.open('[');
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s}))
      fmt::format_to(std::back_inserter(out.element()), "[{}, {}, {}]", s, labels[step.action.value],
                     step.target.value);
  out.close();
  out.close();
  return std::move(out).text();
}

}  // namespace surety
