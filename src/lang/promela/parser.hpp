// Tokens to a tree, by recursive descent.
//
// One function for each rule of the grammar: units and declarations (parser.cpp),
// statements (parse_statement.cpp; after an error in one, parse_recover.cpp), expressions
// (parse_expression.cpp). As in SPIN, a variable is declared before it is used, so names
// are resolved on the way; proctypes and labels can come later and are looked up at the
// end, and so are ltl blocks.
//
// The call of an inline is replaced by its tokens, parameters by the tokens of the
// arguments, and the block that this makes is parsed where the call stands.
//
// After a syntax error all rules return (lang/text/parser_base), up to the innermost sequence
// of statements. That skips the wrong statement and goes on with the next one, or with the
// next option or the end of the construct around it (recover). Outside of bodies, parsing goes
// on with the next unit. Text that was skipped causes no further errors: the labels of a unit
// with a syntax error are not looked up, and a name that occurs in a skipped declaration is
// never reported as undeclared.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lang/promela/lexer.hpp"
#include "lang/promela/tree.hpp"
#include "lang/text/parser_base.hpp"

namespace surety::promela {

// A word that only a unit starts with.
bool starts_unit(Kind kind);

class Parser : text::ParserBase<Kind> {
 public:
  Parser(const Source& source, Report& report);
  Program run();

 private:
  struct Inline {
    std::vector<std::string_view> parameters;
    std::vector<Token> body;  // from { to }
    Place place;
  };
  struct MtypeName {
    std::uint32_t set = 0;
    std::int32_t value = 0;
  };
  enum class MessageUse { send, receive, poll };
  using ScopeNames = std::map<std::string, std::uint32_t, std::less<>>;

  // Units.
  void unit();
  void typedef_unit();
  void inline_unit();
  void proctype_unit();
  void check_provided(const Expression& e);
  void init_unit();
  void never_unit();
  void trace_unit();
  void ltl_unit();
  void ltl_formulas();
  void read_process(Process process, const Token& word);
  void body_of(Process& process);
  void add_process(Process process, const Token& name);
  void refuse(const Token& token, std::string_view construct);

  // Declarations.
  bool at_declaration() const;
  bool at_type() const;
  Type type();
  void mtype_constants();
  bool at_mtype_constants() const;
  std::vector<Variable> variables(bool in_parameters, bool fields = false);
  Variable variable(Type declared, Variable::Visibility visibility, bool in_parameters, bool fields);
  ChannelInit channel_init();
  std::optional<std::int32_t> constant(const Expression& e) const;
  std::uint32_t count(std::string_view what, std::int32_t least);
  std::uint32_t declare_global(Variable v);
  std::uint32_t declare_local(Variable v);
  void check_new_name(const Variable& v);

  // Statements.
  Sequence sequence();
  Sequence inner_sequence();
  Statement step();
  Statement statement();
  Statement plain_statement();
  Statement declaration();
  Statement exclusive();
  Statement choice(Statement::Kind kind, Kind close);
  Statement block(Statement::Kind kind, bool may_start_with_label = false);
  Statement for_loop();
  void for_messages(Statement& s, const Variable& channel);
  Statement select();
  Statement print();
  Statement inline_call();
  class InsideInline;
  std::vector<std::vector<Token>> inline_arguments();
  Statement with_reference();
  Statement send(Reference channel);
  Statement receive(Reference channel);
  std::vector<Pattern> patterns();
  void more_patterns(std::vector<Pattern>& out);
  Pattern pattern();
  void check_message(const Reference& channel, std::size_t given, Place place, MessageUse use);
  void name_labels(Process& process);
  bool ends_sequence() const;
  bool separators();
  bool recover(std::size_t start, bool declaration);
  void doubt(std::size_t begin, std::size_t end);
  Kind after_reference() const;

  // Expressions.
  Expression expression() { return binary(1); }
  Expression binary(int weakest);
  Expression unary();
  Expression primary();
  Expression parenthesised();
  Expression run_expression();
  Expression about_channel(Expression::Op op);
  Expression one_operand(Expression::Op op);
  Expression named();
  Expression remote();
  Expression make(Expression::Op op, const Token& at, std::vector<Expression> operands);
  std::vector<Expression> arguments(Kind close);
  Reference reference();
  void resolve(Reference& r);
  void resolve_fields(Reference& r, const Variable* v);
  const Variable* lookup(Reference& r);
  const Variable* variable_of(const Reference& r) const;
  void undeclared(const Reference::Segment& segment);
  void check_channel(const Reference& r);
  void check_scalar(const Expression& e);
  std::optional<MtypeName> mtype_name(std::string_view name) const;

  // Names that are looked up at the end.
  void check_later();

  // Tokens.
  bool at_word(std::string_view word) const { return at(Kind::name, word); }
  std::string hint_for(std::string_view expected) const override;

  std::set<std::string, std::less<>> doubtful_;  // names that may be declared in text that was skipped
  std::vector<Kind> waiting_;                    // what closes the constructs around this place: fi, od, }

  Program program_;
  std::map<std::string, std::uint32_t, std::less<>> globals_, types_;
  std::map<std::string, MtypeName, std::less<>> mtypes_;
  std::map<std::string, Inline, std::less<>> inlines_;
  std::set<std::string, std::less<>> proctypes_;  // so far
  struct LtlTokens {
    std::uint32_t formula;
    std::size_t begin;
  };
  std::vector<LtlTokens> ltl_;

  // Of the process that is being read.
  Process* process_ = nullptr;
  std::vector<ScopeNames> scopes_;
  std::set<std::string, std::less<>> reported_;  // undeclared names: each is one error
  bool initialise_at_start_ = true;              // no statement has been read yet
  int loops_ = 0;                                // how many loops are around; a break leaves the innermost
  int indivisible_ = 0;                          // how many atomic and d_step blocks are around
  bool in_ltl_ = false;
  bool index_may_miss_ = false;  // an array without an index is allowed (for ... in)
  std::vector<std::string_view> open_inlines_;
  std::vector<std::uint32_t> inline_parent_ = {0};  // of the call with that number; 0: the process itself
  std::uint32_t inline_now_ = 0;
  std::size_t inline_tokens_ = 0;
  std::uint32_t claims_ = 0;
  std::uint32_t nameless_formulas_ = 0;
};

}  // namespace surety::promela
