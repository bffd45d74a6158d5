// From the tree to a flow program. Names are resolved, declarations elaborated and calls inlined in one walk, in the
// order in which the program would be executed.
//
// What the environment task does before the first task starts is executed at once (`immediate_`): its nodes are
// emitted, run on memory_, and forgotten. So bounds, sizes, discriminants and initial values are known when the code
// that depends on them is expanded. Everything after that becomes the graphs of the tasks.
//
// Where nodes are emitted, `emit` says that each goes on to the next one. Other ways are labels: see Label.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "lang/ada/flow/entity.hpp"
#include "lang/ada/flow/program.hpp"
#include "lang/ada/library.hpp"

namespace surety::ada {

struct Stop;  // execute.hpp

// A scalar value that is known when code has been executed, or the place of a composite one.
struct Operand {
  const Type* type = nullptr;
  Code code;                         // of a scalar
  std::optional<Location> location;  // of a composite value
};

// A place in a graph that is jumped to, perhaps before it is known.
struct Label {
  struct Use {
    std::uint32_t node;
    bool other;
  };
  std::uint32_t node = kNone;
  std::vector<Use> uses;
};

// What is known only when the whole program has been expanded, but needed before: so it is expanded twice.
struct Foresight {
  std::set<std::size_t> captured;  // places of variables of a task that tasks inside of it use
  std::set<std::size_t> counted;   // places of entries, or protected units, whose queues are asked for
  std::set<std::size_t> deferred;  // places of library package bodies whose statements call entries
  bool operator==(const Foresight&) const = default;
};

class Expander {
 public:
  static constexpr std::uint64_t kMostElements = 100'000;  // of an array
  static constexpr Value kMostChoices = 64;                // values of what is read from outside
  static constexpr Value kMostRandom = 256;                // of a random number

  Expander(const Library& library, const std::vector<AdaDefine>& defines, const Foresight& foresight, Report& report,
           AdaProgram& out);
  void run();
  const Foresight& seen() const { return seen_; }

 private:
  // ---- names (names.cpp)
  struct Looked {
    std::vector<Entity*> entities;  // that the name can mean
    const Type* type = nullptr;     // of the object that the name denotes, or of the value of a call
    const Type* unit = nullptr;     // entities are entries or operations of an object of this type
    bool value = false;             // it is an object or a value
    void use_first();               // which hides the others, if it is an object
  };
  Entity& declare(Entity::Kind kind, const std::string& name, Place place);
  Entity& known_entity(const std::string& known, const std::string& name, const Type* type = nullptr);
  Entity* known_by_use(const std::string& name);
  const Type* known_result(const Entity& e) const;
  std::vector<Entity*> lookup(const std::string& name, Place use = {}) const;
  static void find_in(const Scope& scope, const std::string& name, std::vector<Entity*>& out);
  bool comes_later(const Entity& e, Place use) const;
  std::vector<std::string> names_in_sight() const;
  Looked look(const Expression& e);
  Looked look_selected(const Expression& e);
  Looked look_in_unit(const Type& type, const Expression& e);
  Looked look_component(const Type& type, const Expression& e);
  Scope* scope_of(const Entity& prefix) const;
  Looked look_apply(const Expression& e);
  Entity* sole(const Expression& e, Entity::Kind kind, const char* what);
  void undeclared(Place place, const std::string& name);
  std::string spelled(Place place, const std::string& lower) const;
  std::vector<const Type*> types_of(const Expression& e);
  std::vector<const Type*> types_of_attribute(const Expression& e);
  std::vector<const Type*> types_of_binary(const Expression& e);
  std::vector<const Type*> types_of_user_operators(const Expression& e);
  const Type* resolve(const Expression& e, const Type* expected);
  bool compatible(const Type* a, const Type* b) const;
  bool is_untyped(const Type* type) const;
  bool may_call(const Expression& e);

  // ---- overloading (overloading.cpp)
  enum class Fit : std::uint8_t { none, perhaps, sure };
  static bool are_homographs(const Entity& a, const Entity& b);
  bool passes(const Type* actual, const Type* formal) const;
  Fit fit_of(const Entity& candidate, const std::vector<Association>& arguments, const Type* expected, bool function);
  bool fits(const Entity& candidate, const std::vector<Association>& arguments, const Type* expected, bool function);
  std::vector<Entity*> fitting(const std::vector<Entity*>& candidates, const std::vector<Association>& arguments,
                               const Type* expected, bool function, bool sure);
  Entity* choose(const std::vector<Entity*>& candidates, const std::vector<Association>& arguments,
                 const Type* expected, bool function, Place place);
  std::vector<Entity*> user_operators(const Expression& e, const Type* expected);
  Entity* user_operator(const Expression& e, const Type* expected);
  bool refuse_inherited(const Expression& e);

  // ---- types (types.cpp)
  Type& new_type(Type::Kind kind, const std::string& name);
  void make_standard();
  const Type* type_mark(const Expression& e);
  const Type* subtype(const SubtypeIndication& s);
  const Type* constrained_array(const Type& array, const Expression& mark);
  const Type* define_type(const TypeDefinition& definition, const std::string& name);
  const Type* define_integer(const TypeDefinition& definition, const std::string& name);
  const Type* define_enumeration(const TypeDefinition& definition, const std::string& name);
  const Type* define_array(const TypeDefinition& definition, const std::string& name);
  const Type* define_record(const TypeDefinition& definition, const std::string& name,
                            const std::vector<Parameter>& discriminants);
  const Type* with_range(const Type& type, Value low, Value high);
  const Type* range_type(const Expression& e, const Type* expected = nullptr);  // of a discrete range, with its bounds
  std::optional<std::pair<Value, Value>> static_range(const Expression& e, const Type*& type);
  std::uint32_t display_of(const Type& type);
  std::optional<Value> static_value(const Expression& e, const Type* expected);
  const Type* opaque(const std::string& name, const std::string& why, Type::Opaque what = Type::Opaque::other);

  // ---- declarations (declarations.cpp; objects.cpp, generics.cpp, pragmas.cpp)
  void declare_all(const std::vector<Declaration>& declarations);
  void declare_one(const Declaration& d);
  void declare_wrong(const Declaration& d);
  bool refuse_aspects(const Declaration& d);
  void elaborate(const Declaration& d);
  void declare_object(const Declaration& d);
  const Type* bounded_by_value(const Declaration& d, const Type& type);
  bool declare_constant(const Declaration& d, const Type& type, const std::string& name);
  void declare_variable(const Declaration& d, const Type& type, const std::string& name,
                        const SubtypeIndication* constraint);
  Entity& declare_located(const Declaration& d, const Type& type, const std::string& name, const Location& location);
  void declare_number(const Declaration& d);
  void declare_type(const Declaration& d);
  bool complete_type(const std::string& name, const Type& type);
  void declare_subprogram(const Declaration& d);
  void declare_package(const Declaration& d);
  void declare_package_body(const Declaration& d);
  void declare_unit(const Declaration& d);  // of tasks, or a protected one
  void declare_unit_body(const Declaration& d);
  void declare_renaming(const Declaration& d);
  void rename_operation(const Declaration& d, const Expression& meant, const Looked& looked);
  const Expression* literal_of(const Expression& index, const Entity& entry);
  std::optional<Location> renamed_value(const Declaration& d);
  void settle_index(Location& at);
  void declare_exception(const Declaration& d);
  void declare_instance(const Declaration& d);
  void instantiate(const Declaration& d, Entity& generic);
  static const Expression* actual_of(const std::vector<Association>& arguments, std::size_t position,
                                     const std::string& name);
  void declare_formals(const Declaration& d, const Declaration& generic);
  void declare_formal_value(const Declaration& f, const std::string& name, const Expression& given, Scope& where);
  bool declare_formal_variable(const Declaration& f, const std::string& name, const Expression& given, Scope& where);
  void declare_formal_subprogram(const Declaration& f, const std::string& name, const Expression& given, Scope& where);
  void rename_actual(const Declaration& formal, const Expression& meant, const Looked& looked, Scope& actual);
  void fill_package(Entity& package, const Declaration& specification, Scope& outer);
  void fill_body(Entity& package, const Declaration& body);
  void declare_stub(const Declaration& d);
  void declare_use(const Declaration& d);
  void declare_use_type(const Declaration& d);
  void declare_profile(Entity& e, const Profile& profile);
  void pragma(const Declaration& d, bool statement);
  void annotate(const Declaration& d, bool statement);
  void refuse(Place place, const std::string& message, const std::string& hint = {});
  std::optional<Value> defined(const std::string& name);
  std::string unique_name(std::string name);
  Location allocate(const Type& type, const std::string& name, Place place, bool temporary = false);
  void name_slots(const Type& type, const std::string& name, std::uint32_t first, Place place, bool temporary);
  void initialise(const Location& location, const Expression* value, const SubtypeIndication* constraint = nullptr);
  void initialise_fields(const Location& location, const SubtypeIndication* constraint = nullptr);
  static const Expression* discriminant(const SubtypeIndication& constraint, const Type& type, const Type::Field& f);
  void declare_discriminant(Scope& scope, const Type::Field& f, const Location& at);
  Location element(const Location& whole, std::uint32_t number) const;
  Location field(const Location& whole, const Type::Field& field) const;
  void execute_now();
  bool leave_open(const flow::Node& n);

  // ---- access objects (access.cpp)
  void declare_access(const Declaration& d, const Type& type);
  void declare_made_later(const Declaration& d, const Type& object);
  Entity& name_object(const Declaration& d, const Location& location);
  Location make_object(const Declaration& d, const Type& object, const Expression& allocator);
  const Statement* sole_allocation(const std::string& name) const;
  const Type& reference_type();
  Code read_reference(const Entity& e);
  void emit_null_check(const Entity& e);
  bool may_be_null(const Expression& e);
  bool emit_making(const Statement& s);
  void check_makings();

  // ---- tasks and protected objects (units.cpp)
  struct UnitInfo {  // of a task or protected type
    Scope scope;
    std::vector<Entity*> entries;             // or operations
    std::vector<const Type*> families;        // of the index of each, or null
    std::vector<std::uint32_t> first, count;  // of the numbers of each; the count is that of its family
    std::uint32_t total = 0;
    std::vector<Value> lows;  // of the families
  };
  UnitInfo& info(const Type& unit);
  void create_units(const Location& location, const std::string& name, const std::string& label,
                    const SubtypeIndication* constraint);
  void create_task(const Type& type, const std::string& name, const std::string& label,
                   const SubtypeIndication* constraint);
  void create_object(const Type& type, const std::string& name, const std::string& label,
                     const SubtypeIndication* constraint);
  struct Discriminant {
    Value value = 0;
    std::optional<Location> at;  // of an access discriminant: what it names
  };
  std::vector<Discriminant> discriminants_of(const Location& at) const;
  std::vector<Discriminant> discriminant_values(const Type& type, const SubtypeIndication* constraint);
  Discriminant discriminant_value(const Expression& value, const Type& type);
  const Type* discriminant_type(const SubtypeIndication& s);
  void expand_task(std::uint32_t number);
  void prepare_object(std::uint32_t number);
  void expand_object(std::uint32_t number);
  const Declaration* operation_body(const Type& type, const Entity& entity) const;
  void expand_private_data(std::uint32_t number);
  std::string family_part(const UnitInfo& unit, std::size_t entry, std::uint32_t index);
  void expand_operation(flow::Operation& operation, const Entity& entity, Value family, const Type& type);
  void declare_operation_parameters(flow::Operation& operation, const Entity& entity, const Profile& profile);
  flow::Graph graph_of(const std::function<void()>& emit_nodes);
  flow::Graph barrier_graph(std::uint32_t open, const Expression& barrier);
  flow::Graph operation_graph(const Declaration& body, const Entity& entity, flow::Operation& operation);
  void declare_discriminants(const Type& type, const std::vector<Discriminant>& values);
  bool accepts_with_body(const Type& type, const std::string& entry) const;

  // ---- masters (masters.cpp)
  struct Jump;
  struct Region {  // a declarative part with its statements
    std::string label;
    std::uint32_t master = kNone;  // it has tasks or protected objects
    bool body = false;             // of a task
    std::uint32_t early = kNone;   // from this node on, tasks of packages inside have started
  };
  std::uint32_t master_here();  // of what is declared now; kNone: nothing can be declared here
  void emit_region(const Body& body, const std::string& name, Place place, bool of_task);
  void activate(std::uint32_t master);
  void emit_start(std::uint32_t master);
  void emit_end(std::uint32_t master);
  void emit_master(flow::Node::Kind kind, std::uint32_t master);
  void leave_regions(std::size_t depth);
  void note_region(Jump& jump);
  std::string nested_name(const std::string& name);
  void settle_activation();
  void note_package_tasks(const Scope& package);
  void check_early_tasks(const Region& region);
  bool has_tasks(const Scope& package) const;
  bool is_in_package() const;

  // ---- library tasks (library_tasks.cpp)
  void note_library_tasks(const Scope& package);
  Stop run_elaboration(std::uint32_t node, std::uint64_t most);
  bool is_used_early(std::uint32_t slot, std::uint32_t tasks, bool write) const;
  void emit_late_elaboration();
  bool defer(const Declaration& package_body, Scope& scope);
  void emit_deferred();

  // ---- attributes (attributes.cpp)
  Operand emit_attribute(const Expression& e, const Type* expected);
  Code neighbour(const Expression& value, const Type& type, flow::Instruction::Op step);
  Code better_of(const std::vector<Association>& values, const Type& type, flow::Instruction::Op better);
  const Type* attribute_bounds(const Expression& e, const Type& type);
  bool is_counted(const Entity& entry) const;
  Operand emit_count(const Expression& e);
  Operand emit_status(const Expression& e);

  // ---- expressions (expressions.cpp, operators.cpp, aggregates.cpp; code.cpp, slots.cpp, places.cpp)
  Operand emit_value(const Expression& e, const Type* expected);
  Code scalar(const Expression& e, const Type* expected);              // its value
  Code converted(const Expression& e, const Type& type, Place place);  // checked against the subtype
  static Operand opaque(const Type* type) { return {type, constant(flow::kOpaque), {}}; }  // nothing is known of it
  Operand emit_character(const Expression& e, const Type* expected);
  Operand emit_qualified(const Expression& e);
  Operand emit_unary(const Expression& e, const Type* expected);
  Operand emit_name(const Expression& e, const Type* expected);
  Operand emit_conversion(const Expression& e, const Type& type);
  Operand emit_object(const Expression& e, const Looked& looked);
  std::optional<Operand> emit_literal(const Looked& looked, const Type* expected);
  Operand emit_function(const Expression& e, const Looked& looked, const Type* expected);
  Operand emit_binary(const Expression& e, const Type* expected);
  Operand emit_short_circuit(const Expression& e);
  Operand emit_comparison(const Expression& e);
  void note_operands(std::size_t left, std::size_t right);
  Operand emit_membership(const Expression& e);
  Operand emit_condition(const Expression& e, const Type* expected);
  Operand emit_selection(const Expression& e, const Type* expected);
  std::uint32_t declare_counter(const std::string& name, const Type& type, Place place);
  Operand emit_quantified(const Expression& e);
  Operand emit_known_call(const Entity& e, const Expression& call, const Type* expected);
  Operand emit_composite(const Expression& e, const Type& type);
  void assign_aggregate(const Location& to, const Expression& e);
  void assign_record(const Location& to, const Expression& e);
  std::optional<std::pair<Value, Value>> aggregate_bounds(const Expression& e, const Type& index);
  void assign_array(const Location& to, const Expression& e);
  void assign_or_initialise(const Location& to, const Expression& value);
  const Type* inner_type(const Type& array);
  bool is_range(const Expression& choice);
  std::optional<std::pair<Value, Value>> choice_bounds(const Expression& choice, const Type& index);
  const Type* bounded_by(const Type& array, const Expression& e);
  Expression characters_of(const Expression& text, const Type& component);
  void check_bounds(Value low, Value high, const Type& type);
  void check_range(const Code& low, const Code& high, const Type& type);
  static bool same_lengths(const Type& a, const Type& b);
  bool check_composite(const Location& from, const Type& to);
  void check_discriminants(const Location& from, const Type& to);
  void doubt(const Type& type, const Expression& value);
  void assign(const Location& to, const Expression& value);
  void copy(const Location& to, const Location& from);
  Code equal_locations(const Location& a, const Location& b);
  std::optional<Location> locate(const Expression& e);
  std::optional<Location> locate_apply(const Expression& e);
  bool is_slice(const Type& array, const Expression& e);
  bool is_settled(const Expression& e);
  bool names_slice(const Expression& e);
  const Type* slice_type(const Type& array, const Expression& e);
  std::optional<Location> locate_slice(const Location& whole, const Expression& e);
  static std::uint64_t element_count(const Type& array);
  std::optional<Location> indexed(const Location& whole_array, const Code& index, Place place);
  std::optional<Location> locate_designated(const Expression& e);
  Entity* access_object(const Expression& e);
  bool names_access(const Expression& e);
  Code index_code(const Type& array, const std::vector<Association>& arguments, Place place);
  void check_index(const Location& at);
  Code read_slot(const Location& at, std::uint32_t slot);
  void write_slot(const Location& at, std::uint32_t slot, Code value);
  bool is_own(std::uint32_t slot) const;
  void note_capture(std::uint32_t slot);
  Code in_choices(const Code& value, const std::vector<Expression>& choices, const Type& type);
  Code materialised(Code code);
  static Code load(std::uint32_t slot) { return {{flow::Instruction::Op::load, slot, 0}}; }
  static Code constant(Value v) { return {{flow::Instruction::Op::constant, v, 0}}; }
  static std::optional<Value> known(const Code& code);
  static Code combine(Code a, const Code& b, flow::Instruction::Op op);
  static Code combine(Code a, flow::Instruction instruction);
  static bool can_raise(const Code& code);
  bool may_be_seen(const Expression& e);
  Code before(Code code, const Expression& next);
  Code checked(Code code, const Type& type);
  Code arithmetic(Code code, const Type& type);

  // ---- calls (calls.cpp)
  struct Callee;
  struct Actual {
    const Expression* expression = nullptr;  // null: the default value
    const Parameter* parameter = nullptr;
    std::string name;
    const Type* type = nullptr;
    const Expression* fallback = nullptr;
  };
  std::vector<Actual> match(const Entity& e, const std::vector<Association>& arguments, Place place);
  Operand inline_operation(Entity& e, std::uint32_t object, const std::vector<Association>& arguments, Place place);
  bool call_other_object(const Callee& callee, Place place);
  bool leads_to(std::uint32_t from, std::uint32_t to) const;
  struct CopyBack {  // of a parameter, when the call ends
    Location to, from;
  };
  void pass_in(const Actual& a, const Expression& value, Entity& formal);
  bool pass_out(const Actual& a, const Expression& value, Entity& formal, std::vector<CopyBack>& results);
  bool pass_composite(const Actual& a, const Expression& value, Entity& formal);
  bool pass(const Actual& a, Scope& inside, std::vector<CopyBack>& results);
  Operand emit_inlined(Entity& e, Place place);
  Operand inline_call(Entity& e, const std::vector<Association>& arguments, Place place);
  void emit_call(const Expression& target, Place place);
  // A call of an entry or a protected operation, and what follows it.
  struct Communication {
    flow::Alternative alternative;
    std::function<void()> finish;  // emits the end of a rendezvous, and writes results where they belong
    Operand result;                // of a function
  };
  struct Callee {
    Entity* entity = nullptr;
    const Type* unit = nullptr;  // a task or protected type; null: a subprogram
    Location at;                 // the task or protected object
    const Expression* family = nullptr;
    std::vector<Association> arguments;
  };
  std::optional<Callee> callee(const Expression& target, bool function, const Type* expected);
  std::optional<Callee> renamed_callee(const Callee& c, Place place);
  struct Returned {  // a value that comes back from a call
    Location to;
    std::uint32_t slot = 0;      // of `to`
    std::uint32_t from = 0;      // the slot that it comes back in
    const Type* type = nullptr;  // what it has to fit; null: it fits
  };
  bool hand_over(const Actual& a, const std::optional<Location>& at, Place place, flow::Alternative& call);
  bool communicate_parameter(const Actual& a, Place place, flow::Alternative& call, std::vector<Returned>& returned);
  Operand communicate_result(const Type& type, Place place, flow::Alternative& call);
  bool waits_for_end(const Callee& c, const Code& number);
  Communication communicate(Callee& callee, Place place);
  void emit_operation(const Expression& target, Operand* result, const Type* expected);
  void emit_known_procedure(const Expression& target, const Entity& known);
  bool emit_known_raise(const Expression& target, const std::string& known);
  std::optional<std::uint32_t> occurrence_named(const Expression& e);
  Code entry_number(const Callee& callee);
  void no_recursion(const Entity& e, Place place);

  // ---- statements (statements.cpp, loops.cpp, select.cpp)
  void emit_all(const std::vector<Statement>& statements);
  void emit_statement(const Statement& s);
  void bind_labels(const Statement& s);
  void emit_assignment(const Statement& s);
  void emit_jump(const Statement& s);
  void emit_if(const Statement& s);
  void emit_case(const Statement& s);
  void emit_loop(const Statement& s);
  void emit_for(const Statement& s, Label& done);
  void emit_for_elements(const Statement& s, Label& done);
  std::optional<Location> array_of_elements(const Expression& e);
  void declare_element(const std::string& name, const Location& whole, std::uint32_t counter, Place place);
  void emit_block(const Statement& s);
  void emit_body(const Body& body, std::uint32_t master = kNone);  // statements and handlers
  void emit_exit(const Statement& s);
  struct Frame;
  void emit_result(Frame& frame, const Expression& value);
  void emit_return(const Statement& s);
  void emit_raise(const Statement& s);
  void emit_raise(std::uint32_t exception, std::uint32_t occurrence = kNone);  // kNone: that of the occurrence, again
  void emit_accept(const Accept& a);
  void emit_select(const Statement& s);
  void emit_selective_accept(const Statement& s);
  void emit_select_call(const Statement& s);
  struct Accepted {  // an accept statement whose parameters have slots
    const Accept* accept = nullptr;
    Scope* scope = nullptr;
    flow::Alternative alternative;
    std::vector<std::uint32_t> results;                           // slots of the out parameters
    std::vector<std::pair<std::uint32_t, std::uint32_t>> copies;  // to a slot that tasks inside use, from one's own
  };
  const Entity* accepted_entry(const Accept& a);
  Code accepted_number(const Accept& a, const Entity& entry);
  void declare_accepted(Accepted& out, const Parameter& p, const std::string& name, const Type& type);
  Accepted accept_alternative(const Accept& a);
  flow::Alternative selected_alternative(const SelectBranch& b, std::uint32_t guard, Accepted& accepted);
  void check_open(const Code& open);
  void emit_choice(const Statement& s, std::vector<flow::Alternative> alternatives,
                   const std::function<void(std::size_t)>& finish);
  void accept_body(const Accepted& accepted);
  void wait(std::vector<flow::Alternative> alternatives);
  void wait_in_queue(const flow::Alternative& call);
  bool can_execute() const { return immediate_ && nesting_ == 0; }
  std::uint32_t exception_number(const Expression& e);

  // ---- nodes (expander.cpp)
  std::uint32_t emit(flow::Node node);
  std::uint32_t emit_compute(std::uint32_t target, Code value);
  void forget(std::uint32_t slot);  // it has no value from now on
  void jump(Label& label);
  void branch(Code condition, Label& otherwise);  // goes on if it is true
  void bind(Label& label);
  std::uint32_t temporary(const Type& type);
  std::uint32_t temporary_boolean();
  std::uint32_t new_slot(const std::string& name, const Type& type, Place place, bool temporary);
  std::uint32_t place(Place place);
  flow::Graph& graph() { return *graph_; }
  void error(Place place, std::string message, std::string hint = {});
  void follow_up(Place place, std::string message, std::string hint = {});

  // ---- units (expander.cpp)
  void elaborate_unit(const std::string& name);
  void elaborate_main();
  static std::string label_of(const std::string& name);

  const Library& library_;
  const std::vector<AdaDefine>& defines_;
  const Foresight& foresight_;
  Foresight seen_;
  std::set<std::string> used_defines_;
  Report& report_;
  AdaProgram& out_;
  flow::Program& program_;

  std::deque<Type> types_;
  std::deque<Entity> entities_;
  std::deque<Expression> expressions_;
  std::deque<Scope> scopes_;
  std::vector<const Entity*> instantiated_;  // generic units of which an instance is being made
  std::uint64_t instances_ = 0;              // that were made
  std::map<const Type*, UnitInfo> infos_;
  Scope* scope_ = nullptr;
  const Type *boolean_ = nullptr, *integer_ = nullptr, *natural_ = nullptr, *character_ = nullptr,
             *universal_ = nullptr, *any_ = nullptr;                     // any_: opaque, fits everything opaque
  const Type *real_ = nullptr, *text_ = nullptr, *aggregate_ = nullptr;  // of literals, and of what stands in brackets

  // Where nodes go.
  flow::Graph* graph_ = nullptr;
  std::uint32_t task_ = 0;            // whose graph it is; kNone: a protected operation
  std::uint32_t object_ = kNone;      // the protected object whose operation it is
  std::uint32_t acting_ = kNone;      // the one whose text it is: another one, while that is called by an operation
  std::uint32_t other_call_ = kNone;  // the node where the operation calls another protected object
  bool in_barrier_ = false;
  struct Making {  // of an object that a statement makes
    const Statement* statement = nullptr;
    std::uint32_t master = kNone;  // of the tasks and protected objects that are made
    std::vector<Discriminant> discriminants;
    std::uint32_t made = 0;  // how often it has been expanded
    std::uint32_t task = 0, node = 0;
  };
  std::vector<Making> makings_;
  std::uint32_t made_by_ = kNone;    // the master of what is declared now, if it is made by a statement
  const Type* reference_ = nullptr;  // of an access object that may be null
  std::set<std::pair<std::uint32_t, std::uint32_t>> object_calls_;      // which objects call which
  std::map<std::pair<std::uint32_t, const Entity*>, Entity*> inlined_;  // operations with their bodies, by object
  std::uint32_t handler_ = kNone;
  Place statement_;

  std::vector<Region*> regions_;

  struct Loop {
    std::string name;
    Label exit;
    std::size_t depth = 0;  // of the regions around it
  };
  std::vector<Loop*> loops_;
  struct Frame {  // of an inlined subprogram, or the body of an accept
    Label done;
    std::optional<Location> result;
    const Type* type = nullptr;
    std::size_t depth = 0;  // of the regions around it
  };
  std::vector<Frame*> frames_;
  struct Jump {
    Label label;
    bool bound = false;
    Place place;
    std::optional<std::uint32_t> master;  // the innermost one, which the label and all jumps to it share
  };
  std::vector<std::map<std::string, Jump>> gotos_;
  std::vector<std::uint32_t> occurrences_;  // slots of the exceptions that are being handled
  std::map<const Entity*, std::uint32_t> named_occurrences_;
  std::vector<std::pair<Entity*, Place>> calls_;

  bool immediate_ = true;
  int nesting_ = 0;             // in statements and calls: nothing is executed before they end
  std::uint32_t executed_ = 0;  // nodes of the environment task that have been
  std::vector<Value> memory_;   // by slot
  std::map<std::uint32_t, std::pair<Value, Value>> open_;  // temporary slots with a random number of this range
  bool failed_ = false;                                    // there was an error in this statement or declaration
  std::set<std::pair<std::size_t, std::string>> told_;     // errors: the body of a task type is expanded for each task

  struct NewTask {
    const Type* type;
    std::vector<Discriminant> discriminants;
    Scope* scope = nullptr;  // of a protected object: what is in its body
    bool packaged = false;   // a task of a package
  };
  std::vector<NewTask> tasks_;                              // by number
  std::vector<NewTask> objects_;                            // by number
  std::vector<std::uint32_t> entry_base_, operation_base_;  // by task, by object
  std::map<std::string, Scope*> packages_;                  // library packages by full name
  std::set<std::string> elaborated_;
  std::uint32_t library_tasks_ = 0;  // tasks of packages that have started
  bool mixed_ = false;               // some of these have not: they are the main procedure's own
  struct Elaborated {                // a write of the environment task after the first of them has started
    std::uint32_t slot = 0;
    Value before = 0, after = 0;
    std::uint32_t place = 0;
    std::uint32_t tasks = 0;  // that had started then
  };
  std::vector<Elaborated> elaboration_writes_;
  struct Deferred {  // statements of a library package that the environment task executes when all tasks are there
    const Declaration* body = nullptr;
    Scope* scope = nullptr;
    std::size_t writes = 0;   // of elaboration, before them
    std::uint32_t tasks = 0;  // that had started then
  };
  std::vector<Deferred> deferred_;
  std::optional<std::size_t> library_body_;  // the place of the package body whose statements are elaborated
  std::map<std::uint32_t, std::uint32_t> elaboration_reads_;  // by slot: how many of them had started
  std::set<std::string> names_;                               // of objects that are declared once, in lower case
};

}  // namespace surety::ada
