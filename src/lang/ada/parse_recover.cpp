// Ends of constructs, and where parsing goes on after a syntax error.
//
// An 'end' that does not fit the innermost construct is taken for that of the construct around it if it fits there:
// then an end is missing here, and only that is said. Otherwise it is wrong itself, and is skipped.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/grammar.hpp"

namespace surety::ada {
namespace {

std::string_view word_of(Kind kind) {
  switch (kind) {
    case Kind::k_if: return "if";
    case Kind::k_case: return "case";
    case Kind::k_loop: return "loop";
    case Kind::k_select: return "select";
    case Kind::k_return: return "return";
    case Kind::k_record: return "record";
    default: return "";
  }
}

bool is_closing_word(Kind kind) { return !word_of(kind).empty(); }

// Words that begin a line only together with a new declaration or statement.
bool begins_afresh(Kind kind) {
  switch (kind) {
    case Kind::k_accept:
    case Kind::k_begin:
    case Kind::k_case:
    case Kind::k_declare:
    case Kind::k_else:
    case Kind::k_elsif:
    case Kind::k_end:
    case Kind::k_entry:
    case Kind::k_exception:
    case Kind::k_exit:
    case Kind::k_for:
    case Kind::k_function:
    case Kind::k_generic:
    case Kind::k_if:
    case Kind::k_loop:
    case Kind::k_package:
    case Kind::k_pragma:
    case Kind::k_private:
    case Kind::k_procedure:
    case Kind::k_protected:
    case Kind::k_raise:
    case Kind::k_return:
    case Kind::k_select:
    case Kind::k_subtype:
    case Kind::k_task:
    case Kind::k_type:
    case Kind::k_when:
    case Kind::k_while: return true;
    default: return false;
  }
}

}  // namespace

Parser::Open Parser::opened(std::string name, Place place) const {
  return {Kind::name, std::move(name), std::string_view(source_.text).substr(place.offset, place.length)};
}

std::string Parser::shown_end(const Open& open) const {
  std::string out = "end";
  if (open.word != Kind::name) out += fmt::format(" {}", word_of(open.word));
  if (!open.text.empty()) out += fmt::format(" {}", open.text);
  return fmt::format("'{}'", out);
}

// Of what stands behind 'end': a.b, "+"
std::string Parser::name_behind_end() const {
  std::string out;
  for (std::size_t i = 1; is_name(peek(i)) || peek(i).kind == Kind::string; i += 2) {
    out += lower_case(peek(i).text);
    if (peek(i + 1).kind != Kind::dot) break;
    out += '.';
  }
  return out;
}

bool Parser::closes(const Open& open) const {
  if (open.word != Kind::name) return next_is(open.word);
  return next_is(Kind::semicolon) || (!is_closing_word(peek(1).kind) && name_behind_end() == open.name);
}

bool Parser::closes_outer() const {
  return open_.size() > 1 && std::any_of(open_.begin(), open_.end() - 1, [this](const Open& o) { return closes(o); });
}

// At an 'end' in a list of statements that closes nothing: skips it.
bool Parser::stray_end() {
  if (open_.empty() || closes(open_.back()) || closes_outer() || !is_closing_word(peek(1).kind)) return false;
  complain(peek().place, fmt::format("expected {}", shown_end(open_.back())),
           fmt::format("this 'end {}' closes nothing", peek(1).text));
  while (!at(Kind::semicolon) && !at(Kind::end)) take();
  accept(Kind::semicolon);
  return true;
}

// The place of the word 'end'.
Place Parser::finish() {
  const Open open = open_.back();
  const Place place = peek().place;
  if (panic_) return place;
  const std::string wanted = shown_end(open);
  if (at(Kind::k_end) && !closes(open) && closes_outer()) {
    complain(place, fmt::format("expected {}", wanted), "this closes what begins before");
    return place;
  }
  expect(Kind::k_end, wanted);
  if (open.word != Kind::name) expect(open.word, wanted);
  end_name(open);
  expect(Kind::semicolon, fmt::format("';' after {}", wanted));
  return place;
}

void Parser::end_name(const Open& open) {
  const bool named = is_name(peek()) || at(Kind::string);
  const std::string wanted = fmt::format("expected {}", shown_end(open));
  if (!named) {
    if (open.must_be_named) complain(peek().place, wanted);
    return;
  }
  Place place;
  if (unit_name("a name", place) != open.name) complain(place, wanted);
}

// Behind it stand aspects, or ';'.
void Parser::end_of_record() {
  expect(Kind::k_end, "'end record'");
  expect(Kind::k_record, "'end record'");
}

// Goes on after the declaration or statement that begins at token `start`: behind the next ';' outside of brackets, or
// before a line that begins afresh.
void Parser::recover(std::size_t start) {
  panic_ = false;
  if (next_ == start && !at_end()) ++next_;
  int depth = 0;
  for (std::size_t i = start; i < next_; ++i) depth += bracket(tokens_[i]);
  if (next_ > start && tokens_[next_ - 1].kind == Kind::semicolon) return;
  for (; !at(Kind::end); ++next_) {
    const Token& token = peek();
    if (token.first_on_line && begins_afresh(token.kind)) return;
    if (token.kind == Kind::k_end) return;
    depth += bracket(token);
    if (token.kind == Kind::semicolon && (depth <= 0 || peek(1).first_on_line)) break;
  }
  accept(Kind::semicolon);
}

int Parser::bracket(const Token& token) {
  return token.kind == Kind::round_open ? 1 : token.kind == Kind::round_close ? -1 : 0;
}

// After an error before the word `kind`: goes on there, if it belongs to the same declaration or statement.
void Parser::mend(Kind kind) {
  if (!panic_) return;
  for (std::size_t i = next_; i + 1 < tokens_.size(); ++i) {
    const Kind here = tokens_[i].kind;
    if (here == kind) {
      next_ = i;
      panic_ = false;
      return;
    }
    if (here == Kind::semicolon || here == Kind::k_end || here == Kind::k_begin) return;
  }
}

// A word that joins two parts. If it is missing, reading goes on as if it were there.
void Parser::join(Kind kind, std::string_view what, std::string_view hint) {
  const bool missing = !panic_ && !at(kind);
  if (missing) fail_here(what, hint);
  mend(kind);
  if (missing) panic_ = false;
  accept(kind);
}

// After an error in brackets with ';' in them: goes on where they end.
void Parser::mend_bracket() {
  if (!panic_) return;
  int depth = 0;
  for (std::size_t i = next_; i + 1 < tokens_.size(); ++i) {
    const Kind here = tokens_[i].kind;
    if (here == Kind::round_close && depth == 0) {
      next_ = i;
      panic_ = false;
      return;
    }
    if (here == Kind::k_is || here == Kind::k_begin || here == Kind::k_end || here == Kind::k_do) return;
    depth += bracket(tokens_[i]);
  }
}

}  // namespace surety::ada
