// Writes one random program (promela_programs.hpp).
//
// What there is to use at a place is kept in lists: variables, whole structures, channels, labels to jump to. A block
// adds to them what it declares and takes it away at its end. Statements are text without a separator at the end.
#pragma once

#include <string>
#include <vector>

#include "agreement/promela_programs.hpp"
#include "base/random.hpp"

namespace surety::random_program {

enum class Type : std::uint8_t { bit, boolean, byte, pid, short_int, integer, unsigned_int, mtype, fruit };

struct Part {
  std::string name;
  std::uint32_t length = 0;  // of an array
};

// x, a[..], s.f, ss[..].f[..]
struct Variable {
  std::vector<Part> path;
  Type type = Type::byte;
  std::uint32_t bits = 0;  // of unsigned_int
  bool read_only = false;  // a counter of a loop
  bool is_global = false;
};

struct Structure {
  std::string name;
  std::vector<Variable> leaves;  // paths from the structure on
  bool in_messages = true;       // not with arrays of structures
};

// A variable that is a whole structure.
struct Record {
  std::vector<Part> path;
  std::size_t structure = 0;
};

struct Field {
  Type type = Type::byte;
  std::size_t structure = SIZE_MAX;
};

struct Channel {
  Part name;
  std::uint32_t capacity = 0;
  std::vector<Field> fields;
  bool is_global = true;
  bool send = true, receive = true, ask = true;  // what this process may do with it
};

struct Inline {
  std::string name;
  std::vector<char> parameters;  // 'v'ariable, 'e'xpression, 'c'hannel
  Channel channel;               // what the last is like
};

// What a program is made of, drawn at the start.
struct Features {
  bool structures, arrays, wide, mtypes, special, eval, atomic, d_step, inlines, blocks, loops, jumps, ends, init,
      channel_parameters, channel_arrays, local_channels, prints, conditionals, exclusive, counters, odd, errors,
      macros, servers, post, ports, aliases;
  // At most one of these; such a program does not come apart.
  enum class Hard : std::uint8_t {
    none,
    unless,
    timeout,
    provided,
    count,   // _nr_pr
    remote,  // P@label, P:x
    late_run,
    meet_inside,  // a rendezvous in the middle of an atomic sequence
    ask_meeting,  // len of a rendezvous channel
    else_meeting,
    d_step_inside,  // in an atomic sequence
    nested_else,
  } hard = Hard::none;
};

class Writer {
 public:
  Writer(std::uint64_t seed, const ProgramMix& mix);
  std::string run();

 private:
  enum class Where : std::uint8_t { plain, atomic, d_step };
  // What a block adds to the lists goes with it.
  struct Scope {
    explicit Scope(Writer& writer);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    Writer& w;
    std::size_t variables, records, channels;
  };

  // ---- declarations (promela_programs.cpp)
  void draw_features();
  void declare_structures();
  void declare_globals();
  void declare_channels();
  void define_inlines();
  std::string declare(const Type& type, std::uint32_t length, bool is_global, bool may_list);
  std::string initial(Type type, std::uint32_t bits, bool is_global);
  void add_record(const Part& name, std::size_t structure, bool is_global);
  std::string capacity_and_fields(const Channel& c) const;
  Channel random_channel(const std::string& name);
  void process(std::uint32_t number, bool active, std::uint32_t copies);
  std::string provided();
  std::string parameters(std::vector<std::string>& arguments);
  std::string body(std::uint32_t number);
  std::string server();
  std::string second_names(std::uint32_t number);
  void init();
  Type random_type();

  // ---- expressions (promela_expressions.cpp)
  std::string constant();
  std::string odd_constant();
  std::string mtype_constant(Type type);
  std::string index(std::uint32_t length);
  std::string text(const std::vector<Part>& path);
  std::string text(const Channel& c);
  std::string fixed_text(const std::vector<Part>& path);
  std::string target(const std::vector<Part>& path);
  std::string received(const std::vector<Part>& path);
  std::string atom();
  std::string number(int depth);
  std::string bounded(int depth);
  std::string value_for(const Variable& v);
  std::string value_for(const Field& f, bool alone);
  std::string condition(bool about_channels = true);
  std::string comparison();
  std::string question();
  const Variable* pick(bool (*wanted)(const Variable&), bool writable);

  // ---- statements (promela_statements.cpp)
  std::string sequence(std::uint32_t length, int levels, Where where);
  std::string statement(int levels, Where where, bool first);
  std::string compound(int levels, Where where);
  std::string simple(Where where, bool first, bool may_jump);
  std::string either(const std::string& message);
  std::string assignment();
  std::string declaration();
  std::string choice(bool loop, int levels, Where where);
  std::string guard(Where where, bool with_else);
  std::string block(const char* word, Where where);
  std::string counted_loop(Where where);
  std::string loop_over();
  std::string loop_through_messages();
  std::string call();
  std::string hard(int levels);
  std::string message(bool only_buffers, bool only_receive = false);
  std::string send(const Channel& c);
  std::string receive(const Channel& c);
  std::vector<std::string> patterns(const Channel& c, std::uint32_t anything);
  std::string pattern(const Field& f, std::vector<std::string>& used);
  std::string assertion();
  std::string print();

  // ---- properties (promela_properties.cpp)
  void properties();
  std::string proposition();
  std::string literal();
  std::string true_at_first();
  std::string formula();
  void trace(std::uint32_t number);
  std::string event(const Channel& c, bool sends);

  // ---- chance
  std::uint32_t below(std::uint32_t n) { return random_.below(n); }
  bool chance(std::uint32_t percent) { return random_.chance(percent); }
  template <class T>
  const T& one_of(const std::vector<T>& some) {
    return some[below(static_cast<std::uint32_t>(some.size()))];
  }
  std::string fresh(const char* letter);

  Random random_;
  ProgramMix mix_;
  Features on_{};
  bool asserts_ = true;
  std::string out_;
  std::vector<Structure> structures_;
  std::vector<Variable> variables_;
  std::vector<Record> records_;
  std::vector<Channel> channels_;  // the global ones first
  std::vector<Inline> inlines_;
  std::vector<std::string> targets_;  // labels to jump to
  std::vector<std::string> places_;   // P1@here2
  std::vector<std::string> starts_;   // run P1(2)
  std::string self_;                  // how a formula calls this process; empty: it has no name for it
  std::uint32_t processes_ = 0;       // how many proctypes
  std::uint32_t running_ = 0;         // processes that run from the start
  std::uint32_t names_ = 0;
  bool in_inline_ = false;
};

std::string indented(const std::string& text);
std::string word(Type type);
bool is_number(Type type);
// Few values whatever is assigned to it.
bool is_small(const Variable& v);

}  // namespace surety::random_program
