// From the tree to what the machine executes: layouts, expression code, operations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lang/promela/machine/code.hpp"
#include "lang/promela/machine/flow.hpp"
#include "lang/promela/tree.hpp"

namespace surety::promela {

// Where a value goes.
struct Target {
  Code address;  // an offset into the state
  Encoding encoding;
};

struct Operation {
  enum class Kind : std::uint8_t {
    condition,
    run,
    assign,
    assign_run,
    send,
    receive,
    assertion,
    skip,
    otherwise,
    d_step,
    finish
  };
  Kind kind = Kind::skip;
  bool atomic = false;
  bool sorted = false, random = false, peek = false;
  std::uint32_t target = 0;     // the next place
  std::uint32_t statement = 0;  // in Compiled::statements
  std::uint32_t process = 0;    // of run: the proctype; of d_step: its first place
  std::uint32_t d_step_id = 0;
  Code code;                    // the condition, the value, or the channel
  Target store;                 // of assign; without an address: _
  std::vector<Code> arguments;  // messages, or arguments of run
  std::vector<CompiledPattern> patterns;
};

struct ChannelKind {
  std::string name;  // c, c.2, P.c
  std::uint32_t capacity = 0;
  std::vector<Encoding> fields;
  std::vector<std::int32_t> mtypes;  // of each field: which set names its values, -1: none
  std::vector<std::uint32_t> offsets;
  std::uint32_t message_bytes = 0;
  std::uint32_t frame_bytes = 0;
  bool rendezvous() const { return capacity == 0; }
  std::uint32_t slots() const { return capacity == 0 ? 1 : capacity; }
};

// One initial value, or one channel to make.
struct Initial {
  Target store;
  Code value;
  std::uint32_t channel = kNone;  // in Compiled::channels
};

// A plain variable, an element of an array or a field of a structure.
struct VariableLeaf {
  std::string name;  // turn, level.2, point.x
  std::uint32_t offset = 0;
  Encoding encoding;
  std::int32_t mtype = -1;  // which set names its values, -1: none
  bool channel = false;
  std::uint32_t variable = 0;  // in Program::globals, or Process::variables
};

struct CompiledProcess {
  std::uint32_t frame_bytes = 0;
  std::vector<Target> parameters;
  std::vector<VariableLeaf> locals;  // as they lie in the frame
  std::vector<Initial> initial;
  std::vector<std::vector<Operation>> places;
  std::vector<std::vector<std::uint32_t>> escapes;
  Code provided;
  Flow flow;
};

struct ShownStatement {
  std::uint32_t process = 0, line = 0;
  Place place;
  std::string text;
  bool d_step = false;
  bool finishes = false;              // it is the end of the process
  const Statement* source = nullptr;  // none: a jump, or the end
};

struct Compiled {
  std::uint32_t globals_bytes = 0;
  std::vector<VariableLeaf> globals;  // as they lie in the state
  std::vector<Initial> initial;
  std::vector<CompiledProcess> processes;  // as Program::processes; claims and traces have a flow only
  std::vector<ChannelKind> channels;
  std::vector<ShownStatement> statements;
  std::vector<std::vector<CompiledPattern>> polls;
  std::size_t longest_code = 1;  // at least the address of a variable
  std::size_t poll_code = 0;     // the length of all patterns in `polls`
  bool uses_timeout = false;
};

inline constexpr std::uint32_t kHeaderBytes = 6;  // see memory.hpp
inline constexpr std::uint32_t kProcessHeader = 4;
inline constexpr std::uint32_t kChannelHeader = 3;

class Compiler {
 public:
  Compiler(const Program& program, const Source& source, Report& report);
  Compiled& run();

  Code expression(const Expression& e, std::uint32_t process);  // process: whose locals; kNone: none
  Compiled& compiled() { return out_; }

 private:
  struct Layout {
    std::vector<std::uint32_t> offsets;
    std::uint32_t bytes = 0;
  };
  struct Leaf {
    std::uint32_t offset;
    Encoding encoding;
    Encoding in_message;  // as a field of a message: a bit takes one bit even if it is an element of an array
    std::int32_t mtype;
  };

  void lay_out();
  std::uint32_t size_of(const Type& type, bool in_array) const;
  std::uint32_t size_of(const Variable& v) const;
  void leaves(const Type& type, bool in_array, std::uint32_t offset, std::vector<Leaf>& out) const;
  void leaves(const Variable& v, std::uint32_t offset, std::vector<Leaf>& out) const;
  template <class Use>
  void each_leaf(const Variable& v, std::uint32_t offset, const std::string& name, const Use& use) const;
  void named_leaves(const Variable& v, std::uint32_t offset, std::uint32_t variable,
                    std::vector<VariableLeaf>& out) const;
  void initials(const Variable& v, std::uint32_t offset, bool global, const std::string& name, std::uint32_t process,
                bool at_start, std::vector<Initial>& out);
  std::uint32_t channel(const ChannelInit& init, std::string name);

  void process(std::uint32_t index);
  Operation operation(const Flow::Edge& edge, std::uint32_t process);
  void statement(const Statement& s, std::uint32_t process, Operation& op);
  void send(const Statement& s, std::uint32_t process, Operation& op);
  void value_or_run(const Expression& e, Operation::Kind value, Operation::Kind run, std::uint32_t process,
                    Operation& op);
  void run_arguments(const Expression& e, std::uint32_t process, Operation& op);
  std::vector<CompiledPattern> patterns(const std::vector<Pattern>& list, std::uint32_t process);

  void emit(const Expression& e, std::uint32_t process, Code& code);
  void emit_logical(const Expression& e, std::uint32_t process, Code& code);
  void emit_conditional(const Expression& e, std::uint32_t process, Code& code);
  void emit_poll(const Expression& e, std::uint32_t process, Code& code);
  void emit_remote_process(const Expression& e, std::uint32_t process, Code& code);
  void emit_remote_label(const Expression& e, std::uint32_t process, Code& code);
  void emit_remote_variable(const Expression& e, std::uint32_t process, Code& code);
  void emit_value(const Reference& r, std::uint32_t process, Code& code);
  void emit_address(const Reference& r, std::uint32_t process, Code& code);
  Encoding encoding(const Reference& r, std::uint32_t process) const;
  const Variable* variable(const Reference& r, std::uint32_t process) const;
  Target target(const Reference& r, std::uint32_t process);
  Code value(const Reference& r, std::uint32_t process);
  void remember(const Code& code);
  void unsupported(Place place, const std::string& what);

  const Program& program_;
  const Source& source_;
  Report& report_;
  Compiled out_;
  std::vector<Layout> types_;
  Layout globals_;
  std::vector<Layout> locals_;
};

}  // namespace surety::promela
