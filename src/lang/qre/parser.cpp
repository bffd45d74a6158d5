#include "lang/qre/parser.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "lang/qre/lexer.hpp"
#include "lang/text/parser_base.hpp"

namespace surety::qre {
namespace {

constexpr std::string_view kForm = "a property is: for events { a, b } show all executions satisfy (a; b)*";

// An expression, with what keeps it small.
struct Sized {
  Expression expression;
  std::uint64_t steps = 1;  // of its automaton, without silent ones
  int depth = 0;            // of its tree, without lists
};

class Parser : text::ParserBase<Kind> {
 public:
  Parser(const text::Source& source, text::Report& report)
      : ParserBase(source, report, tokens_of(source, report), kDeepest, "take parentheses or repetitions away") {}

  std::vector<Property> run() {
    std::vector<Property> out;
    if (at(Kind::end)) fail_here("a property", kForm);
    while (!at_end()) {
      const auto start = next_;
      broken_ = false;
      Property property = this->property();
      if (!panic_ && !at_end() && !begins()) fail_here("';', '|' or the end of the expression", hint_between());
      resume(start, [this] { return begins(); });
      if (!broken_) out.push_back(std::move(property));
    }
    return out;
  }

 private:
  bool at_word(std::string_view word, std::size_t ahead = 0) const {
    return peek(ahead).kind == Kind::word && peek(ahead).text == word;
  }
  // No two words stand side by side inside an expression.
  bool begins() const {
    return (at_word("property") && peek(1).kind == Kind::word) || (at_word("for") && at_word("events", 1));
  }
  void expect_word(std::string_view word) {
    if (at_word(word))
      take();
    else
      fail_here(fmt::format("'{}'", word), kForm);
  }
  std::string hint_for(std::string_view) const override { return {}; }
  // A mistake that is no syntax error: parsing goes on, but the property is none.
  void refuse(const Token& token, std::string message, std::string hint = {}) {
    complain(token.place, std::move(message), std::move(hint));
    broken_ = true;
  }

  Property property() {
    Property out;
    out.place = peek().place;
    if (at_word("property")) out.name = header();
    expect_word("for");
    expect_word("events");
    out.events = events();
    expect_word("show");
    out.all = quantifier();
    expect_word("executions");
    expect_word("satisfy");
    out.expression = choice().expression;
    return out;
  }

  std::string header() {
    take();
    const Token name = expect(Kind::word, "the name of the property", "for example: property NO_WRONG_EVENT:");
    if (name.text.find('.') != std::string_view::npos) refuse(name, "the name of a property has no dots");
    if (!panic_ && !names_.insert(std::string(name.text)).second)
      refuse(name, fmt::format("there are two properties '{}'", name.text));
    expect(Kind::colon, "':' after the name of the property");
    return std::string(name.text);
  }

  bool quantifier() {
    const bool all = at_word("all");
    if (all || at_word("no"))
      take();
    else
      fail_here("'all' or 'no'", kForm);
    return all;
  }

  std::vector<std::string> events() {
    known_.clear();
    listed_.clear();
    expect(Kind::curly_open, "'{' before the events", kForm);
    do {
      const Token event = name("an event");
      if (panic_) break;
      const auto [before, fresh] = known_.emplace(event.text, static_cast<std::uint32_t>(listed_.size()));
      if (fresh)
        listed_.emplace_back(event.text);
      else
        refuse(event, fmt::format("'{}' is listed twice", event.text));
    } while (accept(Kind::comma));
    expect(Kind::curly_close, "',' or '}' after an event");
    return listed_;
  }

  // a, {a} or "a".
  Token name(std::string_view what, std::string_view hint = {}) {
    const bool braces = accept(Kind::curly_open);
    Token out = at(Kind::quoted) ? take() : expect(Kind::word, what, hint);
    if (braces) expect(Kind::curly_close, "'}' after the event");
    return out;
  }

  // Its place in the list.
  std::uint32_t event(std::string_view hint = {}) {
    const Token token = name("an event", hint);
    if (panic_) return 0;
    if (const auto found = known_.find(token.text); found != known_.end()) return found->second;
    refuse(token, fmt::format("'{}' is not among the events of this property", token.text),
           did_you_mean(token.text, listed_, "they are"));
    return 0;
  }

  Sized choice() {
    const Nesting nesting(*this);
    return list(Expression::Kind::choice, Kind::bar, [this] { return sequence(); });
  }
  Sized sequence() {
    return list(Expression::Kind::sequence, Kind::semicolon, [this] { return repeated(); });
  }

  template <class Part>
  Sized list(Expression::Kind kind, Kind between, Part part) {
    Sized out = part();
    if (!at(between)) return out;
    out.expression = {kind, {}, text::list(std::move(out.expression)), 0};
    while (accept(between)) {
      Sized next = part();
      out.steps += next.steps;
      out.depth = std::max(out.depth, next.depth);
      out.expression.parts.push_back(std::move(next.expression));
    }
    return bounded(std::move(out));
  }

  Sized repeated() {
    Sized out = atom();
    for (auto kind = repetition(); kind; kind = repetition()) {
      const Token sign = take();
      std::uint32_t count = 1;
      if (*kind == Expression::Kind::power) count = this->count();
      if (panic_) return out;
      if (++out.depth > kDeepest) fail(sign, "this is nested too deeply", "take repetitions away");
      out.expression = {*kind, {}, text::list(std::move(out.expression)), count};
      out.steps *= std::max<std::uint64_t>(count, 1);
      out = bounded(std::move(out), sign);
    }
    return out;
  }

  std::optional<Expression::Kind> repetition() const {
    switch (peek().kind) {
      case Kind::star: return Expression::Kind::star;
      case Kind::plus: return Expression::Kind::plus;
      case Kind::question: return Expression::Kind::maybe;
      case Kind::caret: return Expression::Kind::power;
      default: return std::nullopt;
    }
  }

  std::uint32_t count() {
    return static_cast<std::uint32_t>(expect(Kind::number, "a number after '^'", "for example: a^3").value);
  }

  // Too large is an error of the place where it becomes so, which is said once.
  Sized bounded(Sized out) { return bounded(std::move(out), peek()); }
  Sized bounded(Sized out, const Token& token) {
    if (out.steps > kMostSteps) fail(token, "this expression is too large", "written out it may have 200,000 events");
    return out;
  }

  Sized atom() {
    if (accept(Kind::dot)) return one_of(all_events());
    if (at(Kind::square_open)) return one_of(set());
    if (at(Kind::round_open)) return group();
    return one_of({event(hint_here())});
  }

  Sized group() {
    take();
    Sized out = choice();
    ++out.depth;
    expect(Kind::round_close, "')'", at_word("property") || at(Kind::end) ? "a '(' is not closed" : hint_between());
    return out;
  }

  static Sized one_of(std::vector<std::uint32_t> events) {
    const auto steps = std::max<std::uint64_t>(events.size(), 1);
    return {{Expression::Kind::one_of, std::move(events), {}, 0}, steps, 0};
  }

  std::vector<std::uint32_t> all_events() const {
    std::vector<std::uint32_t> out(listed_.size());
    std::iota(out.begin(), out.end(), 0U);
    return out;
  }

  // [a, b], or [-a, b]: any but these.
  std::vector<std::uint32_t> set() {
    take();
    const bool others = accept(Kind::minus);
    constexpr std::string_view once = "one '-' is for all of them, and stands before the first";
    std::set<std::uint32_t> named;
    do {
      named.insert(event(at(Kind::minus) ? once : ""));
    } while (accept(Kind::comma));
    expect(Kind::square_close, "',' or ']' after an event");
    if (!others) return {named.begin(), named.end()};
    auto out = all_events();
    std::erase_if(out, [&](std::uint32_t e) { return named.contains(e); });
    return out;
  }

  // What helps where an event should begin, and where one should have ended.
  std::string hint_here() const {
    if (repetition()) return "a repetition stands behind what it repeats";
    if (next_ > 0 && tokens_[next_ - 1].kind == Kind::semicolon)
      return "';' stands between two events; there is none after the last";
    return {};
  }
  std::string hint_between() const {
    switch (peek().kind) {
      case Kind::word:
      case Kind::quoted:
      case Kind::dot:
      case Kind::curly_open:
      case Kind::round_open:
      case Kind::square_open: return "what follows one another has ';' between";
      case Kind::comma: return "a sequence has ';', a choice has '|'";
      case Kind::round_close: return "there is no '(' for it";
      default: return {};
    }
  }

  std::map<std::string, std::uint32_t, std::less<>> known_;  // the events of this property
  std::vector<std::string> listed_;                          // in their order
  std::set<std::string> names_;                              // of all properties
};

}  // namespace

std::vector<Property> parse(const text::Source& source, text::Report& report) { return Parser(source, report).run(); }

}  // namespace surety::qre
