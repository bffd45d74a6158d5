#include "agreement/promela_programs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "agreement/promela_writer.hpp"

namespace surety {
namespace random_program {

using Hard = Features::Hard;

Writer::Writer(std::uint64_t seed, const ProgramMix& mix) : random_(seed), mix_(mix) {}

Writer::Scope::Scope(Writer& writer)
    : w(writer), variables(w.variables_.size()), records(w.records_.size()), channels(w.channels_.size()) {}

Writer::Scope::~Scope() {
  w.variables_.resize(variables);
  w.records_.resize(records);
  w.channels_.resize(channels);
}

std::string Writer::fresh(const char* letter) { return fmt::format("{}{}", letter, names_++); }

std::string Writer::run() {
  draw_features();
  if (on_.macros) out_ += "#define LIMIT 2\n#define NEXT(x) x = (x + 1) % LIMIT\n";
  out_ += "mtype = { red, green };\nmtype = { blue };\nmtype:fruit = { apple, pear };\n";
  declare_structures();
  declare_globals();
  declare_channels();
  define_inlines();
  processes_ = 2 + below(2);
  for (std::uint32_t i = 0; i < processes_; ++i) {
    const bool active = !on_.init || chance(30);
    process(i, active, i == 0 && chance(30) ? 2 : 1);
  }
  if (!starts_.empty()) init();
  properties();
  return out_;
}

void Writer::draw_features() {
  bool* const all[] = {&on_.structures,     &on_.arrays, &on_.wide,           &on_.mtypes,
                       &on_.special,        &on_.eval,   &on_.atomic,         &on_.d_step,
                       &on_.inlines,        &on_.blocks, &on_.loops,          &on_.jumps,
                       &on_.ends,           &on_.init,   &on_.channel_arrays, &on_.channel_parameters,
                       &on_.local_channels, &on_.prints, &on_.conditionals,   &on_.odd};
  for (bool* feature : all) *feature = chance(40);
  on_.atomic |= chance(40);
  on_.exclusive = chance(10);
  on_.counters = chance(5);
  on_.errors = !mix_.pan && chance(12);
  on_.macros = chance(2);
  on_.servers = chance(65);
  on_.post = chance(4);
  on_.ports = chance(5);
  on_.aliases = chance(4);
  asserts_ = mix_.assertions.value_or(chance(85));
  if (chance(14)) on_.hard = static_cast<Hard>(1 + below(static_cast<std::uint32_t>(Hard::nested_else)));
}

// ---- what is declared outside of processes

Type Writer::random_type() {
  static const std::vector<Type> narrow = {Type::byte, Type::byte, Type::bit, Type::boolean, Type::unsigned_int};
  static const std::vector<Type> wide = {Type::short_int, Type::integer, Type::pid, Type::byte};
  if (on_.mtypes && chance(25)) return chance(75) ? Type::mtype : Type::fruit;
  return one_of(on_.wide && chance(50) ? wide : narrow);
}

void Writer::declare_structures() {
  if (!on_.structures) return;
  const std::uint32_t count = 1 + below(2);
  for (std::uint32_t i = 0; i < count; ++i) {
    Structure made{fmt::format("S{}", i), {}, true};
    std::string fields;
    const std::uint32_t members = 1 + below(2);
    for (std::uint32_t f = 0; f < members; ++f) {
      const Type type = random_type();
      const std::string name = fresh("f");
      const std::uint32_t length = type != Type::unsigned_int && on_.arrays && chance(25) ? 2 : 0;
      const std::uint32_t bits = type == Type::unsigned_int ? 2 : 0;
      made.leaves.push_back({{{name, length}}, type, bits, false, false});
      made.in_messages &= bits == 0;
      fields += fmt::format("{} {}{}{}; ", word(type), name, bits > 0 ? " : 2" : "",
                            length > 0 ? fmt::format("[{}]", length) : "");
    }
    if (i > 0 && chance(60)) {
      const Part name{fresh("f"), chance(25) ? 2U : 0U};
      made.in_messages &= name.length == 0 && structures_[0].in_messages;
      for (const Variable& leaf : structures_[0].leaves) {
        Variable v = leaf;
        v.path.insert(v.path.begin(), name);
        made.leaves.push_back(std::move(v));
      }
      fields += fmt::format("S0 {}{}; ", name.name, name.length > 0 ? "[2]" : "");
    }
    out_ += fmt::format("typedef {} {{ {}}};\n", made.name, fields);
    structures_.push_back(std::move(made));
  }
}

void Writer::add_record(const Part& name, std::size_t structure, bool is_global) {
  records_.push_back({{name}, structure});
  for (Variable v : structures_[structure].leaves) {
    v.path.insert(v.path.begin(), name);
    v.is_global = is_global;
    variables_.push_back(std::move(v));
  }
}

// Sometimes one that does not fit.
std::string Writer::initial(Type type, std::uint32_t bits, bool is_global) {
  if (!is_number(type)) return mtype_constant(type);
  if (on_.odd && chance(40)) return chance(50) ? odd_constant() : fmt::format("{}", (1U << bits) + below(3));
  if (chance(30)) return fmt::format("{} + {}", constant(), constant());
  if (!is_global && chance(40)) return bounded(1);
  return constant();
}

// A variable of the current scope, from now on.
std::string Writer::declare(const Type& type, std::uint32_t length, bool is_global, bool may_list) {
  const std::string name = fresh(is_global ? "g" : "x");
  const std::uint32_t bits = type == Type::unsigned_int ? 1 + below(3) : 0;
  std::string out = fmt::format("{} {}", word(type), name);
  if (bits > 0) out += fmt::format(" : {}", bits);
  if (length > 0) out += fmt::format("[{}]", length);
  if (length > 0 && may_list && chance(30)) {
    std::vector<std::string> values;
    for (std::uint32_t i = 0; i < length; ++i)
      values.push_back(is_number(type) ? fmt::format("{}", below(4)) : mtype_constant(type));
    out += fmt::format(" = {{ {} }}", fmt::join(values, ", "));
  } else if (chance(45)) {
    out += " = " + initial(type, bits, is_global);
  }
  variables_.push_back({{{name, length}}, type, bits, false, is_global});
  return out;
}

void Writer::declare_globals() {
  const std::uint32_t count = below(4);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Type type = random_type();
    const bool array = on_.arrays && type != Type::unsigned_int && chance(40);
    if (chance(5)) out_ += type != Type::byte || mix_.pan ? "show " : "hidden ";
    out_ += declare(type, array ? 2 + below(2) : 0, true, true) + ";\n";
  }
  for (std::size_t s = 0; s < structures_.size(); ++s) {
    const Part name{fresh("r"), chance(25) ? 2U : 0U};
    out_ += fmt::format("S{} {}{};\n", s, name.name, name.length > 0 ? "[2]" : "");
    add_record(name, s, true);
  }
}

std::string Writer::capacity_and_fields(const Channel& c) const {
  std::vector<std::string> fields;
  for (const Field& f : c.fields)
    fields.push_back(f.structure == SIZE_MAX ? word(f.type) : structures_[f.structure].name);
  return fmt::format("[{}] of {{ {} }}", c.capacity, fmt::join(fields, ", "));
}

Channel Writer::random_channel(const std::string& name) {
  Channel c;
  c.name = {name, on_.channel_arrays && chance(35) ? 2U : 0U};
  c.capacity = chance(50) ? 0 : 1 + below(2);
  const std::uint32_t fields = chance(55) ? 1 : 2 + (chance(20) ? 1 : 0);
  for (std::uint32_t f = 0; f < fields; ++f) {
    Field made{random_type(), SIZE_MAX};
    if (made.type == Type::unsigned_int) made.type = Type::byte;
    if (made.type == Type::fruit) made.type = Type::mtype;
    if (fields == 1 && chance(60)) made.type = Type::byte;
    if (!structures_.empty() && chance(35)) made.structure = below(static_cast<std::uint32_t>(structures_.size()));
    if (made.structure != SIZE_MAX && !structures_[made.structure].in_messages) made.structure = SIZE_MAX;
    c.fields.push_back(made);
  }
  return c;
}

void Writer::declare_channels() {
  const std::uint32_t count = 1 + below(3);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Channel c = random_channel(fmt::format("c{}", i));
    out_ += fmt::format("chan {}{} = {};\n", c.name.name, c.name.length > 0 ? "[2]" : "", capacity_and_fields(c));
    channels_.push_back(c);
  }
  if (on_.post) out_ += fmt::format("chan post = [{}] of {{ chan }};\n", below(2));
  if (on_.ports) {
    out_ += "typedef Port { chan q = [1] of { byte }; bit b };\nPort port[2];\n";
    for (const char* name : {"port[0].q", "port[1].q"}) channels_.push_back({{name, 0}, 1, {{}}, false});
  }
  if (!on_.exclusive) return;  // from P0 to P1 alone, which say so
  Channel c = random_channel("own");
  c.name.length = 0;
  c.ask = c.send = c.receive = false;
  out_ += fmt::format("chan own = {};\n", capacity_and_fields(c));
  channels_.push_back(c);
}

void Writer::define_inlines() {
  if (!on_.inlines) return;
  const std::uint32_t count = 1 + below(2);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Scope scope(*this);
    Inline made{fmt::format("act{}", i), {}, channels_[0]};
    std::vector<std::string> names;
    for (const char kind : {'v', 'e', 'c'}) {
      if (!chance(60)) continue;
      made.parameters.push_back(kind);
      names.push_back(fmt::format("a{}{}", kind, i));
      if (kind == 'c') {
        channels_.push_back(channels_[0]);
        channels_.back().name = {names.back(), 0};
        channels_.back().is_global = false;
      } else {
        variables_.push_back({{{names.back(), 0}}, Type::byte, 0, kind == 'e', false});
      }
    }
    in_inline_ = true;
    std::string inside = chance(40) ? declaration() + ";\n" : "";
    inside += sequence(1 + below(2), 1, Where::plain);
    if (chance(15))
      inside +=
          fmt::format(";\nagain{}: if\n:: {} ->\n  {};\n  goto again{}\n:: else\nfi", i, comparison(), assignment(), i);
    in_inline_ = false;
    out_ += fmt::format("inline {}({}) {{\n{}\n}}\n", made.name, fmt::join(names, ", "), indented(inside));
    inlines_.push_back(std::move(made));
  }
}

// ---- processes

void Writer::process(std::uint32_t number, bool active, std::uint32_t copies) {
  const Scope scope(*this);
  if (on_.exclusive && number == 0) copies = 1;
  for (Channel& c : channels_)
    if (c.name.name == "own") c.send = number == 0, c.receive = number == 1;
  const std::string name = fmt::format("P{}", number);
  targets_.clear();
  self_ = copies == 1 ? name : active ? fmt::format("{}[{}]", name, running_) : "";
  if (active) running_ += copies;
  std::vector<std::string> arguments;
  const std::string takes = active ? "" : parameters(arguments);
  out_ += "\n";
  if (active) out_ += copies > 1 ? fmt::format("active [{}] ", copies) : "active ";
  out_ += fmt::format("proctype {}({})", name, takes);
  if (on_.hard == Hard::provided && chance(50)) out_ += fmt::format(" provided ({})", provided());
  out_ += " {\n" + indented(body(number)) + "\n}\n";
  for (std::uint32_t i = 0; !active && i < copies; ++i)
    starts_.push_back(fmt::format("run {}({})", name, fmt::join(arguments, ", ")));
}

// About globals only.
std::string Writer::provided() {
  std::vector<Variable> all;
  std::swap(all, variables_);
  std::ranges::copy_if(all, std::back_inserter(variables_), &Variable::is_global);
  const std::string out = "_pid < 2 || " + comparison();
  std::swap(all, variables_);
  return out;
}

std::string Writer::parameters(std::vector<std::string>& arguments) {
  std::vector<std::string> out;
  const std::uint32_t count = below(3);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string name = fresh("p");
    if (on_.channel_parameters && chance(50)) {
      Channel c = one_of(channels_);
      if (!c.ask || !c.is_global) continue;
      arguments.push_back(c.name.length > 0 ? fmt::format("{}[{}]", c.name.name, below(2)) : c.name.name);
      c.name = {name, 0};
      c.is_global = false;
      channels_.push_back(c);
      out.push_back("chan " + name);
      continue;
    }
    const Type type = on_.mtypes && chance(30) ? Type::mtype : chance(30) ? Type::bit : Type::byte;
    arguments.push_back(type == Type::mtype ? mtype_constant(type) : chance(80) ? constant() : constant() + " + 1");
    variables_.push_back({{{name, 0}}, type, 0, false, false});
    out.push_back(word(type) + " " + name);
  }
  return fmt::format("{}", fmt::join(out, "; "));
}

std::string Writer::body(std::uint32_t number) {
  std::string out;
  if (on_.exclusive && number < 2) out += number == 0 ? "xs own;\n" : "xr own;\n";
  const std::uint32_t locals = 1 + below(2);
  for (std::uint32_t i = 0; i < locals; ++i) {
    const Type type = i == 0 ? Type::byte : random_type();
    const bool array = on_.arrays && type != Type::unsigned_int && chance(25);
    out += declare(type, array ? 2 : 0, false, true) + ";\n";
  }
  if (!structures_.empty() && chance(40)) {
    const std::size_t s = below(static_cast<std::uint32_t>(structures_.size()));
    const std::string name = fresh("r");
    out += fmt::format("S{} {};\n", s, name);
    add_record({name, 0}, s, false);
  }
  if (on_.local_channels && chance(30)) {
    Channel c = random_channel(fresh("own"));
    c.name.length = 0;
    c.is_global = false;
    c.capacity = std::max(c.capacity, 1U);
    out += fmt::format("chan {} = {};\n", c.name.name, capacity_and_fields(c));
    channels_.push_back(c);
  }
  out += second_names(number);
  if (on_.servers && number > 0 && chance(45)) return out + server();
  const std::string top = fresh("top");
  if (chance(45)) return out + "skip;\n" + sequence(3 + below(4), 2, Where::plain);
  if (chance(50)) out += fresh("end") + ":\n";
  targets_.push_back(top);
  out += top + ": " + (chance(50) ? "skip;\n" : "");
  return out + sequence(2 + below(3), 2, Where::plain) + ";\ngoto " + top;
}

// The channel c0 by another name: one that came in a message, or was assigned.
std::string Writer::second_names(std::uint32_t number) {
  Channel again = channels_[0];
  const std::string first = again.name.length > 0 ? again.name.name + "[0]" : again.name.name;
  if (on_.post && number == 0) return fmt::format("post!{};\n", first);
  if (!(on_.post && number == 1) && !(on_.aliases && chance(50))) return "";
  again.name = {fresh("back"), 0};
  again.is_global = false;
  channels_.push_back(again);
  if (on_.post && number == 1) return fmt::format("chan {};\npost?{};\n", again.name.name, again.name.name);
  return fmt::format("chan {};\n{} = {};\n", again.name.name, again.name.name, first);
}

// Takes what others send, and may stop at any time.
std::string Writer::server() {
  std::string out = fresh("end") + ": do\n";
  bool any = false;
  for (const Channel& c : std::vector<Channel>(channels_)) {
    if (!c.receive || chance(30)) continue;
    const std::vector<std::string> fields = patterns(c, 50);
    if (fields.empty()) continue;
    any = true;
    out += fmt::format(":: {}?{}", received({c.name}), fmt::join(fields, ","));
    const Scope scope(*this);
    if (chance(40)) out += " ->\n" + indented(sequence(1 + below(2), 1, Where::plain));
    out += "\n";
  }
  if (!any || chance(20)) out += fmt::format(":: {} -> {}\n", condition(), assignment());
  return out + "od";
}

void Writer::init() {
  const Scope scope(*this);
  self_ = "";
  targets_.clear();
  std::string inside;
  if (chance(30)) inside += declare(Type::byte, 0, false, true) + ";\n";
  const std::string starts = fmt::format("{}", fmt::join(starts_, ";\n"));
  inside += chance(70) ? "atomic {\n" + indented(starts) + "\n}" : starts;
  if (chance(25)) inside += ";\n" + sequence(1 + below(2), 1, Where::plain);
  if (on_.hard == Hard::late_run) {
    const std::string number = fresh("x");
    inside += fmt::format(";\n{};\npid {};\n{} = {}", assignment(), number, number, one_of(starts_));
  }
  out_ += "\ninit {\n" + indented(inside) + "\n}\n";
}

}  // namespace random_program

std::string random_promela(std::uint64_t seed, const ProgramMix& mix) {
  return random_program::Writer(seed, mix).run();
}

}  // namespace surety
