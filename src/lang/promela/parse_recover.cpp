// Where reading goes on after an error of grammar in a statement.
//
// The statement is left out: from its first token on, brackets are matched, and it ends
// at a separator, at a closing bracket of its own, or before a line that begins with a
// new one, where none of its brackets is open. What is around it (the option, the block,
// the body) goes on by itself at '::', fi, od and '}'. Brackets can be what is wrong: a
// closing one that nothing inside is open for but something around waits for ends the
// statement as well, fi and od may be mistaken for each other, any other that fits
// nowhere is passed over, and a parenthesis that a ';' stands in is over with its line.
#include <algorithm>

#include "lang/promela/parser.hpp"

namespace surety::promela {
namespace {

// A statement begins with it, and an expression hardly goes on with it in a new line.
bool starts_statement(Kind kind) {
  switch (kind) {
    case Kind::name:
    case Kind::curly_open:
    case Kind::k_assert:
    case Kind::k_atomic:
    case Kind::k_break:
    case Kind::k_d_step:
    case Kind::k_do:
    case Kind::k_for:
    case Kind::k_goto:
    case Kind::k_if:
    case Kind::k_printf:
    case Kind::k_printm:
    case Kind::k_run:
    case Kind::k_select:
    case Kind::k_skip: return true;
    default: return false;
  }
}

// What is open inside the statement. `waiting`: what would close the constructs around it.
class LeftOut {
 public:
  enum class Ends { no, before, after };  // the statement, at this token

  explicit LeftOut(const std::vector<Kind>& waiting) : waiting_(waiting) {}

  bool nothing_open() const { return open_.empty() && round_ == 0; }

  Ends see(const Token& token) {
    if (unclosed_ && token.first_on_line) {
      round_ = 0;
      unclosed_ = false;
      if (open_.empty()) return Ends::before;
    }
    switch (token.kind) {
      case Kind::round_open:
      case Kind::square_open: ++round_; return Ends::no;
      case Kind::round_close:
      case Kind::square_close: return closes_round();
      case Kind::arrow: return nothing_open() ? Ends::before : Ends::no;  // inside parentheses: (a -> b : c)
      case Kind::semicolon: unclosed_ = round_ > 0; return nothing_open() ? Ends::before : Ends::no;
      case Kind::double_colon: round_ = 0; return open_.empty() && in_a_choice() ? Ends::before : Ends::no;
      case Kind::k_if: return opens(Kind::k_fi);
      case Kind::k_do: return opens(Kind::k_od);
      case Kind::curly_open: return opens(Kind::curly_close);
      case Kind::k_fi:
      case Kind::k_od:
      case Kind::curly_close: return closes(token.kind);
      default: return Ends::no;
    }
  }

 private:
  bool in_a_choice() const { return is_waited_for(Kind::k_fi) || is_waited_for(Kind::k_od); }
  bool is_waited_for(Kind kind) const { return std::ranges::find(waiting_, kind) != waiting_.end(); }

  Ends closes_round() {
    round_ = std::max(0, round_ - 1);
    unclosed_ = unclosed_ && round_ > 0;
    return Ends::no;
  }

  Ends opens(Kind close) {
    round_ = 0;
    open_.push_back(close);
    return Ends::no;
  }

  Ends closes(Kind kind) {
    round_ = 0;
    const bool slip = !open_.empty() && open_.back() != Kind::curly_close && kind != Kind::curly_close;
    if (std::ranges::find(open_, kind) != open_.end()) {
      while (open_.back() != kind) open_.pop_back();
      open_.pop_back();
    } else if (is_waited_for(kind)) {
      return Ends::before;
    } else if (slip) {
      open_.pop_back();
    } else {
      return Ends::no;
    }
    return open_.empty() ? Ends::after : Ends::no;
  }

  const std::vector<Kind>& waiting_;
  std::vector<Kind> open_;  // by what closes them
  int round_ = 0;           // round and square brackets
  bool unclosed_ = false;   // there was a ';' in one
};

}  // namespace

// There is an error in the statement that begins at token `start`. False: where it ends cannot be told.
bool Parser::recover(std::size_t start, bool declaration) {
  const std::size_t wrong = next_;
  LeftOut left_out(waiting_);
  for (std::size_t i = start; i + 1 < tokens_.size() && !report_.full(); ++i) {
    const Token& token = tokens_[i];
    const bool new_line = token.first_on_line && i >= wrong;
    if (new_line && starts_unit(token.kind)) return false;
    using Ends = LeftOut::Ends;
    const bool next_begins = new_line && i > wrong && left_out.nothing_open() && starts_statement(token.kind);
    Ends ends = next_begins ? Ends::before : left_out.see(token);
    if (ends == Ends::after && tokens_[i + 1].kind == Kind::k_unless) ends = Ends::no;
    if (i < wrong || ends == Ends::no) continue;
    next_ = ends == Ends::before ? i : i + 1;
    if (declaration) doubt(start, next_);
    panic_ = false;
    return true;
  }
  return false;
}

void Parser::doubt(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    if (tokens_[i].kind == Kind::name) doubtful_.emplace(tokens_[i].text);
}

}  // namespace surety::promela
