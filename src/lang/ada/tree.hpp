// An Ada program as it was written. No name is resolved here: X (1) is `apply`, be it an element, a call, a conversion
// or an entry of a family.
//
// Names are kept in lower case, as Ada compares them. The texts of all files of a program are one text (text::Source),
// so that a place says the file, too. What is read and then ignored (representation clauses, aspects, most pragmas)
// leaves nothing, or a declaration of kind `ignored`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lang/text/source.hpp"

namespace surety::ada {

using text::Place;
using text::Report;
using text::Source;

struct Expression;
struct Declaration;
struct Statement;

// ---- expressions

enum class Operator : std::uint8_t {
  and_,
  or_,
  xor_,
  and_then,
  or_else,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  plus,
  minus,
  concatenate,
  times,
  divide,
  mod,
  rem,
  power,
  identity,  // +a
  negate,    // -a
  abs,
  not_,
};

// In brackets: of a call, an aggregate, a constraint of discriminants or indices, a pragma.
struct Association;

struct Expression {
  enum class Kind : std::uint8_t {
    integer,      // value
    real,         // text
    character,    // text: the character itself, in as many bytes as it has; value: its code
    string,       // text, without quotes and with doubled ones halved
    null,         // null
    name,         // text; also an operator symbol as the name of a function: text is "+" with its quotes
    selected,     // operands[0] . text; text may be all, a character literal or an operator symbol
    apply,        // operands[0] (arguments)
    attribute,    // operands[0] ' text, perhaps (arguments)
    qualified,    // operands[0] ' (operands[1]), where the second may be an aggregate
    aggregate,    // (arguments); (null record) has none
    unary,        // op, operands[0]
    binary,       // op, operands
    membership,   // operands[0] in operands[1] | operands[2] ...; negated: not in
    condition,    // (if a then b elsif c then d else e): operands a b c d e
    selection,    // (case a is when choices => b, ...): operands[0], arguments
    quantified,   // (for all x in r => c), (for some ...): text x, operands r c; negated: some; value 1: of, not in
    allocator,    // new operands[0]: a subtype, or a qualified expression
    range,        // operands[0] .. operands[1]
    constrained,  // operands[0] range operands[1]: a subtype with a range
    others,       // as a choice
    box,          // <>
    raise,        // raise operands[0]
    refused,      // read, but not supported: text says what it is ("a declare expression")
  };
  Kind kind = Kind::null;
  Place place;
  Operator op = Operator::and_;
  bool negated = false;
  bool parenthesised = false;  // (x), which is x and no aggregate
  std::uint16_t height = 0;    // of the tree below; the parser keeps it small, so that walks need no large stack
  std::int64_t value = 0;
  std::string text;
  std::vector<Expression> operands;
  std::vector<Association> arguments;
};

struct Association {
  std::vector<Expression> choices;  // none: by position. Of a named parameter: one, a name
  Expression value;
};

// ---- types

struct SubtypeIndication {
  Expression mark;                  // a name, perhaps `apply` with a constraint of indices or discriminants
  std::optional<Expression> range;  // of kind range, or an attribute 'Range
  Place place;
  bool access = false;    // an anonymous access type: to the mark, if it is no subprogram
  bool not_null = false;  // not null T
};

struct TypeDefinition {
  enum class Kind : std::uint8_t {
    enumeration,  // literals
    integer,      // range low .. high
    modular,      // mod low
    real,         // digits, delta
    array,        // indices, component; or an unconstrained one
    record,       // components
    derived,      // new parent
    subtype,      // of a subtype declaration, and of an object: parent
    access,       // also to subprograms
    tagged,       // tagged records, extensions, interfaces
    privat,       // private: what follows tells
    incomplete,
  };
  struct Literal {
    std::string name;  // a character literal with its quotes
    Place place;
  };
  Kind kind = Kind::subtype;
  Place place;
  std::vector<Literal> literals;
  Expression low, high;                   // of integer; low is the modulus
  bool ranged = false;                    // real, with a range
  std::vector<Expression> indices;        // of an array: ranges, or subtypes
  bool unconstrained = false;             // its indices are subtypes with "range <>"
  std::vector<SubtypeIndication> parent;  // one: of derived and subtype; the component of an array; what is accessed
  std::vector<Declaration> components;    // of a record: objects
  bool variants = false;                  // the record has a variant part, which is left out
  bool constant = false;                  // of access: access constant
};

// ---- declarations

struct Parameter {
  enum class Mode : std::uint8_t { in, out, in_out, access };
  std::vector<std::string> names;
  Mode mode = Mode::in;
  SubtypeIndication type;
  std::optional<Expression> value;  // by default
  Place place;
};

// A procedure, a function, an entry.
struct Profile {
  bool function = false;
  std::vector<Parameter> parameters;
  std::optional<SubtypeIndication> result;
  std::vector<Expression> family;  // of an entry: none, or the range of its index
  std::string family_variable;     // of an entry body: for I in range
};

struct Handler {
  std::vector<Expression> choices;  // names, or others
  std::string occurrence;           // when E : others
  std::vector<Statement> statements;
  Place place;
};

struct Body {
  std::vector<Declaration> declarations;
  std::vector<Statement> statements;
  std::vector<Handler> handlers;
  Place end;  // of the word end
};

struct Declaration {
  enum class Kind : std::uint8_t {
    object,             // names, constant, type, value
    number,             // names, value
    type,               // name, discriminants, type
    subtype,            // name, type
    exception,          // names
    subprogram,         // name, profile; body if there is one; abstract and null procedures: see below
    package,            // name, visible, hidden
    package_body,       // name, body
    task,               // name, is_type, discriminants, visible (entries and pragmas), hidden
    task_body,          // name, body
    protected_unit,     // name, is_type, discriminants, visible, hidden (the private data)
    protected_body,     // name, visible (its subprograms and entry bodies)
    entry,              // name, profile
    entry_body,         // name, profile, value (the barrier), body
    renaming,           // name, renamed; renames says what; profile of a subprogram
    generic,            // formals, and in visible[0] the subprogram or package
    instance,           // name, renamed (the generic unit), arguments; profile.function
    use,                // renamed names: operands of value? see uses; use_type
    pragma,             // name, arguments
    formal_type,        // of a generic: name, type, box. A formal package is an instance
    formal_object,      // names, type, value, mode
    formal_subprogram,  // name, profile, renamed (the default), box
    stub,               // body of `name` is separate; of: what body
    ignored,            // a representation clause and the like
  };
  enum class Of : std::uint8_t { object, exception, package, subprogram, task, protected_unit };
  Kind kind = Kind::ignored;
  Place place;  // of the name
  std::string name;
  std::vector<std::string> names;  // of objects, numbers, exceptions: one or more
  bool is_type = false;
  bool constant = false;
  bool aliased = false;
  bool is_null = false;  // procedure P is null
  bool is_abstract = false;
  bool is_expression = false;  // function F return T is (E): its body is one return statement
  bool use_type = false, use_all = false;
  bool box = false;  // formal subprogram: is <>; formal type: (<>), range <> ...; formal package: (<>)
  bool overriding = false;
  Of of = Of::object;  // of a renaming, a stub, an instance
  std::optional<TypeDefinition> type;
  std::vector<Parameter> discriminants;
  bool unknown_discriminants = false;  // (<>)
  std::optional<Expression> value;
  std::optional<Profile> profile;
  std::optional<Body> body;
  std::vector<Declaration> visible, hidden, formals;
  std::vector<Expression> renamed;     // one: of a renaming, an instance; of use: all names
  std::vector<Association> arguments;  // of an instance, a pragma
  Parameter::Mode mode = Parameter::Mode::in;
  struct Aspect {
    std::string name;  // atomic, volatile, annotate ...
    std::vector<Expression> value;
    Place place;
  };
  std::vector<Aspect> aspects;  // with Atomic, Convention => C
};

// ---- statements

struct Accept {
  std::string entry;
  Place place;
  std::vector<Expression> index;  // of a family: none or one
  std::vector<Parameter> parameters;
  bool has_body = false;  // do ... end
  Body body;              // without declarations
};

// A part of a select statement.
struct SelectBranch {
  enum class Kind : std::uint8_t { accept, call, delay, terminate, otherwise, abort };  // abort: then abort
  Kind kind = Kind::accept;
  std::vector<Expression> guard;  // none or one
  std::vector<Statement> head;    // the accept, call or delay: one; of terminate and else: none
  std::vector<Statement> rest;
  Place place;
};

struct Statement {
  enum class Kind : std::uint8_t {
    null,
    assign,       // target := value
    call,         // target: a procedure or an entry
    conditional,  // branches: if, elsif; a branch without choices is else
    selection,    // case: value, branches
    loop,         // name, scheme, statements
    block,        // name, body
    exit,         // name (of the loop), condition in value
    jump,         // goto name
    ret,          // return, value; with an extended return its object in declarations and body
    delay,        // value; until
    accept,       // accept
    select,       // alternatives
    raise,        // target (none: raise again)
    abort,
    requeue,  // target
    pragma,   // pragma, as a declaration
    code,     // machine code
  };
  struct Branch {
    std::vector<Expression> choices;  // of if: the condition
    std::vector<Statement> statements;
    Place place;
  };
  Kind kind = Kind::null;
  Place place;
  std::vector<std::string> labels;  // <<L>>
  std::string name;                 // of a loop or block; of exit and goto: where to
  std::optional<Expression> target;
  std::optional<Expression> value;
  std::vector<Branch> branches;
  std::vector<Statement> statements;    // of a loop
  std::optional<Expression> condition;  // while
  std::string variable;                 // for
  std::vector<Expression> range;        // of for: one
  bool reverse = false;
  bool over_elements = false;  // for X of A
  bool until = false;          // delay until
  bool with_abort = false;     // requeue
  std::optional<Body> body;    // of a block, an extended return
  std::optional<Accept> accept;
  std::vector<SelectBranch> alternatives;
  std::vector<Declaration> declarations;  // pragma: one; extended return: its object
  Place end;
};

// ---- units

struct With {
  std::string unit;  // a.b.c
  Place place;
  bool limited = false;
};

struct Unit {
  std::vector<With> withs;
  std::vector<Declaration> uses;  // and pragmas of the context clause
  std::string name;               // a.b.c
  std::string separate_from;      // of a subunit: its parent
  bool privat = false;
  Declaration declaration;
};

}  // namespace surety::ada
