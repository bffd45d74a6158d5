// Flow programs: what a program with tasks does, as one graph of nodes per task, with all calls of subprograms inlined.
//
// A node is one execution step. Its code works on slots: every scalar variable, element of an array, field of a
// record, parameter and intermediate value has a slot of its own. Code reads and writes only slots that are the task's
// own for certain; for all others there are nodes of their own (read, write). So a node tells what other tasks can
// notice of it.
//
// This is plain data. Which language it came from, it does not know.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace surety::flow {

using Value = std::int64_t;
inline constexpr Value kOpaque = std::numeric_limits<Value>::min();  // a value that is not modelled
inline constexpr Value kUnset = kOpaque + 1;                         // no value has been written yet
inline constexpr std::uint32_t kNone = UINT32_MAX;

// Code is a sequence of instructions for a stack of values. An opaque operand makes the result opaque.
struct Instruction {
  enum class Op : std::uint8_t {
    constant,  // push a
    load,      // push the value of slot a
    plus,
    minus,
    times,
    divide,
    mod,
    rem,
    power,
    negate,
    abs,
    not_,  // of a Boolean
    and_,  // bit by bit, which is right for Booleans, too
    or_,
    xor_,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    inside,  // a .. b
    check,   // constraint error unless it is in a .. b
    wrap,    // modulo a
  };
  Op op = Op::constant;
  Value a = 0, b = 0;
};
using Code = std::vector<Instruction>;

// Exceptions are numbers in Program::exceptions. These are always there.
enum Exception : std::uint32_t { constraint_error, program_error, storage_error, tasking_error, assertion_error };

// A handler of exceptions, and the one around it.
struct Handler {
  std::vector<std::uint32_t> exceptions;  // none: all
  std::uint32_t node = 0;                 // where control goes
  std::uint32_t outer = kNone;            // in Task::handlers: if it does not handle it
  std::uint32_t occurrence = kNone;       // the slot that gets the number of the exception, for "raise;"
};

// What a task can wait for.
struct Alternative {
  enum class Kind : std::uint8_t {
    accept,     // a call of an entry
    call,       // that an entry is accepted
    operation,  // a protected operation
    queued,     // that a protected operation is not possible now: its place in the queue
    delay,      // that time passes
    otherwise,  // nothing: the else part
    terminate,  // the end of the master
  };
  Kind kind = Kind::accept;
  std::uint32_t guard = kNone;         // an own slot: open if it is true
  Code number;                         // of the entry or operation
  std::vector<Code> in;                // of a call or an operation: what is passed
  std::vector<std::uint32_t> targets;  // of accept: slots for what is passed; of an operation and a call: for results
  std::uint32_t next = 0;
  std::uint32_t place = 0;
};

struct Node {
  enum class Kind : std::uint8_t {
    compute,     // target := value
    read,        // target := slot first + offset, one of `count`
    write,       // slot first + offset := value
    branch,      // value: true goes to next, false to other
    choose,      // target := any value of low .. high
    wait,        // alternatives
    await_end,   // the end of the rendezvous that has begun with entry `number`; targets of results
    accept_end,  // the end of a rendezvous with the caller of entry `number`; results are `in`
    begin,       // the tasks and protected objects of master `first` begin to be
    activated,   // waits until the declarations of all tasks of master `first` are elaborated
    abandoned,   // the end of a task whose declarations an exception has ended
    end,         // the tasks that depend on master `first` have ended
    queue,       // takes its place in the queue of entry `number`
    count,       // target := how many wait in the queue of entry `number`
    status,      // target := whether task `number` can be called (first: 0) or has terminated (1)
    event,       // label and values in `in`
    raise,       // exception in `first`; kNone: the one in slot target, again
    complete,    // the end of the task
    gone,        // nothing; where silent code begins
  };
  Kind kind = Kind::gone;
  bool atomic = false;  // of read and write: nothing is said about it
  std::uint32_t target = kNone;
  std::uint32_t first = 0, count = 1;
  Code value, offset, number;
  Value low = 0, high = 0;
  std::vector<Code> in;
  std::vector<std::uint32_t> targets;
  std::vector<Alternative> alternatives;
  std::uint32_t label = kNone;  // of an event: in Program::labels
  std::uint32_t next = 0, other = 0;
  std::uint32_t handler = kNone;  // in Task::handlers
  std::uint32_t place = 0;        // in Program::places
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<Handler> handlers;
  std::uint32_t start = 0;
  std::uint32_t body = 0;      // of a task: the first node after its declarations
  std::uint32_t died = kNone;  // of a task: where it goes on after an exception that nothing handles
};

// How values are shown: by these literals, from `low` on, or as decimal numbers.
struct Display {
  std::vector<std::string> literals;
  Value low = 0;
};

struct Slot {
  std::string name;  // X, level.2
  std::uint32_t display = 0;
  Value low = 0, high = 0;  // of its subtype
  Value initial = kUnset;
  std::uint32_t task = kNone;    // declared inside this task
  std::uint32_t object = kNone;  // private data of this protected object
  bool atomic = false;           // or volatile: no warning
  bool temporary = false;        // of a task, of a body: the name means nothing
  bool apart = false;            // only its task uses it, by read and write, as if it were shared
  std::uint32_t place = 0;
};

struct Entry {
  std::uint32_t task = 0;
  std::string name;  // car.sync, pump.1.start.2
  bool has_body = false;
  bool counted = false;                // how many wait is asked
  std::vector<std::uint32_t> in, out;  // displays of the parameters
  std::uint32_t place = 0;
};

struct Operation {
  std::uint32_t object = 0;
  std::string name;  // buffer.put
  bool entry = false;
  Graph barrier, body;  // the barrier leaves its value in slot `open`
  std::uint32_t open = kNone;
  std::uint32_t count = kNone;         // the slot for how many calls wait, if that is asked of some of the object's
  std::vector<std::uint32_t> in, out;  // slots of the parameters (and the result, the last of out)
  std::uint32_t place = 0;
};

struct Object {
  std::string name;  // Buffer, Fork.3
  std::vector<std::uint32_t> slots;
  std::vector<std::uint32_t> outside;  // variables that are not its own, but kept with it
  std::uint32_t counts = kNone;        // if it is asked: the first slot for how many calls wait, one per operation
  std::uint32_t master = 0;            // in Program::masters: whose beginning makes it anew
  std::uint32_t place = 0;
};

struct Task {
  std::string name;   // Customer(2)
  std::string label;  // customer.2
  std::string type;   // customer
  Graph graph;
  std::uint32_t master = 0;  // in Program::masters: that it depends on
  std::uint32_t place = 0;
};

// What is left only when its tasks have ended: the main procedure, the body of a task, a subprogram, a block.
struct Master {
  std::string label;                          // of its actions: elevator, worker.2
  std::uint32_t task = 0;                     // that executes it
  std::uint32_t outer = kNone;                // the master around it
  bool body = false;                          // it is the body of its task, or the main procedure
  std::vector<std::uint32_t> tasks, objects;  // that are declared in it
};

// A statement in the text: for people.
struct Statement {
  std::size_t offset = 0, length = 1;
};

struct Program {
  std::string name;  // of the main procedure
  std::vector<Slot> slots;
  std::vector<Task> tasks;      // the environment task is the first
  std::vector<Master> masters;  // the main procedure, with the library, is the first
  std::vector<Entry> entries;
  std::vector<Object> objects;
  std::vector<Operation> operations;
  std::vector<std::string> labels;                         // of events
  std::vector<std::vector<std::uint32_t>> label_displays;  // of the values of an event
  std::vector<std::string> exceptions;                     // in lower case
  std::vector<Display> displays;                           // the first one: decimal numbers
  std::vector<Statement> places;                           // the first one: nowhere
};

}  // namespace surety::flow
