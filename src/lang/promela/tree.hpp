// A Promela program as it was written, with names resolved.
//
// The parser makes it, the printer writes it back (real spin reads the same program
// from that), and the machine is compiled from it. What is gone: comments, macros
// (cpp), and calls of inlines, which are replaced by a block of their statements
// as SPIN does; `for` and `select` are still there.
//
// Variables live in tables: Program::globals, and Process::variables for all scopes of
// one process, parameters first. A Reference names one by its number there. Two
// variables of a process can have the same name, in different blocks; the printer puts
// each declaration into its own block again, so the names stay.
//
// The declarations that open the body of a process are there when it starts; one that
// follows a statement, or stands in a block, is executed at its place as an assignment.
// Statements of kind `declaration` say which (`executed`).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lang/text/source.hpp"

namespace surety::promela {

using text::Place;
using text::Report;
using text::Source;

inline constexpr std::uint32_t kNone = UINT32_MAX;

// ---- types

struct Type {
  enum class Base : std::uint8_t { bit, boolean, byte, pid, short_int, integer, unsigned_int, mtype, channel, user };
  Base base = Base::integer;
  std::uint8_t width = 0;   // in bits, of unsigned_int
  std::uint32_t index = 0;  // of mtype: in Program::mtype_sets; of user: in Program::types
  friend bool operator==(const Type&, const Type&) = default;
};

// ---- expressions

struct Expression;
struct Pattern;

// x, x[i], x.f[i].g: a name, perhaps with an index, is a segment
struct Reference {
  struct Segment {
    std::string name;
    std::vector<Expression> index;  // none or one
    Place place;
  };
  enum class Scope : std::uint8_t { global, local, predefined };  // predefined: _pid _nr_pr _last _
  std::vector<Segment> segments;                                  // at least one
  Scope scope = Scope::global;
  std::uint32_t variable = kNone;     // in Program::globals or Process::variables; kNone if predefined (or undeclared)
  std::vector<std::uint32_t> fields;  // of segments[1...]: number of the field in its user type
  Type type;                          // of what the whole refers to
  Place place;
};

struct Expression {
  enum class Op : std::uint8_t {
    number,    // value; mtype >= 0: the constant `name` of that set
    variable,  // reference
    // operators: operands
    negate,       // -a
    complement,   // ~a
    logical_not,  // !a
    times,
    divide,
    modulo,
    plus,
    minus,
    shift_left,
    shift_right,
    less,
    greater,
    less_equal,
    greater_equal,
    equal,
    not_equal,
    bit_and,
    bit_xor,
    bit_or,
    logical_and,
    logical_or,
    conditional,  // (a -> b : c)
    // about channels: reference
    length,
    full,
    empty,
    not_full,
    not_empty,
    poll,  // c?[...] and c??[...] (random): arguments as in a receive
    // about processes
    run,              // name, process, operands are the arguments
    enabled,          // enabled(a)
    pc_value,         // pc_value(a)
    remote_label,     // P@label, P[a]@label: name is P, label
    remote_variable,  // P:x, P[a]:x: name is P, reference
    timeout,
    non_progress,  // np_
    // temporal, in ltl blocks only
    always,
    eventually,
    next,
    until,
    weak_until,
    release,
    implies,
    equivalent,
  };
  Op op = Op::number;
  Place place;
  std::int32_t value = 0;
  std::string name;
  std::int32_t mtype = -1;
  Reference reference;
  std::vector<Expression> operands;
  std::vector<Pattern> patterns;  // of poll
  bool random = false;            // of poll
  std::uint32_t process = kNone;  // of run and remote ones: in Program::processes
  std::string label;
  std::uint32_t depth = 1;
};

// One argument of a receive.
struct Pattern {
  enum class Kind : std::uint8_t { variable, constant, eval };  // `_` is a variable (predefined)
  Kind kind = Kind::variable;
  Reference reference;    // variable
  Expression expression;  // constant, eval
  Place place;
};

// ---- declarations

struct ChannelInit {
  std::uint32_t capacity = 0;  // 0: rendezvous
  std::vector<Type> fields;
  Place place;
};

struct Variable {
  enum class Visibility : std::uint8_t { plain, hidden, show, local };
  std::string name;
  Type type;
  std::optional<std::uint32_t> length;  // of an array
  std::vector<Expression> initial;      // none, one value, or one for each element (`list`)
  bool list = false;                    // written = { ... }
  std::optional<ChannelInit> channel;   // chan c = [n] of { ... }
  Visibility visibility = Visibility::plain;
  Place place;
};

struct UserType {
  std::string name;
  std::vector<Variable> fields;
  Place place;
};

struct MtypeSet {
  std::string name;                  // empty: plain mtype
  std::vector<std::string> names;    // in the order of writing, all declarations of the set after each other
  std::vector<std::int32_t> values;  // of the names: SPIN counts every set from 1, the last name of it first
};

// ---- statements

struct Statement;
using Sequence = std::vector<Statement>;

struct Label {
  std::string name;  // no two of a process are equal: one that comes from an inline may have got a number
  Place place;
};

struct Statement {
  enum class Kind : std::uint8_t {
    declaration,  // variables (numbers in Process::variables), executed
    exclusive,    // xr, xs (name) references: a promise, without effect
    assignment,   // target = value
    increment,
    decrement,   // target
    condition,   // value
    send,        // target ! messages     (sorted: !!); in a trace assertion: target ! patterns
    receive,     // target ? patterns     (random: ??, peek: <...>)
    selection,   // if branches fi
    repetition,  // do branches od
    block,       // { body }; of an inline call: name
    atomic,
    d_step,  // { body }
    unless,  // branches[0] unless branches[1], one statement each
    go_to,   // name
    break_out,
    else_branch,  // else
    assertion,    // assert(value)
    print,        // printf(name, messages), printm(messages): no effect
    for_range,    // for (target : value .. upper) { body }
    for_in,       // for (target in array) { body }; if array is a channel: variables[0] counts
    select,       // select (target : value .. upper)
  };
  Kind kind = Kind::condition;
  Place place;
  std::vector<Label> labels;
  Reference target;  // also the channel of send, receive
  Expression value, upper;
  std::vector<Expression> messages;
  std::vector<Pattern> patterns;
  Reference array;  // of for_in: an array or a channel
  std::vector<Reference> references;
  std::vector<std::uint32_t> variables;
  std::vector<Sequence> branches;
  Sequence body;
  std::string name;
  bool sorted = false, random = false, peek = false, executed = false;
  bool by_options = false;  // of select: an if with one option per number; otherwise a loop that counts
};

// ---- units

struct Process {
  enum class Kind : std::uint8_t { proctype, init, never, trace, notrace };
  Kind kind = Kind::proctype;
  std::string name;              // "init"; of a nameless claim SPIN's never_0 and so on; trace, notrace
  std::uint32_t active = 0;      // how many run from the start
  std::uint32_t parameters = 0;  // the first of the variables
  std::vector<Variable> variables;
  std::vector<Expression> provided;  // none or one
  Sequence body;
  Place place;
};

struct LtlBlock {
  std::string name;  // of a nameless block SPIN's ltl_0 and so on
  Expression formula;
  Place place;
};

// In the order of writing, which is the order in which `active` processes get their numbers.
struct Unit {
  enum class Kind : std::uint8_t { global, type, mtype, process, ltl };
  Kind kind = Kind::global;
  std::uint32_t index = 0;             // in the table of its kind
  std::uint32_t first = 0, count = 0;  // of mtype: which names of the set this declaration adds
};

struct Program {
  std::vector<MtypeSet> mtype_sets;  // the first is plain mtype, there even if empty
  std::vector<UserType> types;
  std::vector<Variable> globals;
  std::vector<Process> processes;  // proctypes, init, claims and trace assertions
  std::vector<LtlBlock> formulas;
  std::vector<Unit> units;

  std::uint32_t find_process(std::string_view name) const;  // a proctype or init; kNone if there is none
};

}  // namespace surety::promela
