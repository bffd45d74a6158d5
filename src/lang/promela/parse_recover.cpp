// Where parsing goes on after a syntax error in a statement.
//
// The statement is skipped. From its first token on, brackets are matched (fi and od count as
// brackets of if and do). The statement ends where none of its brackets is open: at a
// separator, at its own closing bracket, or before a line that begins a new statement. The
// construct around it (an option, a block, a body) then goes on at '::', fi, od or '}'.
//
// The brackets themselves may be wrong. So a closing bracket that fits no open bracket of the
// statement, but fits a construct around it, also ends the statement; fi and od may stand for
// each other; other closing brackets that fit nothing are skipped; and a parenthesis with a ';'
// in it is taken to be closed at the end of its line.
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

// The brackets that are open inside the skipped statement. `waiting`: what would close the constructs around it.
class LeftOut {
 public:
  enum class Ends { no, before, after };  // does the statement end at this token?

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

// Skips the statement that begins at token `start`, after an error in it. False: it is not clear where it ends.
bool Parser::recover(std::size_t start, bool declaration) {
  if (given_up_) return false;
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
