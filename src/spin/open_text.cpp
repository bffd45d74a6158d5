// The way that compiles a side once.

#include <fmt/format.h>

#include "base/check.hpp"
#include "lang/promela/printer.hpp"
#include "spin/declarations.hpp"

namespace surety::spin {
namespace {

// The tables. SPIN puts this where pan.c has included what it needs.
constexpr const char* kLoad = R"(c_decl {
  static int surety_actions, *surety_a_step, *surety_p_step;
  static void __attribute__((constructor)) surety_load(void) {
    int head[3];
    size_t n;
    FILE *in = fopen("table", "rb");
    if (!in || fread(head, sizeof(int), 3, in) != 3) exit(3);
    surety_actions = head[0];
    n = (size_t) head[0] * (size_t) (head[1] + head[2]);
    surety_a_step = (int *) malloc((n + 1) * sizeof(int));
    surety_p_step = surety_a_step + head[0] * head[1];
    if (!surety_a_step || fread(surety_a_step, sizeof(int), n, in) != n) exit(3);
    fclose(in);
  }
};
int surety_a, surety_p, surety_n;
bool surety_unknown;
inline surety_step() {
  c_code {
    now.surety_a = surety_a_step[now.surety_a * surety_actions + now.surety_n];
    now.surety_p = surety_p_step[now.surety_p * surety_actions + now.surety_n];
  };
  printf("surety@%d\n", surety_n);
  assert(surety_p >= 0);
  surety_n = 0
}
)";

class Open {
 public:
  Open(const System& system, const SideNumbers& side) : system_(system), side_(side) {}

  std::string text() {
    std::string out = kLoad + fields() + user_text(system_, side_, true) + gates();
    out += fmt::format("proctype surety_environment() {{\n  do\n{}  od\n}}\n", options());
    return out + fmt::format("init {{\n  atomic {{\n{}{}    run surety_environment();\n  }}\n}}\n", opening(),
                             run_text(system_, side_));
  }

 private:
  using Variable = promela::Variable;

  template <class Body>
  void for_channels(Body body) const {
    for (std::uint32_t c = 0; c < system_.program->globals.size(); ++c)
      if (const Variable& v = system_.program->globals[c]; v.channel && v.channel->capacity == 0) body(c, v);
  }

  // A copy of each message, and what it means. All of it is forgotten again before anything else happens.
  std::string fields() const {
    std::string out;
    for_channels([&](std::uint32_t c, const Variable& v) {
      std::string forget;
      for (std::size_t f = 0; f < v.channel->fields.size(); ++f) {
        out += fmt::format("int {};\n", field_name(v, f));
        forget += fmt::format("{}{} = 0", f == 0 ? "" : "; ", field_name(v, f));
      }
      out +=
          fmt::format("inline surety_see_{}(index) {{\n  d_step {{\n    if\n{}    fi;\n    surety_step()\n  }}\n}}\n",
                      v.name, meanings(c, v));
      out += fmt::format("inline surety_forget_{}() {{\n  d_step {{ {} }}\n}}\n", v.name, forget);
    });
    return out;
  }

  std::string meanings(std::uint32_t c, const Variable& v) const {
    std::string out;
    for (std::uint32_t k = 0; k < system_.actions.size(); ++k) {
      const Operation& o = system_.operations[k];
      if (o.channel != c || system_.kind(k, side_) == Kind::free) continue;
      out += fmt::format("    :: {} -> surety_n = {}\n", condition(o, v), k);
    }
    return out + "    :: else -> assert(surety_unknown)\n";
  }

  // index == 2 && surety_grant_0 == u1
  static std::string condition(const Operation& o, const Variable& v) {
    std::string out;
    if (v.length)
      out = fmt::format("(index) == {} && ", o.where.substr(v.name.size() + 1, o.where.size() - v.name.size() - 2));
    std::size_t begin = 0;
    for (std::size_t f = 0; f < v.channel->fields.size(); ++f) {
      const std::size_t end = std::min(o.message.find(',', begin), o.message.size());
      out += fmt::format("{}{} == {}", f == 0 ? "" : " && ", field_name(v, f), o.message.substr(begin, end - begin));
      begin = end + 1;
    }
    return out;
  }

  static std::string allowed(std::uint32_t k) {
    return fmt::format("c_expr {{ surety_a_step[now.surety_a * surety_actions + {}] >= 0 }}", k);
  }

  bool open(std::uint32_t k) const { return system_.kind(k, side_) == Kind::open; }
  std::string gate(std::uint32_t k) const { return fmt::format("surety_gate{}", k); }

  std::string gates() const {
    std::string out;
    for_channels([&](std::uint32_t, const Variable& v) {
      Variable shut = v;
      shut.name = "surety_shut_" + v.name;
      shut.length.reset();
      out += promela::print(*system_.program, shut) + ";\n";
    });
    for (std::uint32_t k = 0; k < system_.actions.size(); ++k)
      if (open(k)) out += fmt::format("chan {}[2];\n", gate(k));
    return out;
  }

  std::string opening() const {
    std::string out;
    for (std::uint32_t k = 0; k < system_.actions.size(); ++k)
      if (open(k))
        out += fmt::format("    {0}[0] = surety_shut_{1}; {0}[1] = {2};\n", gate(k),
                           system_.program->globals[system_.operations[k].channel].name, system_.operations[k].where);
    return out;
  }

  std::string options() const {
    std::string out;
    for (std::uint32_t k = 0; k < system_.actions.size(); ++k) {
      const std::string& message = system_.operations[k].message;
      if (open(k)) {
        const std::string at = fmt::format("{}[{}]", gate(k), allowed(k));
        out += fmt::format("  :: {}!{}\n", at, message);
        out += fmt::format("  :: atomic {{ {}?{}; d_step {{ surety_n = {}; surety_step() }} }}\n", at, message, k);
      } else if (system_.kind(k, side_) == Kind::free) {
        out += fmt::format("  :: d_step {{ {} -> surety_n = {}; surety_step() }}\n", allowed(k), k);
      }
    }
    return out.empty() ? "  :: false\n" : out;
  }

  const System& system_;
  const SideNumbers& side_;
};

static_assert(sizeof(int) == 4);
using Table = std::vector<std::int32_t>;

// An action that the LTS does not have leads nowhere if it is `barred`, and back otherwise.
void add_rows(Table& table, const System& system, const Lts& lts, const std::vector<bool>& barred) {
  const std::size_t width = system.actions.size();
  std::vector<std::uint32_t> places;  // of its letters
  for (const Action a : lts.alphabet()) {
    const auto k = system.actions.index(a);
    check(k.has_value(), "an action that SPIN was not told of");
    places.push_back(*k);
  }
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    const std::size_t row = table.size();
    for (std::size_t k = 0; k < width; ++k) table.push_back(barred[k] ? -1 : static_cast<std::int32_t>(s));
    for (const std::uint32_t k : places) table[row + k] = -1;
    for (const Step& step : lts.steps(State{s}))
      if (step.target != lts.error())
        table[row + places[*lts.alphabet().index(step.action)]] = static_cast<std::int32_t>(step.target.value);
  }
}

}  // namespace

std::string open_text(const System& system, const SideNumbers& side) { return Open(system, side).text(); }

std::string table_bytes(const System& system, const SideNumbers& side, const Lts* assumption, const Lts& property) {
  static const Lts anything = [] {
    LtsBuilder builder;
    builder.set_state_count(1);
    return builder.build();
  }();
  const Lts& a = assumption == nullptr ? anything : *assumption;
  const std::size_t width = system.actions.size();
  std::vector<bool> idle(width);  // free actions that the property does not have need not be tried
  for (std::uint32_t k = 0; k < width; ++k) {
    const Kind kind = system.kind(k, side);
    idle[k] = kind == Kind::free && !property.alphabet().contains(system.actions[k]);
    check(kind != Kind::inner || !a.alphabet().contains(system.actions[k]), "an assumption about what goes on inside");
  }
  Table table;
  table.reserve(3 + width * (a.state_count() + property.state_count()));
  for (const std::size_t n : {width, std::size_t{a.state_count()}, std::size_t{property.state_count()}})
    table.push_back(static_cast<std::int32_t>(n));
  add_rows(table, system, a, idle);
  add_rows(table, system, property, std::vector<bool>(width, false));
  return {reinterpret_cast<const char*>(table.data()), table.size() * sizeof(std::int32_t)};
}

}  // namespace surety::spin
