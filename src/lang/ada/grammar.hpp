// Tokens to a tree, by recursive descent: one function for each rule of the grammar.
//
// Units and context clauses are in parser.cpp, declarations in parse_declaration.cpp, program units (subprograms,
// packages, tasks, protected objects) in parse_unit.cpp, generic ones in parse_generic.cpp, types in parse_type.cpp,
// statements in parse_statement.cpp, accept and select in parse_select.cpp, expressions in parse_expression.cpp, names
// and what stands in brackets behind them in parse_name.cpp.
//
// After a syntax error all rules return (lang/text/parser_base), up to the innermost list of declarations or
// statements, which goes on behind the next ';' (parse_recover.cpp). Before that some rules look for the word they wait
// for: an error in a condition ends at 'then', so that the statements behind it are read as what they are. Which
// constructs are open
// (`open_`) tells whether an 'end' is wrong or another one is missing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/ada/lexer.hpp"
#include "lang/ada/tree.hpp"
#include "lang/text/parser_base.hpp"

namespace surety::ada {

// What may stand in a list of declarations depends on where it is.
enum class Where : std::uint8_t {
  library,
  package,
  body,
  task,
  protected_visible,
  protected_private,
  protected_body,
  record,
  generic,
};

// Which arguments in brackets may be ranges: none, the only one (a slice), any (a constraint).
enum class Ranges : std::uint8_t { none, alone, any };

class Parser : text::ParserBase<Kind> {
 public:
  Parser(const Source& source, std::size_t begin, std::size_t length, Report& report);
  std::vector<Unit> run();

 private:
  // Units.
  void unit(Unit& out);
  void context(Unit& unit);
  void with_clause(Unit& unit);
  void subunit(Unit& unit);
  bool may_begin_unit() const;
  void check_subunit(const Declaration& declaration);

  // Declarations.
  std::vector<Declaration> declarations(Where where);
  bool ends_declarations() const;
  Declaration declaration(Where where);
  Declaration plain_declaration(Where where);
  void check_place(const Declaration& declaration, Where where);
  Declaration object(Where where);
  void object_type(Declaration& out, Where where);
  Declaration object_renaming(Declaration out);
  Declaration use_clause();
  Declaration pragma();
  void pragmas();
  Declaration representation();
  void record_representation();
  void component_clause();
  std::vector<Declaration::Aspect> aspects();
  Declaration::Aspect aspect();
  void end_declaration(Declaration& out, std::string_view what);

  // Program units.
  Declaration overridden(Where where);
  Declaration subprogram(Where where);
  Declaration rest_of_subprogram(Declaration out);
  Declaration expression_function(Declaration out);
  Declaration subprogram_body(Declaration out);
  Declaration renames(Declaration out, Declaration::Of of);
  Declaration instance(Declaration out, Declaration::Of of);
  std::vector<Association> generic_arguments();
  Declaration stub(Declaration out, Declaration::Of of);
  Declaration package();
  Declaration package_body(Declaration out);
  Declaration task();
  Declaration protected_unit();
  Declaration unit_body(Declaration out, Declaration::Of of);
  Declaration unit_with_operations(Declaration out, Declaration::Of of);
  void progenitors();
  Declaration entry(Where where);
  Declaration entry_body(Declaration out);
  void entry_family(Profile& profile, bool body);
  Declaration generic();
  bool at_generic_renaming() const;
  Declaration generic_renaming(Declaration out);
  std::vector<Declaration> formals();
  Declaration formal();
  Declaration formal_type();
  bool formal_definition(TypeDefinition& out);
  Declaration formal_object();
  Declaration formal_with();
  Declaration formal_package();
  bool formal_box(Declaration& out);
  void profile(Declaration& out, bool function);
  std::vector<Parameter> parameters();
  Parameter parameter();
  void parameter_mode(Parameter& out);
  bool at_parameters() const;
  SubtypeIndication result();
  Body body(std::string_view what);
  void handled_statements(Body& out);
  Handler handler();

  // Types.
  Declaration type();
  Declaration subtype();
  TypeDefinition definition();
  TypeDefinition modified_definition(TypeDefinition out);
  TypeDefinition enumeration(TypeDefinition out);
  TypeDefinition integer(TypeDefinition out);
  TypeDefinition modular(TypeDefinition out);
  TypeDefinition real(TypeDefinition out);
  TypeDefinition array(TypeDefinition out);
  void index(TypeDefinition& out);
  TypeDefinition record(TypeDefinition out);
  void components(TypeDefinition& out);
  void variants();
  TypeDefinition derived(TypeDefinition out);
  TypeDefinition interface(TypeDefinition out);
  TypeDefinition access(TypeDefinition out);
  bool at_access() const;
  void discriminants(Declaration& out);
  Parameter discriminant();
  bool null_exclusion();
  SubtypeIndication subtype_indication();
  SubtypeIndication marked();
  SubtypeIndication marked_or_access();
  void constraint(SubtypeIndication& out);
  Expression range();

  // Statements.
  std::vector<Statement> statements();
  std::vector<Statement> statements_or_none();
  bool ends_statements() const;
  bool belongs_here() const;
  Statement statement();
  Statement plain_statement();
  Statement named();
  Statement assignment_or_call();
  Statement conditional();
  Statement::Branch conditional_branch();
  Statement selection();
  Statement::Branch selection_branch();
  Statement loop(std::string name, std::string_view written = {});
  struct Iteration {
    std::string variable;
    Expression range;
    bool reverse = false, elements = false;
  };
  void for_loop(Statement& out);
  Iteration iteration();
  Statement block(std::string name, std::string_view written = {});
  Statement exit();
  Statement jump();
  Statement ret();
  void returned_object(Statement& out);
  Statement delay();
  Statement raise();
  Statement abort();
  Statement requeue();
  Statement accept_statement();
  Statement select();
  SelectBranch select_branch();
  void select_head(SelectBranch& out);
  SelectBranch then_abort();
  void check_select(const Statement& select);
  void end_statement(std::string_view what);

  // Expressions.
  Expression expression();
  Expression condition(Kind before, std::string_view what);
  std::optional<Operator> logical() const;
  Expression relation();
  Expression membership(Expression tested);
  Expression raise_expression();
  Expression simple_expression();
  Expression term();
  Expression factor();
  Expression primary();
  Expression literal(Expression::Kind kind);
  Expression bracketed();
  static Expression refused(Place place, std::string_view what);
  Expression aggregate(Expression out, Association first);
  Expression square_aggregate();
  void no_range(const Association& association);
  Expression extension(Expression out, Association ancestor);
  bool at_conditional() const;
  Expression conditional_expression();
  Expression if_expression();
  Expression case_expression();
  Expression declare_expression();
  Expression quantified();
  Expression allocator();
  static bool is_simple(const Expression& e);
  Expression range_or_expression();
  Expression rest_of_range(Expression out);
  Expression choice();
  std::vector<Expression> choices();
  Expression unary(Operator op, const Token& token, Expression operand);
  Expression binary(Operator op, const Token& token, Expression left, Expression right);
  Expression sized(Expression e);

  // Names.
  Expression name();
  Expression proper_name(std::string_view what);
  Expression first_name();
  static Expression as_operator(Expression e);
  Expression suffixes(Expression out);
  Expression selected(Expression prefix);
  Expression attribute(Expression prefix);
  Expression applied(Expression prefix, Ranges ranges = Ranges::alone);
  std::vector<Association> arguments(Ranges ranges);
  void check_arguments(const std::vector<Association>& arguments, Ranges ranges);
  void next_argument(std::vector<Association>& out, Association argument);
  Association association();
  Association iterated();
  Expression subtype_mark();
  Expression mark_attributes(Expression out);
  Expression dotted_name(std::string_view what);
  std::string unit_name(std::string_view what, Place& place);
  std::string defining_name(std::string_view what, Place& place);
  std::vector<std::string> defining_names(std::string_view what);

  // Tokens.
  bool at_name() const { return at(Kind::name) || is_newer_word(peek().kind); }
  bool is_name(const Token& token) const { return token.kind == Kind::name || is_newer_word(token.kind); }
  bool next_is(Kind kind) const { return peek(1).kind == kind; }
  bool at_label() const { return at_name() && next_is(Kind::colon); }
  std::string hint_for(std::string_view expected) const override;

  // Ends and recovery.
  struct Open {
    Kind word = Kind::name;      // end if, end loop ...; of units, blocks and accept statements: name
    std::string name = {};       // in lower case; empty: it has none
    std::string_view text = {};  // as it was written
    bool must_be_named = false;  // at the end
  };
  class Inside {
   public:
    Inside(Parser& parser, Open open) : parser_(parser) { parser_.open_.push_back(std::move(open)); }
    ~Inside() { parser_.open_.pop_back(); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Parser& parser_;
  };
  Open opened(std::string name, Place place) const;
  Place finish();
  void end_of_record();
  std::string shown_end(const Open& open) const;
  void end_name(const Open& open);
  bool closes(const Open& open) const;
  bool closes_outer() const;
  std::string name_behind_end() const;
  bool stray_end();
  void recover(std::size_t start);
  static int bracket(const Token& token);
  void mend(Kind kind);
  void join(Kind kind, std::string_view what, std::string_view hint = {});
  void mend_bracket();

  std::vector<Open> open_;
};

}  // namespace surety::ada
