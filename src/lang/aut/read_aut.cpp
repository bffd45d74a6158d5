// Reads Aldebaran files.
//
//   des (0, 3, 2)
//   (0, "lock(p1, f2)", 1)
//   (1, PUT !6, 0)
//   (1, i, 1)
//
// A step is read from both ends of its line: FROM ends at the first comma and TO
// begins after the last one. The label is all that lies between, whatever commas,
// parentheses or quotes it holds, and is never searched. So the file is read in
// one pass, at about the speed of looking for its line breaks.
//
// The format is CADP's (cadp.inria.fr/man/aut.html), where line breaks matter and
// blanks do not, and mCRL2's, which is the same. Neither knows comments, but people
// write them: lines that start with %, # or //, and (* ... *) on lines of its own.
// Not here: the probabilistic steps that mCRL2 adds. Ours alone: the marks of ERROR and END (lang/aut/marks.hpp).
#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "lang/aut/marks.hpp"
#include "lang/aut/read.hpp"

namespace surety {
namespace {

constexpr std::size_t kMaxErrors = 20;
constexpr std::uint64_t kTooLarge = std::numeric_limits<std::uint64_t>::max();  // every number that does not fit
constexpr const char* kHeaderForm = "write des (FIRST, STEPS, STATES)";
constexpr const char* kStepForm = "write (FROM, LABEL, TO)";
// What stands for a mark where an action is expected (lang/aut/marks.hpp).
constexpr Action kMarksError{std::numeric_limits<std::uint32_t>::max()};
constexpr Action kMarksEnd{std::numeric_limits<std::uint32_t>::max() - 1};
constexpr const char* kProbabilities = "steps with probabilities (mCRL2) cannot be read";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }  // a carriage return too

const char* skip_blanks(const char* p, const char* stop) {
  while (p != stop && is_blank(*p)) ++p;
  return p;
}

const char* skip_blanks_back(const char* p, const char* start) {
  while (p != start && is_blank(p[-1])) --p;
  return p;
}

// Moves p past the digits.
std::uint64_t digits(const char*& p, const char* stop) {
  const char* const start = p;
  std::uint64_t value = 0;
  for (; p != stop && is_digit(*p); ++p) value = value * 10 + static_cast<std::uint64_t>(*p - '0');
  if (p - start <= 19) [[likely]]
    return value;
  value = 0;  // so many digits may not fit, unless they are leading zeros
  for (const char* q = start; q != p; ++q) {
    const auto digit = static_cast<std::uint64_t>(*q - '0');
    if (value > (kTooLarge - digit) / 10) return kTooLarge;
    value = value * 10 + digit;
  }
  return value;
}

// A number, and where it stands.
struct Number {
  std::uint64_t value = 0;
  const char* begin = nullptr;
  const char* end = nullptr;
};

// A step whose states are numbered as in the file, which may be anything below 2^64.
struct FarStep {
  std::uint64_t from;
  Action action;
  std::uint64_t to;
};

class AutReader {
 public:
  AutReader(std::string_view text, const std::string& file, ActionTable& actions)
      : text_(text), file_(file), actions_(actions), next_(text.data()), end_(text.data() + text.size()) {
    if (text.starts_with("\xef\xbb\xbf")) next_ += 3;  // the mark that Windows editors put first
  }

  Result<Lts> read();

 private:
  bool next_line();
  void skip_comment();
  void read_header();
  bool read_header_numbers(const char* p);
  void read_step();
  void add_step(std::uint64_t from, Action a, std::uint64_t to);
  void mark(Action a, const Number& from, const Number& to);
  void no_such_state(const Number& state);
  Action action(std::string_view label);
  void check_step_count();
  Result<Lts> build();
  Result<Lts> build_touched();
  template <class Numbering>
  Result<Lts> marked(Lts lts, Numbering state);
  std::uint64_t swapped(std::uint64_t s) const { return s == first_.value ? 0 : s == 0 ? first_.value : s; }
  void error(const char* at, const char* to, std::string message, std::string hint = {});

  std::string_view text_;
  const std::string& file_;
  ActionTable& actions_;

  const char* next_;  // where the next line begins
  const char* end_;
  const char* line_ = nullptr;  // this line, without the blanks around it
  const char* stop_ = nullptr;

  bool header_ok_ = false;
  Number first_, steps_, states_;
  std::uint64_t steps_seen_ = 0;  // wrong ones too

  // The marks of ERROR and END: the first state of the step, as the file numbers it.
  std::optional<Number> error_, end_mark_;

  // Steps go to the builder, or to far_ if states have to be dropped before they are numbered.
  bool is_far_ = false;
  LtsBuilder builder_;
  std::vector<FarStep> far_;

  // The keys point into the text. Neighbouring steps often have the same label.
  tsl::robin_map<std::string_view, Action, std::hash<std::string_view>, std::equal_to<>,
                 std::allocator<std::pair<std::string_view, Action>>, true>
      labels_;
  std::string_view last_label_;
  Action last_action_;

  Diagnostics errors_;
  bool gave_up_ = false;
};

Result<Lts> AutReader::read() {
  if (next_ == end_)
    return fail(file_error(file_, "the file is empty", "an .aut file starts with des (FIRST, STEPS, STATES)"));
  if (next_line())
    read_header();
  else if (errors_.empty())
    return fail(file_error(file_, "the file has no header", "an .aut file starts with des (FIRST, STEPS, STATES)"));
  while (!gave_up_ && next_line()) read_step();
  check_step_count();
  if (!errors_.empty()) return tl::unexpected(std::move(errors_));
  return build();
}

// Goes to the next line that has something to read on it.
bool AutReader::next_line() {
  while (next_ != end_) {
    const auto* newline = static_cast<const char*>(std::memchr(next_, '\n', static_cast<std::size_t>(end_ - next_)));
    stop_ = newline ? newline : end_;
    line_ = skip_blanks(next_, stop_);
    stop_ = skip_blanks_back(stop_, line_);
    next_ = newline ? newline + 1 : end_;
    const std::string_view line(line_, static_cast<std::size_t>(stop_ - line_));
    if (line.empty() || line[0] == '%' || line[0] == '#' || line.starts_with("//")) continue;
    if (!line.starts_with("(*")) return true;
    skip_comment();
    if (gave_up_) return false;
  }
  return false;
}

// A comment (* ... *) ends its line: to go on behind it would mean to look for the same line break again
// and again, in a file that has many comments and one line.
void AutReader::skip_comment() {
  const std::size_t close = text_.find("*)", static_cast<std::size_t>(line_ - text_.data()) + 2);
  if (close == std::string_view::npos) {
    error(line_, line_ + 2, "this comment has no end", "close it with *)");
    next_ = end_;
    return;
  }
  const char* const after = text_.data() + close + 2;
  const auto* newline = static_cast<const char*>(std::memchr(after, '\n', static_cast<std::size_t>(end_ - after)));
  next_ = newline ? newline + 1 : end_;
  const char* const rest_end = skip_blanks_back(newline ? newline : end_, after);
  if (rest_end != after)
    error(skip_blanks(after, rest_end), rest_end, "expected the end of the line after a comment",
          "put comments on lines of their own");
}

void AutReader::read_header() {
  states_.value = kTooLarge;  // without a header no state is out of range
  if (std::string_view(line_, static_cast<std::size_t>(stop_ - line_)).starts_with("des")) {
    header_ok_ = read_header_numbers(line_ + 3);
    return;
  }
  error(line_, line_ + 1, "expected the header of an .aut file", kHeaderForm);
  if (*line_ == '(')
    read_step();
  else
    gave_up_ = true;  // no .aut file at all
}

bool AutReader::read_header_numbers(const char* p) {
  const auto wrong = [&](const char* at, const char* to, std::string message, std::string hint = kHeaderForm) {
    error(at, to, std::move(message), std::move(hint));
    return false;
  };
  p = skip_blanks(p, stop_);
  if (p == stop_ || *p != '(') return wrong(p, p, "expected '(' after des");
  ++p;

  struct Field {
    const char* name;
    Number& number;
    char after;
  };
  Number states;
  for (const Field& field :
       {Field{"FIRST, the number of the initial state", first_, ','}, Field{"STEPS, the number of steps", steps_, ','},
        Field{"STATES, the number of states", states, ')'}}) {
    Number& number = field.number;
    number.begin = p = skip_blanks(p, stop_);
    number.value = digits(p, stop_);
    number.end = p;
    if (number.begin == number.end) return wrong(p, p, fmt::format("expected {}", field.name));
    if (number.value == kTooLarge) return wrong(number.begin, number.end, "this number is too large", "");
    p = skip_blanks(p, stop_);
    if (p == stop_ || *p != field.after)
      return wrong(p, p, fmt::format("expected '{}' after {}", field.after, field.name),
                   p != stop_ && is_digit(*p) ? kProbabilities : kHeaderForm);
    ++p;
  }
  if ((p = skip_blanks(p, stop_)) != stop_) return wrong(p, stop_, "expected the end of the line after the header");
  if (states.value == 0)
    return wrong(states.begin, states.end, "an LTS has at least one state", "the initial state counts");
  states_ = states;
  if (first_.value >= states.value)
    return wrong(first_.begin, first_.end, fmt::format("the initial state {} does not exist", first_.value),
                 fmt::format("states are numbered from 0 to {}", states.value - 1));

  // More states than the steps can touch, or than we can number: see build_touched.
  is_far_ = states.value / 2 > steps_.value || states.value > std::numeric_limits<std::uint32_t>::max();
  if (!is_far_) builder_.reserve(std::min<std::uint64_t>(steps_.value, text_.size() / 6));
  return true;
}

// One straight story, the hot loop of this file.
void AutReader::read_step() {
  ++steps_seen_;
  if (*line_ != '(') return error(line_, line_, "expected '(' at the start of a step", kStepForm);

  // From the left: ( FROM ,
  const char* p = skip_blanks(line_ + 1, stop_);
  const char* const from_begin = p;
  const std::uint64_t from = digits(p, stop_);
  const char* const from_end = p;
  if (from_begin == from_end) return error(p, p, "expected the number of the source state", kStepForm);
  p = skip_blanks(p, stop_);
  if (p == stop_ || *p != ',') return error(p, p, "expected ',' after the source state", kStepForm);
  ++p;

  // From the right: , TO )
  const char* q = stop_;
  if (q[-1] != ')') return error(q, q, "expected ')' at the end of the line", kStepForm);
  q = skip_blanks_back(q - 1, p);
  const char* const to_end = q;
  while (q != p && is_digit(q[-1])) --q;
  const char* const to_begin = q;
  if (to_begin == to_end) return error(q, q, "expected the number of the target state", kStepForm);
  q = skip_blanks_back(q, p);
  if (q == p) return error(to_begin, to_end, "this step has two parts, and needs three", kStepForm);
  if (q[-1] != ',')
    return error(to_begin, to_end, "expected ',' before the target state",
                 is_digit(q[-1]) ? kProbabilities : kStepForm);
  const char* r = to_begin;
  const std::uint64_t to = digits(r, to_end);

  // What lies between is the label.
  q = skip_blanks_back(q - 1, p);
  p = skip_blanks(p, q);
  if (p != q && *p == '"') {
    if (q - p < 2 || q[-1] != '"')
      return error(p, q, "this label has no closing quote", "a label is quoted as a whole or not at all");
    ++p;
    --q;
  }
  if (p == q) return error(p, p, "expected a label", kStepForm);

  if (from >= states_.value) return no_such_state({from, from_begin, from_end});
  if (to >= states_.value) return no_such_state({to, to_begin, to_end});
  const Action a = action({p, static_cast<std::size_t>(q - p)});
  if (a.value >= kMarksEnd.value) [[unlikely]]
    return mark(a, {from, from_begin, from_end}, {to, to_begin, to_end});
  if (errors_.empty()) add_step(from, a, to);
}

void AutReader::mark(Action a, const Number& from, const Number& to) {
  const char* const what = a == kMarksError ? "error" : "end";
  std::optional<Number>& marked = a == kMarksError ? error_ : end_mark_;
  if (from.value != to.value)
    return error(to.begin, to.end, fmt::format("the mark of the {} state leads to another state", what),
                 fmt::format("write ({}, \"surety:{}\", {})", to.value, what, to.value));
  if (marked && marked->value != from.value)
    return error(from.begin, from.end, fmt::format("state {} is the {} state already", marked->value, what),
                 "there is one at most");
  marked = from;
}

void AutReader::no_such_state(const Number& state) {
  if (state.value == kTooLarge) return error(state.begin, state.end, "this number is too large");
  error(state.begin, state.end, fmt::format("state {} does not exist", state.value),
        fmt::format("states are numbered from 0 to {}", states_.value - 1));
}

void AutReader::add_step(std::uint64_t from, Action a, std::uint64_t to) {
  from = swapped(from);
  to = swapped(to);
  if (is_far_) [[unlikely]]
    far_.push_back({from, a, to});
  else
    builder_.add_step(State{static_cast<std::uint32_t>(from)}, a, State{static_cast<std::uint32_t>(to)});
}

Action AutReader::action(std::string_view label) {
  if (label == last_label_) return last_action_;
  const auto [it, is_new] = labels_.try_emplace(label, kTau);
  if (is_new && label != "i" && label != "tau")
    it.value() = label == kErrorMark ? kMarksError : label == kEndMark ? kMarksEnd : actions_.intern(label);
  last_label_ = label;
  return last_action_ = it->second;
}

void AutReader::check_step_count() {
  if (gave_up_ || !header_ok_ || steps_seen_ == steps_.value) return;
  error(steps_.begin, steps_.end,
        fmt::format("number of steps: the header says {}, the file has {}", steps_.value, steps_seen_),
        steps_seen_ < steps_.value ? "is the file cut off?" : "correct the header");
}

Result<Lts> AutReader::build() {
  if (is_far_) return build_touched();
  builder_.set_state_count(static_cast<std::uint32_t>(states_.value));
  Lts lts = builder_.build();
  const std::uint64_t marks = (error_ ? 1U : 0U) + (end_mark_ ? 1U : 0U);
  if (lts.state_count() / 2 <= lts.transition_count() + marks)
    return marked(std::move(lts), [](std::uint64_t s) { return State{static_cast<std::uint32_t>(s)}; });
  // Only now, without the repeated steps, are there too many states.
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) far_.push_back({s, step.action, step.target.value});
  return build_touched();
}

// An LTS of the initial state and those with a step, numbered in the order of the file.
Result<Lts> AutReader::build_touched() {
  std::vector<std::uint64_t> touched = {0};
  for (const FarStep& step : far_) touched.insert(touched.end(), {step.from, step.to});
  for (const auto& mark : {error_, end_mark_})
    if (mark) touched.push_back(swapped(mark->value));
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  if (touched.size() > std::numeric_limits<std::uint32_t>::max()) {
    error(states_.begin, states_.end, "too many states", "there is room for 2^32 - 1");
    return tl::unexpected(std::move(errors_));
  }
  const auto state = [&](std::uint64_t s) {
    return State{static_cast<std::uint32_t>(std::lower_bound(touched.begin(), touched.end(), s) - touched.begin())};
  };
  LtsBuilder builder;
  builder.set_state_count(static_cast<std::uint32_t>(touched.size()));
  builder.reserve(far_.size());
  for (const FarStep& step : far_) builder.add_step(state(step.from), step.action, state(step.to));
  return marked(builder.build(), state);
}

// The LTS with its ERROR and END.
template <class Numbering>
Result<Lts> AutReader::marked(Lts lts, Numbering state) {
  if (!error_ && !end_mark_) return lts;
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  builder.add_to_alphabet(lts.alphabet());
  if (error_ && end_mark_ && error_->value == end_mark_->value)
    error(end_mark_->begin, end_mark_->end, "this is the error state, and cannot be the end state as well");
  for (const auto& mark : {error_, end_mark_})
    if (mark && !lts.steps(state(swapped(mark->value))).empty())
      error(mark->begin, mark->end, fmt::format("state {} is marked and has other steps", mark->value),
            "the error state and the end state have none");
  if (!errors_.empty()) return tl::unexpected(std::move(errors_));
  if (error_) builder.set_error(state(swapped(error_->value)));
  if (end_mark_) builder.set_end(state(swapped(end_mark_->value)));
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) builder.add_step(State{s}, step.action, step.target);
  return builder.build();
}

// Underlines what lies between `at` and `to`, or just the character at `at`.
void AutReader::error(const char* at, const char* to, std::string message, std::string hint) {
  if (errors_.size() == kMaxErrors) {
    errors_.push_back(file_error(file_, "too many errors"));
    gave_up_ = true;
    return;
  }
  errors_.push_back(error_at(file_, text_, static_cast<std::size_t>(at - text_.data()),
                             static_cast<std::size_t>(to - at), std::move(message), std::move(hint)));
}

}  // namespace

Result<Lts> read_aut(std::string_view text, const std::string& file, ActionTable& actions) {
  return AutReader(text, file, actions).read();
}

}  // namespace surety
