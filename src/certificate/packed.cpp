#include "certificate/packed.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "lang/aut/read.hpp"
#include "lang/aut/write.hpp"

namespace surety::api {
namespace {

using nlohmann::json;

std::optional<std::uint32_t> number_of(const json& value) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > UINT32_MAX) return std::nullopt;
  return value.get<std::uint32_t>();
}

// Nothing: it is no list of numbers.
std::optional<std::vector<std::uint32_t>> numbers_of(const json& object, const char* name) {
  const auto list = object.find(name);
  if (list == object.end() || !list->is_array()) return std::nullopt;
  std::vector<std::uint32_t> out;
  out.reserve(list->size());
  for (const json& value : *list) {
    const auto number = number_of(value);
    if (!number) return std::nullopt;
    out.push_back(*number);
  }
  return out;
}

// One packed LTS. Each part says what is wrong with it, or nothing.
class PackedReader {
 public:
  PackedReader(const json& entry, const std::vector<Action>& numbered)
      : entry_(entry), numbered_(numbered), known_(numbered.size(), false) {}

  std::string read() {
    const auto states = number_of(entry_.value("states", json()));
    const auto alphabet = numbers_of(entry_, "alphabet"), steps = numbers_of(entry_, "steps");
    if (!states || !alphabet || !steps) return "'states', 'alphabet' and 'steps' should be numbers";
    // Each state has a number there, so a small file cannot ask for much memory.
    if (*states > steps->size()) return "there are more states than 'steps' tell of";
    states_ = *states;
    builder_.set_state_count(states_);
    for (const auto& problem : {letters(*alphabet), mark("error"), mark("end")})
      if (!problem.empty()) return problem;
    return read_steps(*steps);
  }
  Lts build() { return builder_.build(); }

 private:
  std::string letters(const std::vector<std::uint32_t>& alphabet) {
    std::vector<Action> out;
    for (const std::uint32_t a : alphabet) {
      if (a == 0 || a >= numbered_.size() || known_[a]) return fmt::format("{} is wrong in an alphabet", a);
      known_[a] = true;
      out.push_back(numbered_[a]);
    }
    builder_.add_to_alphabet(Alphabet(std::move(out)));
    return {};
  }

  std::string mark(const std::string& name) {
    if (!entry_.contains(name)) return {};
    const auto state = number_of(entry_[name]);
    if (!state || *state >= states_ || marked(*state)) return fmt::format("'{}' should be the number of a state", name);
    marks_.push_back(*state);
    name == "error" ? builder_.set_error(State{*state}) : builder_.set_end(State{*state});
    return {};
  }
  bool marked(std::uint32_t s) const { return std::ranges::find(marks_, s) != marks_.end(); }

  std::string read_steps(const std::vector<std::uint32_t>& steps) {
    std::size_t at = 0;
    for (std::uint32_t s = 0; s < states_; ++s) {
      if (at == steps.size()) return fmt::format("the steps of state {} are missing", s);
      const std::uint64_t count = steps[at++];
      if (2 * count > steps.size() - at) return fmt::format("the steps of state {} are not all there", s);
      if (count > 0 && marked(s)) return fmt::format("state {} is the error or the end, and has steps", s);
      for (std::uint64_t i = 0; i < count; ++i, at += 2) {
        const std::uint32_t action = steps[at], target = steps[at + 1];
        if (action >= known_.size() || (action != 0 && !known_[action]) || target >= states_)
          return fmt::format("state {} cannot have a step {}, {}", s, action, target);
        builder_.add_step(State{s}, numbered_[action], State{target});
      }
    }
    return at == steps.size() ? "" : "there are steps of more states";
  }

  const json& entry_;
  const std::vector<Action>& numbered_;
  std::vector<bool> known_;  // by number: in the alphabet
  std::uint32_t states_ = 0;
  std::vector<std::uint32_t> marks_;
  LtsBuilder builder_;
};

}  // namespace

// ---- out

std::uint32_t Packer::number(Action action) {
  if (action == kTau) return 0;
  if (numbers_.size() <= action.value) numbers_.resize(action.value + 1ULL);
  auto& number = numbers_[action.value];
  if (number == 0) {
    number = static_cast<std::uint32_t>(used_.size());
    used_.push_back(action);
  }
  return number;
}

Json Packer::names() const {
  Json out = Json::array();
  for (const Action a : used_) out.push_back(actions_.name(a));
  return out;
}

Json Packer::lts(const Lts& lts) { return packed_ ? packed(lts) : Json::parse(to_json(lts, actions_)); }

Json Packer::all(const std::vector<Lts>& list) {
  Json out = Json::array();
  for (const Lts& each : list) out.push_back(lts(each));
  return out;
}

Json Packer::packed(const Lts& lts) {
  Json out{{"schema", 2}, {"states", lts.state_count()}};
  if (lts.error()) out["error"] = lts.error()->value;
  if (lts.end()) out["end"] = lts.end()->value;
  Json alphabet = Json::array(), steps = Json::array();
  for (const Action a : lts.alphabet())
    check(actions_.name(a) != actions_.name(kTau), "no visible action is named tau");
  for (const Action a : lts.alphabet()) alphabet.push_back(number(a));
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    steps.push_back(lts.steps(State{s}).size());
    for (const Step& step : lts.steps(State{s})) {
      steps.push_back(number(step.action));
      steps.push_back(step.target.value);
    }
  }
  out["alphabet"] = std::move(alphabet);
  out["steps"] = std::move(steps);
  return out;
}

std::uint64_t transition_count(const Certificate& certificate) {
  std::uint64_t sum = 0;
  const auto add = [&](const std::vector<Lts>& all) {
    for (const Lts& lts : all) sum += lts.transition_count();
  };
  add(certificate.assumptions);
  for (const FlowSide& side : certificate.flow) add(side.graphs);
  for (const Conjunct& part : certificate.parts)
    sum += part.property.transition_count() + transition_count(part.certificate);
  if (certificate.induction) {
    for (const Certificate& small : certificate.induction->small) sum += transition_count(small);
    add(certificate.induction->head);
    for (const auto& round : certificate.induction->rounds) add(round);
  }
  return sum;
}

// ---- in

Result<void> Unpacker::read_names(const json& list) {
  const auto is_name = [](const json& name) { return name.is_string() && !name.get_ref<const std::string&>().empty(); };
  if (!list.is_array() || list.empty() || !std::ranges::all_of(list, is_name) || list[0] != json("tau"))
    return fail(file_error(file_, "not a certificate: 'actions' should be a list of names, tau the first"));
  numbered_ = {kTau};
  for (std::size_t i = 1; i < list.size(); ++i)
    numbered_.push_back(actions_.intern(list[i].get_ref<const std::string&>()));
  std::vector<Action> sorted = numbered_;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end() || std::ranges::count(list, json("tau")) > 1)
    return fail(file_error(file_, "not a certificate: 'actions' has a name twice"));
  return {};
}

Result<Lts> Unpacker::lts(const json& entry) const {
  if (!entry.is_object() || entry.value("schema", json()) != json(2)) return read_lts_json(entry, file_, actions_);
  PackedReader reader(entry, numbered_);
  if (const auto problem = reader.read(); !problem.empty())
    return fail(file_error(file_, "not a certificate: " + problem));
  return reader.build();
}

}  // namespace surety::api
