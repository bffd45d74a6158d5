// An LTS as FSP text.
//
//   NAME = S0,
//   S0 = (a -> S1 | b[1].c -> S0),
//   S1 = (c -> S0) + {d}.
//
// One local process per state. FSP has no word for a silent step: it is an action of its
// own, which is hidden at the end. A name that FSP cannot write, from another
// language, is spelt out in letters; then the alphabet is the same up to this spelling,
// which is good enough for a person, and not for a file (not_in_fsp).
#include <fmt/format.h>

#include <charconv>
#include <set>

#include "lang/aut/labels.hpp"
#include "lang/fsp/front/lexer.hpp"
#include "lang/fsp/fsp.hpp"
#include "model/action_name.hpp"

namespace surety {
namespace {

bool is_number(std::string_view part) {
  std::int32_t value = 0;
  const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  return error == std::errc() && stop == part.data() + part.size() && value != INT32_MIN &&
         std::to_string(value) == part;
}

bool is_name(std::string_view part) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz_";
  constexpr std::string_view kMore = "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  return !part.empty() && kLetters.find(part[0]) != std::string_view::npos &&
         part.find_first_not_of(kMore) == std::string_view::npos && part != "tau" && !fsp::is_keyword(part);
}

// a.1.b is written a[1].b. Empty if the label cannot be written.
std::string written(std::string_view label) {
  std::string out;
  for (const auto& part : ActionName(label).parts)
    if (is_number(part))
      out += fmt::format("[{}]", part);
    else if (is_name(part))
      out += (out.empty() ? "" : ".") + part;
    else
      return {};
  return out;
}

// A name that stands for a label that cannot be written: its strange characters become their codes.
std::string spelt_out(std::string_view label) {
  std::string out = "x_";
  for (const char c : label)
    out += is_name(std::string("a") + c) ? std::string(1, c) : fmt::format("_{:02x}", static_cast<unsigned char>(c));
  return out;
}

class Printer {
 public:
  Printer(const Lts& lts, const ActionTable& actions, std::string_view name)
      : lts_(lts), actions_(actions), name_(name), local_(name.starts_with('S') ? 'Q' : 'S') {}

  std::string run();

 private:
  void name_actions();
  std::string unused(std::string name);
  std::string state(State s) const;
  std::string body(State s) const;
  std::string idle() const;

  const Lts& lts_;
  const ActionTable& actions_;
  std::string name_;
  char local_;                       // what the names of the states begin with
  std::vector<std::string> labels_;  // by action
  std::set<std::string> used_;
  bool silent_ = false;
};

std::string Printer::run() {
  name_actions();
  std::string out = name_ + " = ";
  if (lts_.state_count() == 0) return out + "STOP.  // no states: not even the empty trace\n";
  out += state(lts_.initial());
  for (std::uint32_t s = 0; s < lts_.state_count(); ++s)
    if (const std::string text = body(State{s}); !text.empty()) out += fmt::format(",\n{}{} = {}", local_, s, text);
  if (const std::string extra = idle(); !extra.empty()) out += "\n  + {" + extra + "}";
  if (silent_) out += "\n  \\ {" + labels_[kTau.value] + "}";
  return out + ".\n";
}

void Printer::name_actions() {
  labels_.resize(actions_.size());
  for (const Action a : lts_.alphabet()) used_.insert(labels_[a.value] = written(actions_.name(a)));
  for (const Action a : lts_.alphabet())
    if (labels_[a.value].empty()) labels_[a.value] = unused(spelt_out(actions_.name(a)));
  for (std::uint32_t s = 0; s < lts_.state_count(); ++s) silent_ = silent_ || !lts_.steps(State{s}, kTau).empty();
  if (silent_) labels_[kTau.value] = unused("silent");
}

// Hiding `silent` hides silent.x as well, so no label may begin with it.
std::string Printer::unused(std::string name) {
  const auto taken = [&] {
    const auto it = used_.lower_bound(name);
    return it != used_.end() && it->starts_with(name);
  };
  while (taken()) name += "_";
  used_.insert(name);
  return name;
}

std::string Printer::state(State s) const {
  if (s == lts_.error()) return "ERROR";
  if (s == lts_.end()) return "END";
  return fmt::format("{}{}", local_, s.value);
}

std::string Printer::body(State s) const {
  if (s == lts_.error() || s == lts_.end()) return {};
  std::string out;
  for (const Step& step : lts_.steps(s))
    out += fmt::format("{}{} -> {}", out.empty() ? "(" : " | ", labels_[step.action.value], state(step.target));
  return out.empty() ? "STOP" : out + ")";
}

std::string Printer::idle() const {
  std::string out;
  for (const Action a : idle_actions(lts_)) out += (out.empty() ? "" : ", ") + labels_[a.value];
  return out;
}

}  // namespace

std::string not_in_fsp(const Lts& lts, const ActionTable& actions) {
  if (lts.state_count() == 0) return "the empty language cannot be written as .lts";
  if (lts.error() == lts.initial())
    return "an initial state that is ERROR cannot be written as .lts: in FSP a silent step leads there";
  for (const Action a : lts.alphabet())
    if (written(actions.name(a)).empty())
      return fmt::format("the action '{}' cannot be written as .lts: this is no label of FSP", actions.name(a));
  return {};
}

std::string to_fsp(const Lts& lts, const ActionTable& actions, std::string_view name) {
  return Printer(lts, actions, name).run();
}

}  // namespace surety
