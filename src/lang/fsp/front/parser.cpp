#include "lang/fsp/front/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "lang/fsp/front/label.hpp"

namespace surety::fsp {
namespace {

constexpr int kDeepest = 400;

}  // namespace

bool starts_definition(Kind kind) {
  switch (kind) {
    case Kind::k_const:
    case Kind::k_range:
    case Kind::k_set:
    case Kind::k_import:
    case Kind::k_animation:
    case Kind::k_menu:
    case Kind::k_progress:
    case Kind::k_fluent:
    case Kind::k_assert:
    case Kind::k_constraint:
    case Kind::k_property:
    case Kind::k_minimal:
    case Kind::k_deterministic: return true;
    default: return false;
  }
}

Parser::Parser(const Source& source, const std::vector<FspDefine>& defines, Report& report, const FspLimits& limits)
    : ParserBase(source, report, tokens(source.text, report), kDeepest, "give parts of it names"),
      defines_(defines),
      other_defines_(limits.other_defines),
      set_labels_left_(limits.set_labels) {}

Tree Parser::run() {
  while (!at_end() && !report_.full()) {
    const std::size_t start = next_;
    definition();
    resume(start, [this] { return at_definition(); });
  }
  check_defines();
  return std::move(tree_);
}

void Parser::definition() {
  switch (peek().kind) {
    case Kind::k_const: return constant_definition();
    case Kind::k_range: return range_definition();
    case Kind::k_set: return set_definition();
    case Kind::k_import: return import_definition();
    case Kind::k_animation: return animation_definition();
    case Kind::k_menu: return menu_definition();
    case Kind::k_progress: return progress_definition();
    case Kind::k_fluent: return fluent_definition();
    case Kind::k_assert:
    case Kind::k_constraint: return assert_definition();
    default: return process_or_composite();
  }
}

// After an error: the next keyword of a definition, or a line that starts with `NAME =`, `NAME (` or `||NAME`
// and is no further local process of the definition that was left.
bool Parser::at_definition() const {
  if (starts_definition(peek().kind)) return true;
  if (!peek().first_on_line) return false;
  if (next_ > 0 && (tokens_[next_ - 1].kind == Kind::comma || tokens_[next_ - 1].kind == Kind::arrow)) return false;
  if (at(Kind::parallel) || at(Kind::k_compose))
    return peek(1).kind == Kind::upper && (peek(2).kind == Kind::becomes || peek(2).kind == Kind::round_open);
  return at(Kind::upper) && (peek(1).kind == Kind::becomes || peek(1).kind == Kind::round_open);
}

// ---- const, range, set

template <class Map, class Value>
void Parser::define(Map& map, const char* what, const Token& name, Value value) {
  if (panic_) return;
  const auto [it, is_new] = map.try_emplace(name.text, typename Map::mapped_type{std::move(value), name.place, false});
  if (!is_new) fail(name, fmt::format("{} '{}' is already defined", what, name.text), "choose another name");
}

void Parser::constant_definition() {
  take();
  const Token name =
      expect(Kind::upper, "the name of a constant", "names of constants start with an upper-case letter");
  expect(Kind::becomes, "'='");
  Expression origin = simple_expression();
  Value value = constant(origin);
  const auto override_it = std::ranges::find(defines_, name.text, &FspDefine::name);
  if (override_it != defines_.end())
    value = override_it->value;
  else
    tree_.origins.constants.try_emplace(name.text, std::move(origin));
  define(tree_.constants, "constant", name, value);
}

void Parser::range_definition() {
  take();
  const Token name = expect(Kind::upper, "the name of a range", "names of ranges start with an upper-case letter");
  expect(Kind::becomes, "'='");
  const Token start = peek();
  RangeValue range;
  if (const auto other = tree_.ranges.find(peek().text); at(Kind::upper) && other != tree_.ranges.end()) {
    take();
    other->second.used = true;
    range = other->second.value;
    const auto same = tree_.origins.ranges.at(other->first);
    tree_.origins.ranges.try_emplace(name.text, same);
  } else {
    Expression low = simple_expression();
    range.low = constant_value(low);
    expect(Kind::dots, "'..'", "a range is written LOW..HIGH");
    Expression high = simple_expression();
    range.high = constant_value(high);
    tree_.origins.ranges.try_emplace(name.text, std::move(low), std::move(high));
  }
  if (range.low > range.high && !panic_)
    fail(start, fmt::format("the range {}..{} is empty", range.low, range.high), "the lower bound comes first");
  define(tree_.ranges, "range", name, range);
  // Known all the same, so that its uses are no errors as well.
  if (panic_ && name.kind == Kind::upper)
    tree_.ranges.try_emplace(name.text, decltype(tree_.ranges)::mapped_type{{range.low, range.low}, name.place, true});
}

void Parser::set_definition() {
  take();
  const Token name = expect(Kind::upper, "the name of a set", "names of sets start with an upper-case letter");
  expect(Kind::becomes, "'='");
  const Label set = label_set(Difference::yes);
  if (panic_) return;
  Evaluator evaluator(tree_, report_, {10 * set_labels_left_, 0, 0, 0});
  Scope scope;
  auto labels = std::make_shared<std::vector<std::string>>(distinct_labels(set, scope, evaluator));
  if (evaluator.failed()) {
    panic_ = true;
    return;
  }
  set_labels_left_ -= std::min<std::uint64_t>(set_labels_left_, labels->size());
  std::shared_ptr<const std::vector<std::string>> constant = std::move(labels);
  tree_.origins.sets.try_emplace(name.text, set);
  define(tree_.sets, "set", name, std::move(constant));
}

void Parser::check_defines() {
  if (other_defines_) return;
  auto known = names_of(tree_.constants);
  for (const auto& composite : tree_.composites)
    for (const Parameter& parameter : composite.parameters)
      if (std::ranges::find(known, parameter.name) == known.end()) known.emplace_back(parameter.name);
  for (const FspDefine& d : defines_)
    if (std::ranges::find(known, d.name) == known.end() && !tree_.parameters_defined.contains(d.name))
      report_.error(file_error(source_.file(), fmt::format("there is no constant '{}' to define", d.name),
                               known.empty() ? "the file has no const, and no composite a parameter"
                                             : did_you_mean(d.name, known, "it has")));
}

// ---- import, animation

// import NAME = "file.aut"; NAME = may be left out, then the file names the process.
void Parser::import_definition() {
  take();
  ProcessDefinition process;
  if (at(Kind::upper)) {
    const Token name = take();
    process.name = name.text;
    process.place = name.place;
    expect(Kind::becomes, "'='");
  }
  const Token file = expect(Kind::string, "the name of a file in quotes", "write import NAME = \"file.aut\"");
  accept(Kind::dot);
  if (panic_) return;
  const auto quoted = file.text.substr(1, file.text.size() >= 2 ? file.text.size() - 2 : 0);
  process.import_file = std::string(quoted);
  if (process.name.empty()) {
    const auto slash = quoted.rfind('/');
    const auto stem = quoted.substr(slash == std::string_view::npos ? 0 : slash + 1);
    process.name = stem.substr(0, stem.find('.'));
    process.place = file.place;
    if (process.name.empty())
      return fail(file, "this file name gives the process no name", "write import NAME = \"file.aut\"");
  }
  if (has(tree_.composites, process.name)) warn_of_both(process.place, process.name);
  add(tree_.processes, std::move(process));
}

// Animations steer pictures, not behaviour.
void Parser::animation_definition() {
  const Token keyword = take();
  report_.warning(keyword.place, "animations are not shown", "this definition is skipped", Severity::note);
  int braces = 0;
  for (; !at(Kind::end); take()) {
    if (braces == 0 && at_definition()) return;
    if (at(Kind::curly_open)) ++braces;
    if (at(Kind::curly_close) && braces > 0) --braces;
  }
}

// ---- what is to be checked

template <class Definition>
void Parser::add(std::vector<Definition>& definitions, Definition definition) {
  if (panic_) return;
  if (has(definitions, definition.name))
    return complain(definition.place, fmt::format("'{}' is already defined", definition.name), "choose another name");
  put(definitions, std::move(definition));
}

void Parser::menu_definition() {
  take();
  MenuDefinition menu;
  name_of(menu, "the name of a menu");
  expect(Kind::becomes, "'='");
  menu.actions = label_set(Difference::yes);
  accept(Kind::dot);
  add(tree_.menus, std::move(menu));
}

void Parser::progress_definition() {
  take();
  ProgressDefinition progress;
  name_of(progress, "the name of a progress property");
  progress.indices = indices();
  expect(Kind::becomes, "'='");
  if (accept(Kind::k_if)) {
    progress.condition = label();
    expect(Kind::k_then, "'then'");
  }
  progress.actions = label();
  accept(Kind::dot);
  add(tree_.progress, std::move(progress));
}

void Parser::fluent_definition() {
  take();
  FluentDefinition fluent;
  name_of(fluent, "the name of a fluent");
  fluent.indices = indices();
  expect(Kind::becomes, "'='");
  constexpr const char* kForm = "a fluent is written <initiating, terminating>";
  expect(Kind::less, "'<'", kForm);
  fluent.on = label();
  expect(Kind::comma, "','", kForm);
  fluent.off = label();
  expect(Kind::greater, "'>'", kForm);
  if (accept(Kind::k_initially)) fluent.initially = simple_expression();
  accept(Kind::dot);
  add(tree_.fluents, std::move(fluent));
}

void Parser::assert_definition() {
  AssertDefinition assertion;
  assertion.constraint = take().kind == Kind::k_constraint;
  name_of(assertion, "the name of an assertion");
  assertion.parameters = parameters();
  expect(Kind::becomes, "'='");
  assertion.formula = unary_formula();
  if (accept(Kind::plus)) assertion.extension = label_set();
  if (at(Kind::both) || at(Kind::parallel) || at(Kind::arrow) || at(Kind::iff) || at_word("U") || at_word("W"))
    if (at(Kind::parallel) ? peek(2).kind != Kind::becomes && peek(2).kind != Kind::round_open : true)
      fail(peek(), "a formula with a binary operator needs parentheses around it",
           fmt::format("write assert {} = ( ... {} ... )", assertion.name, peek().text));
  accept(Kind::dot);
  add(tree_.assertions, std::move(assertion));
}

// ---- tokens

std::string Parser::hint_for(std::string_view) const {
  const bool taken = is_keyword(peek().kind) && !starts_definition(peek().kind);
  return taken ? fmt::format("'{}' is a keyword", peek().text) : "";
}

}  // namespace surety::fsp
