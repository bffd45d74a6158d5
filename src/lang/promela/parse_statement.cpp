// Statements.
//
// ';' and '->' both separate, and so does a new line. SPIN forbids a label on the first
// statement of a block or an option (the label belongs before it), and so do we; the body
// of a `for` is no block.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/parser.hpp"

namespace surety::promela {
namespace {

constexpr std::size_t kMostInlineTokens = 2'000'000;

Statement make_statement(Statement::Kind kind, Place place) {
  Statement s;
  s.kind = kind;
  s.place = place;
  return s;
}

bool ends_with_bracket(const Statement& s) {
  switch (s.kind) {
    case Statement::Kind::selection:
    case Statement::Kind::repetition:
    case Statement::Kind::block:
    case Statement::Kind::atomic:
    case Statement::Kind::d_step:
    case Statement::Kind::unless:
    case Statement::Kind::for_range:
    case Statement::Kind::for_in: return true;
    default: return false;
  }
}

}  // namespace

bool Parser::ends_sequence() const {
  switch (peek().kind) {
    case Kind::end:
    case Kind::curly_close:
    case Kind::k_fi:
    case Kind::k_od:
    case Kind::double_colon: return true;
    default: return false;
  }
}

// One that is not the body of a process itself: what is declared in it is set where it stands.
Sequence Parser::inner_sequence() {
  initialise_at_start_ = false;
  return sequence();
}

Sequence Parser::sequence() {
  Sequence out;
  while (accept(Kind::semicolon)) {
  }
  while (!ends_sequence()) {
    const std::size_t start = next_;
    const bool declares = at_declaration();
    out.push_back(step());
    if (!separators() && !ends_sequence() && !ends_with_bracket(out.back()) && !peek().first_on_line) {
      const bool c_else = at(Kind::k_else);
      fail_here("';' or '->' after the statement", c_else              ? "write :: else"
                                                   : at(Kind::becomes) ? "= assigns; == compares"
                                                                       : "");
    }
    if (!panic_) continue;
    if (!recover(start, declares)) break;
    separators();
  }
  return out;
}

bool Parser::separators() {
  bool any = false;
  while (accept(Kind::semicolon) || accept(Kind::arrow)) any = true;
  return any;
}

Statement Parser::step() {
  if (at_declaration()) return declaration();
  if (at(Kind::k_xr) || at(Kind::k_xs)) return exclusive();
  Statement first = statement();
  if (!at(Kind::k_unless)) return first;
  const Token word = take();
  Statement out = make_statement(Statement::Kind::unless, word.place);
  if (!first.labels.empty())
    complain(first.labels[0].place, "a label cannot stand on the main part of an 'unless'",
             "write Label: { statement unless statement }");
  out.branches.resize(2);
  out.branches[0].push_back(std::move(first));
  out.branches[1].push_back(statement());
  if (const auto& labels = out.branches[1][0].labels; !labels.empty())
    complain(labels[0].place, "a label cannot stand on the escape of an 'unless'");
  return out;
}

Statement Parser::declaration() {
  Statement out = make_statement(Statement::Kind::declaration, peek().place);
  out.executed = !initialise_at_start_;
  for (auto& v : variables(false)) {
    if (out.executed && v.list)
      complain(v.place, "a list of values can only stand at the start of a process", "move the declaration up");
    if (out.executed && v.channel)
      complain(v.place, "a channel can only be made at the start of a process", "move the declaration up");
    if (const auto index = declare_local(std::move(v)); index != kNone) out.variables.push_back(index);
  }
  return out;
}

Statement Parser::exclusive() {
  const Token word = take();
  Statement out = make_statement(Statement::Kind::exclusive, word.place);
  out.name = word.text;
  do {
    out.references.push_back(reference());
    check_channel(out.references.back());
  } while (!panic_ && accept(Kind::comma));
  return out;
}

Statement Parser::statement() {
  const Nesting nesting(*this);
  std::vector<Label> labels;
  while (at(Kind::name) && peek(1).kind == Kind::colon && !proctypes_.contains(peek().text)) {
    const Token name = take();
    take();
    std::string full(name.text);
    if (inline_now_ != 0) full += fmt::format("@{}", inline_now_);
    if (indivisible_ > 0 && (full.starts_with("accept") || full.starts_with("progress")) &&
        report_.warnings().size() < Report::kMost)  // an inline can say so often
      report_.warning(name.place, "this label is not seen inside an atomic sequence, unless it blocks there",
                      "put it before the sequence");
    labels.push_back({std::move(full), name.place});
    if (at_declaration()) complain(name.place, "a label cannot stand before a declaration");
  }
  Statement out;
  if (!labels.empty() && (ends_sequence() || at(Kind::semicolon))) {  // a label at the end stands on a skip
    out = make_statement(Statement::Kind::condition, labels.back().place);
    out.value.value = 1;
    out.value.name = "skip";
    out.value.place = labels.back().place;
  } else {
    out = plain_statement();
  }
  initialise_at_start_ = false;
  labels.insert(labels.end(), out.labels.begin(), out.labels.end());
  out.labels = std::move(labels);
  return out;
}

Statement Parser::plain_statement() {
  const Token token = peek();
  switch (token.kind) {
    case Kind::k_if: return choice(Statement::Kind::selection, Kind::k_fi);
    case Kind::k_do: return choice(Statement::Kind::repetition, Kind::k_od);
    case Kind::curly_open: return block(Statement::Kind::block);
    case Kind::k_atomic: return block(Statement::Kind::atomic);
    case Kind::k_d_step: return block(Statement::Kind::d_step);
    case Kind::k_for: return for_loop();
    case Kind::k_select: return select();
    case Kind::k_printf:
    case Kind::k_printm: return print();
    case Kind::k_else: take(); return make_statement(Statement::Kind::else_branch, token.place);
    case Kind::k_break: {
      take();
      if (loops_ == 0) complain(token.place, "'break' stands in no loop");
      return make_statement(Statement::Kind::break_out, token.place);
    }
    case Kind::k_goto: {
      take();
      const Token label = expect(Kind::name, "the name of a label");
      Statement out = make_statement(Statement::Kind::go_to, label.place);
      out.name = label.text;
      if (inline_now_ != 0) out.name += fmt::format("@{}", inline_now_);
      return out;
    }
    case Kind::k_assert: {
      take();
      Statement out = make_statement(Statement::Kind::assertion, token.place);
      out.value = expression();
      check_scalar(out.value);
      return out;
    }
    case Kind::k_c_code:
    case Kind::k_c_decl:
    case Kind::k_c_expr: refuse(token, fmt::format("'{}' (embedded C code)", token.text)); return {};
    case Kind::k_set_priority: refuse(token, "set_priority"); return {};
    case Kind::k_return: refuse(token, "'return' in an inline"); return {};
    case Kind::name:
      if (peek(1).kind == Kind::round_open) {
        if (inlines_.contains(token.text)) return inline_call();
        if (proctypes_.contains(token.text))
          fail(token, fmt::format("'{}' is a proctype", token.text), fmt::format("write run {}(...)", token.text));
        else
          fail(token, fmt::format("there is no inline '{}'", token.text), did_you_mean(token.text, names_of(inlines_)));
        return {};
      }
      return with_reference();
    default: break;
  }
  Statement out = make_statement(Statement::Kind::condition, token.place);
  out.value = expression();
  check_scalar(out.value);
  return out;
}

// ---- compound statements

Statement Parser::choice(Statement::Kind kind, Kind close) {
  const Token word = take();
  const bool loop = kind == Statement::Kind::repetition;
  const char* end = loop ? "od" : "fi";
  Statement out = make_statement(kind, word.place);
  if (loop) ++loops_;
  waiting_.push_back(close);
  if (!at(Kind::double_colon))
    fail_here(fmt::format("'::' after '{}'", word.text),
              fmt::format("write {} :: guard -> statement :: else -> skip {}", word.text, end));
  while (!panic_ && accept(Kind::double_colon)) {
    const Token start = peek();
    out.branches.push_back(inner_sequence());
    if (panic_) break;
    const Sequence& branch = out.branches.back();
    if (branch.empty())
      complain(start.place, "this option has no statement", "write skip if it does nothing");
    else if (!branch[0].labels.empty())
      complain(branch[0].labels[0].place, "a label cannot stand on the first statement of an option",
               fmt::format("put it before the '{}'", word.text));
  }
  if (loop) --loops_;
  waiting_.pop_back();
  if (panic_) return out;
  if (!at(close)) {
    const auto line = source_.line_number(word.place);
    fail_here(fmt::format("'::' or '{}'", end),
              fmt::format("the '{}' of line {} needs its '{}'", word.text, line, end));
  }
  take();
  return out;
}

Statement Parser::block(Statement::Kind kind, bool may_start_with_label) {
  const Token start = peek();
  if (kind != Statement::Kind::block) take();
  Statement out = make_statement(kind, start.place);
  const Token open = expect(Kind::curly_open, "'{'");
  scopes_.emplace_back();
  waiting_.push_back(Kind::curly_close);
  if (kind != Statement::Kind::block) ++indivisible_;
  out.body = inner_sequence();
  if (kind != Statement::Kind::block) --indivisible_;
  waiting_.pop_back();
  scopes_.pop_back();
  if (panic_) return out;
  if (!at(Kind::curly_close))
    fail_here("';' or '}'", fmt::format("the '{{' of line {} is still open", source_.line_number(open.place)));
  const Token closing = take();
  if (panic_) return out;
  if (out.body.empty()) complain(closing.place, "this block has no statement", "write skip if it does nothing");
  if (!may_start_with_label && !out.body.empty() && !out.body[0].labels.empty())
    complain(out.body[0].labels[0].place, "a label cannot stand on the first statement of a block",
             "put it before the '{'");
  return out;
}

// for (i : 1 .. 3) { ... } and for (i in array) { ... }
Statement Parser::for_loop() {
  const Token word = take();
  Statement out = make_statement(Statement::Kind::for_range, word.place);
  expect(Kind::round_open, "'('", "write for (i : 1 .. 3) { ... }");
  index_may_miss_ = true;
  out.target = reference();
  index_may_miss_ = false;
  if (at_word("in")) {
    take();
    out.kind = Statement::Kind::for_in;
    index_may_miss_ = true;
    out.array = reference();
    index_may_miss_ = false;
    const Variable* v = variable_of(out.array);
    if (v != nullptr && out.array.type.base == Type::Base::channel &&
        (!v->length || !out.array.segments[0].index.empty()))
      for_messages(out, *v);
    else if (v != nullptr && (!v->length || out.array.segments.size() > 1))
      complain(out.array.place, fmt::format("'{}' is no array", out.array.segments[0].name));
  } else {
    expect(Kind::colon, "':' or 'in'", "write for (i : 1 .. 3) { ... } or for (i in array) { ... }");
    out.value = expression();
    expect(Kind::dots, "'..'");
    out.upper = expression();
  }
  expect(Kind::round_close, "')'");
  accept(Kind::semicolon);
  ++loops_;
  Statement body = block(Statement::Kind::block, true);
  --loops_;
  out.body = std::move(body.body);
  return out;
}

// for (m in c): as in SPIN every message is taken and put back. The variable that counts them has no name that could be
// written, and is shared by all such loops of a block.
void Parser::for_messages(Statement& s, const Variable& channel) {
  const bool fits = channel.channel && channel.channel->capacity > 0 && channel.channel->fields.size() == 1 &&
                    s.target.type.base == Type::Base::user && s.target.segments.size() == 1 &&
                    s.target.type == channel.channel->fields[0];
  if (!fits)
    return complain(s.array.place, fmt::format("'for' cannot go through the messages of '{}' like this", channel.name),
                    "the channel has a buffer, its messages one field of a typedef, and the variable has that type");
  const auto next = static_cast<std::uint32_t>(process_->variables.size());
  const auto [counter, is_new] = scopes_.back().try_emplace("for#", next);
  if (is_new) {
    Variable v;
    v.name = counter->first;
    v.type.base = Type::Base::byte;
    v.place = s.place;
    process_->variables.push_back(std::move(v));
  }
  s.variables = {counter->second};
}

Statement Parser::select() {
  const Token word = take();
  Statement out = make_statement(Statement::Kind::select, word.place);
  expect(Kind::round_open, "'('", "write select (i : 1 .. 3)");
  out.target = reference();
  expect(Kind::colon, "':'", "write select (i : 1 .. 3)");
  // As SPIN does it: where two bare numbers stand, outside of inlines.
  const std::size_t start = next_;
  out.value = expression();
  expect(Kind::dots, "'..'");
  out.upper = expression();
  out.by_options = next_ == start + 3 && inline_now_ == 0 && out.value.op == Expression::Op::number &&
                   out.upper.op == Expression::Op::number && out.value.mtype < 0 && out.upper.mtype < 0;
  expect(Kind::round_close, "')'");
  return out;
}

Statement Parser::print() {
  const Token word = take();
  Statement out = make_statement(Statement::Kind::print, word.place);
  expect(Kind::round_open, "'('");
  if (word.kind == Kind::k_printf) {
    out.name = expect(Kind::string, "a text in quotes").text;
    if (accept(Kind::comma)) out.messages = arguments(Kind::round_close);
  } else {
    out.messages.push_back(expression());
  }
  expect(Kind::round_close, "')'");
  return out;
}

// ---- inlines

// The arguments of a call, as tokens, up to the ')' that closes it.
std::vector<std::vector<Token>> Parser::inline_arguments() {
  std::vector<std::vector<Token>> out(1);
  for (int depth = 0; !at(Kind::end) && (depth > 0 || !at(Kind::round_close));) {
    const Token token = take();
    if (token.kind == Kind::comma && depth == 0) {
      out.emplace_back();
      continue;
    }
    if (token.kind == Kind::round_open || token.kind == Kind::square_open || token.kind == Kind::curly_open) ++depth;
    if (token.kind == Kind::round_close || token.kind == Kind::square_close || token.kind == Kind::curly_close) --depth;
    out.back().push_back(token);
  }
  expect(Kind::round_close, "')'");
  if (out.size() == 1 && out[0].empty()) out.clear();
  return out;
}

// The body of the inline with the arguments in the place of its parameters.
static std::vector<Token> substituted(const std::vector<Token>& body, const std::vector<std::string_view>& parameters,
                                      const std::vector<std::vector<Token>>& arguments) {
  std::vector<Token> out;
  for (const Token& token : body) {
    const auto p = std::ranges::find(parameters, token.text);
    if (token.kind != Kind::name || p == parameters.end()) {
      out.push_back(token);
      continue;
    }
    for (Token t : arguments[static_cast<std::size_t>(p - parameters.begin())]) {
      t.first_on_line = false;
      out.push_back(t);
    }
  }
  return out;
}

// While there is one, the parser reads the tokens of an inline call; then it goes on behind the call.
class Parser::InsideInline {
 public:
  InsideInline(Parser& parser, std::string_view name, std::vector<Token> body)
      : parser_(parser),
        tokens_(std::exchange(parser.tokens_, std::move(body))),
        next_(std::exchange(parser.next_, 0)),
        waiting_(std::exchange(parser.waiting_, {})),
        inline_now_(std::exchange(parser.inline_now_, static_cast<std::uint32_t>(parser.inline_parent_.size()))) {
    parser.inline_parent_.push_back(inline_now_);
    parser.open_inlines_.push_back(name);
    parser.initialise_at_start_ = false;
  }
  ~InsideInline() {
    parser_.tokens_ = std::move(tokens_);
    parser_.next_ = next_;
    parser_.waiting_ = std::move(waiting_);
    parser_.inline_now_ = inline_now_;
    parser_.open_inlines_.pop_back();
  }
  InsideInline(const InsideInline&) = delete;
  InsideInline& operator=(const InsideInline&) = delete;

 private:
  Parser& parser_;
  std::vector<Token> tokens_;
  std::size_t next_;
  std::vector<Kind> waiting_;
  std::uint32_t inline_now_;
};

Statement Parser::inline_call() {
  const Token name = take();
  const Inline& called = inlines_.find(name.text)->second;
  take();
  const auto arguments = inline_arguments();
  Statement out = make_statement(Statement::Kind::block, name.place);
  if (panic_) return out;
  if (arguments.size() != called.parameters.size()) {
    fail(name, fmt::format("the inline '{}' has {} parameter{}, {} given", name.text, called.parameters.size(),
                           called.parameters.size() == 1 ? "" : "s", arguments.size()));
    return out;
  }
  if (std::ranges::find(open_inlines_, name.text) != open_inlines_.end()) {
    fail(name, fmt::format("the inline '{}' calls itself", name.text), "use a loop, or a proctype");
    return out;
  }
  std::vector<Token> body = substituted(called.body, called.parameters, arguments);
  inline_tokens_ += body.size();
  if (inline_tokens_ > kMostInlineTokens) {
    fail(name, "the inlines of this file make too long a text");
    return out;
  }
  Token end = tokens_.back();
  end.place = name.place;
  body.push_back(end);

  const InsideInline inside(*this, name.text, std::move(body));
  out = block(Statement::Kind::block);
  out.name = name.text;
  return out;
}

// ---- statements that start with a variable

// What kind of token follows the reference that starts here.
Kind Parser::after_reference() const {
  std::size_t ahead = 1;
  for (int depth = 0; peek(ahead).kind != Kind::end; ++ahead) {
    const Kind kind = peek(ahead).kind;
    if (kind == Kind::square_open) ++depth;
    if (kind == Kind::square_close && --depth == 0) continue;
    if (depth > 0) continue;
    if (kind == Kind::dot && peek(ahead + 1).kind == Kind::name) {
      ++ahead;
      continue;
    }
    if ((kind == Kind::question || kind == Kind::random_receive) && peek(ahead + 1).kind == Kind::square_open)
      return Kind::end;  // a poll is an expression
    return kind;
  }
  return Kind::end;
}

Statement Parser::with_reference() {
  const Token start = peek();
  switch (mtype_name(start.text) ? Kind::end : after_reference()) {
    case Kind::becomes: {
      Statement out = make_statement(Statement::Kind::assignment, start.place);
      out.target = reference();
      take();
      if (at(Kind::name) && peek(1).kind == Kind::round_open && inlines_.contains(peek().text)) {
        refuse(peek(), "an inline that returns a value");
        return out;
      }
      out.value = expression();
      check_scalar(out.value);
      if (out.target.scope == Reference::Scope::predefined && start.text != "_")
        complain(start.place, fmt::format("'{}' cannot be assigned to", start.text));
      else if (out.target.type.base == Type::Base::user)
        complain(start.place, "a whole structure cannot be assigned", "assign its fields");
      return out;
    }
    case Kind::increment:
    case Kind::decrement: {
      Statement out = make_statement(Statement::Kind::increment, start.place);
      out.target = reference();
      if (take().kind == Kind::decrement) out.kind = Statement::Kind::decrement;
      if (out.target.type.base == Type::Base::channel) complain(start.place, "there is no arithmetic on channels");
      if (out.target.scope == Reference::Scope::predefined)
        complain(start.place, fmt::format("'{}' cannot be assigned to", start.text));
      return out;
    }
    case Kind::bang:
    case Kind::sorted_send: return send(reference());
    case Kind::question:
    case Kind::random_receive: return receive(reference());
    default: {
      Statement out = make_statement(Statement::Kind::condition, start.place);
      out.value = expression();
      check_scalar(out.value);
      return out;
    }
  }
}

// c!a,b and c!a(b)
Statement Parser::send(Reference channel) {
  const Token symbol = take();
  Statement out = make_statement(Statement::Kind::send, channel.place);
  out.sorted = symbol.kind == Kind::sorted_send;
  check_channel(channel);
  if (process_ != nullptr && (process_->kind == Process::Kind::trace || process_->kind == Process::Kind::notrace)) {
    out.patterns = patterns();  // in an assertion about events, a send is matched as a receive is
    if (!panic_) check_message(channel, out.patterns.size(), symbol.place, MessageUse::poll);
    out.target = std::move(channel);
    return out;
  }
  do out.messages.push_back(expression());
  while (!panic_ && accept(Kind::comma));
  if (out.messages.size() == 1 && accept(Kind::round_open)) {
    for (auto& e : arguments(Kind::round_close)) out.messages.push_back(std::move(e));
    expect(Kind::round_close, "')'");
  }
  if (!panic_ && process_ != nullptr) check_message(channel, out.messages.size(), symbol.place, MessageUse::send);
  out.target = std::move(channel);
  return out;
}

Statement Parser::receive(Reference channel) {
  const Token symbol = take();
  Statement out = make_statement(Statement::Kind::receive, channel.place);
  out.random = symbol.kind == Kind::random_receive;
  check_channel(channel);
  out.peek = accept(Kind::less);
  out.patterns = patterns();
  if (out.peek) expect(Kind::greater, "'>'");
  if (!panic_) check_message(channel, out.patterns.size(), symbol.place, MessageUse::receive);
  out.target = std::move(channel);
  return out;
}

std::vector<Pattern> Parser::patterns() {
  std::vector<Pattern> out;
  more_patterns(out);
  return out;
}

// a, b   a(b)   (a, b)
void Parser::more_patterns(std::vector<Pattern>& out) {
  const Nesting nesting(*this);
  if (accept(Kind::round_open)) {
    more_patterns(out);
    expect(Kind::round_close, "')'");
    return;
  }
  do {
    out.push_back(pattern());
    if (accept(Kind::round_open)) {
      more_patterns(out);
      expect(Kind::round_close, "')'");
      return;
    }
  } while (!panic_ && accept(Kind::comma));
}

Pattern Parser::pattern() {
  Pattern out;
  out.place = peek().place;
  if (accept(Kind::k_eval)) {
    out.kind = Pattern::Kind::eval;
    expect(Kind::round_open, "'('", "write eval(x)");
    out.expression = expression();
    expect(Kind::round_close, "')'");
  } else if (at(Kind::name) && !mtype_name(peek().text)) {
    out.reference = reference();
    const auto& r = out.reference;
    if (r.scope == Reference::Scope::predefined && r.segments[0].name != "_")
      complain(out.place, fmt::format("'{}' cannot be received into", r.segments[0].name),
               "write eval(...) to compare");
  } else if (at(Kind::integer) || at(Kind::minus) || at(Kind::name) || at(Kind::k_true) || at(Kind::k_false) ||
             at(Kind::k_skip)) {
    out.kind = Pattern::Kind::constant;
    out.expression = unary();
    if (!constant(out.expression)) fail_here("a variable, a constant or eval(...)");
  } else {
    fail_here("a variable, a constant or eval(...)");
  }
  return out;
}

// How many fields a user type adds to a message.
static std::size_t width_of(const Program& program, const Type& type) {
  if (type.base != Type::Base::user) return 1;
  std::size_t sum = 0;
  for (const auto& f : program.types[type.index].fields) sum += width_of(program, f.type) * f.length.value_or(1);
  return sum;
}

void Parser::check_message(const Reference& channel, std::size_t given, Place place, MessageUse use) {
  const Variable* v = channel.segments.size() == 1 ? variable_of(channel) : nullptr;
  if (v == nullptr || !v->channel) return;
  if (given == v->channel->fields.size()) return;
  std::size_t fields = 0;
  for (const Type& t : v->channel->fields) fields += width_of(program_, t);
  if (given == fields) return;
  if (use == MessageUse::poll && given < fields) return;  // the others may have any value
  complain(place,
           fmt::format("the messages of '{}' have {} field{}, {} {} given", v->name, fields, fields == 1 ? "" : "s",
                       given, given == 1 ? "is" : "are"),
           use == MessageUse::receive && given < fields ? "write _ for a field that does not matter" : "");
}

// ---- labels

namespace {

template <class Visit>
void for_each_statement(Sequence& body, const Visit& visit) {
  for (Statement& s : body) {
    visit(s);
    for_each_statement(s.body, visit);
    for (auto& b : s.branches) for_each_statement(b, visit);
  }
}

}  // namespace

// While reading, a label l of the n-th call of an inline is l@n: every call has labels of its own. Now they get plain
// names, with a number where the plain one is taken.
void Parser::name_labels(Process& process) {
  std::map<std::string, std::string, std::less<>> final_names;
  std::set<std::string, std::less<>> taken;
  for (const bool in_inline : {false, true})
    for_each_statement(process.body, [&](Statement& s) {
      for (Label& l : s.labels) {
        const auto at = l.name.find('@');
        if ((at != std::string::npos) != in_inline) continue;
        std::string name = l.name.substr(0, at);
        if (final_names.contains(l.name)) {
          complain(l.place, fmt::format("the label '{}' is already there", name), "choose another name");
          continue;
        }
        for (int i = 1; taken.contains(name); ++i) name = fmt::format("{}_{}", l.name.substr(0, at), i);
        taken.insert(name);
        final_names.emplace(l.name, name);
      }
    });
  for_each_statement(process.body, [&](Statement& s) {
    for (Label& l : s.labels) l.name = final_names.at(l.name);
    if (s.kind != Statement::Kind::go_to) return;
    const auto at = s.name.find('@');
    const std::string name = s.name.substr(0, at);
    std::uint32_t call = at == std::string::npos ? 0 : static_cast<std::uint32_t>(std::stoul(s.name.substr(at + 1)));
    for (;; call = inline_parent_[call]) {
      const auto found = final_names.find(call == 0 ? name : fmt::format("{}@{}", name, call));
      if (found != final_names.end()) {
        s.name = found->second;
        return;
      }
      if (call == 0) break;
    }
    s.name = name;
    complain(s.place, fmt::format("there is no label '{}'", name), did_you_mean(name, {taken.begin(), taken.end()}));
  });
}

}  // namespace surety::promela
