// Tokens to definitions, by recursive descent.
//
// One function for each rule of the grammar, one file for each part of it:
// definitions (parser.cpp), expressions, labels, processes, composites, formulas
// (parse_*.cpp). What an upper-case name means depends on what has been defined so
// far, so const, range and set are evaluated while parsing.
//
// After an error the parser waits for the next definition (lang/text/parser_base):
// one run finds the errors of many definitions.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lang/fsp/front/expression.hpp"
#include "lang/fsp/front/tree.hpp"
#include "lang/fsp/front/types.hpp"
#include "lang/text/parser_base.hpp"

namespace surety::fsp {

bool starts_definition(Kind kind);  // a keyword that only a definition starts with

class Parser : text::ParserBase<Kind> {
 public:
  Parser(const Source& source, const std::vector<FspDefine>& defines, Report& report, const FspLimits& limits);
  Tree run();

 private:
  // Definitions.
  void definition();
  bool at_definition() const;
  void constant_definition();
  void range_definition();
  void set_definition();
  void import_definition();
  void animation_definition();
  void process_or_composite();
  void menu_definition();
  void progress_definition();
  void fluent_definition();
  void assert_definition();
  void check_defines();
  template <class Map, class Value>
  void define(Map& map, const char* what, const Token& name, Value value);
  template <class Definition>
  void add(std::vector<Definition>& definitions, Definition definition);
  // Definitions of one kind and their names: files that programs write may have very many.
  template <class Definition>
  void put(std::vector<Definition>& definitions, Definition definition) {
    names_.emplace(&definitions, definition.name);
    definitions.push_back(std::move(definition));
  }
  template <class Definition>
  bool has(const std::vector<Definition>& definitions, std::string_view name) const {
    return names_.contains({&definitions, name});
  }
  template <class Definition>
  void name_of(Definition& definition, std::string_view what, std::string_view hint = {}) {
    const Token name = expect(Kind::upper, what, hint);
    definition.name = name.text;
    definition.place = name.place;
  }

  // Expressions.
  Expression expression() { return binary(1); }
  Expression simple_expression() { return binary(kAdditive); }  // only + - * / %
  Expression binary(int weakest);
  Expression unary();
  Expression primary();
  Expression combine(const Token& symbol, Expression::Op op, std::vector<Expression> operands);
  std::vector<Expression> actuals();
  Value constant(const Expression& e);
  std::int32_t constant_value(const Expression& e);  // which must be a number

  // Labels.
  bool at_label() const;
  bool at_set_name() const;
  // May `\ Set` follow a set and take labels away from it? Where a set ends a definition, it hides actions.
  enum class Difference { yes, no };
  Label label(Difference difference = Difference::yes);
  Label label_set(Difference difference = Difference::no);
  void label_parts(Label& label, Difference difference);
  bool first_part(Label& label, Difference difference);
  LabelPart bare_set();
  void not_a_label();
  void not_a_set();
  bool dot_ends_definition() const;
  LabelPart braces();
  SetItem set_item();
  Index index();
  void bounds(Index& index);
  void no_such_range(const Index& index);
  std::vector<Index> indices();
  void warn_of_binding(const Index& again);
  std::vector<Relabelling> relabellings();
  Relabelling relabelling();
  std::optional<Hiding> hiding();

  // Processes.
  void process(ProcessDefinition definition);
  void end_of(std::string_view what, const Token& name);
  void warn_of_both(Place place, std::string_view name);
  LocalProcess local_process();
  Body body();
  Body reference();
  void sequence_mark(const Call& call);
  Body choices();
  Body conditional();
  Choice choice();
  std::vector<Parameter> parameters();

  // Composites.
  void composite(CompositeDefinition definition);
  CompositeBody composite_body();
  CompositeBody composite_conditional();
  CompositeBody composite_forall();
  CompositeBody component();
  bool at_component_label() const;
  std::optional<PriorityClause> priority();

  // Formulas.
  Formula formula();
  Formula binary_formula();
  Formula conjunction();
  Formula unary_formula();
  Formula primary_formula();
  Formula quantified();
  Formula named_formula();
  Formula make(Formula::Op op, const Token& at, std::vector<Formula> operands);

  // Tokens.
  bool at_word(std::string_view word) const { return at(Kind::upper, word); }
  std::string hint_for(std::string_view expected) const override;

  static constexpr int kAdditive = 9;  // the precedence of + and -

  const std::vector<FspDefine>& defines_;
  const bool other_defines_;                                  // one may be of no constant
  std::uint64_t set_labels_left_;                             // how many labels named sets may still have
  std::set<std::pair<const void*, std::string_view>> names_;  // with the list of their definitions
  Tree tree_;
};

}  // namespace surety::fsp
