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
    int a_states, p_states, i, n;
    FILE *in = fopen("table", "r");
    if (!in || fscanf(in, "%d %d %d", &surety_actions, &a_states, &p_states) != 3) exit(3);
    n = surety_actions * (a_states + p_states);
    surety_a_step = (int *) malloc((n + 1) * sizeof(int));
    surety_p_step = surety_a_step + surety_actions * a_states;
    for (i = 0; i < n; i++) if (fscanf(in, "%d", &surety_a_step[i]) != 1) exit(3);
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
    std::string out, mtypes;
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

void add_row(std::string& out, const System& system, const Lts& lts, State s, auto otherwise) {
  for (std::uint32_t k = 0; k < system.actions.size(); ++k) {
    std::int64_t target = otherwise(k);
    if (lts.alphabet().contains(system.actions[k])) {
      const auto steps = lts.steps(s, system.actions[k]);
      const bool none = steps.empty() || steps.front().target == lts.error();
      target = none ? -1 : static_cast<std::int64_t>(steps.front().target.value);
    }
    out += fmt::format("{} ", target);
  }
  out += "\n";
}

}  // namespace

std::string open_text(const System& system, const SideNumbers& side) { return Open(system, side).text(); }

std::string table_text(const System& system, const SideNumbers& side, const Lts* assumption, const Lts& property) {
  static const Lts anything = [] {
    LtsBuilder builder;
    builder.set_state_count(1);
    return builder.build();
  }();
  const Lts& a = assumption == nullptr ? anything : *assumption;
  std::string out = fmt::format("{} {} {}\n", system.actions.size(), a.state_count(), property.state_count());
  for (std::uint32_t s = 0; s < a.state_count(); ++s)
    add_row(out, system, a, State{s}, [&](std::uint32_t k) -> std::int64_t {
      // What nobody speaks of need not be tried.
      return system.kind(k, side) == Kind::free && !property.alphabet().contains(system.actions[k]) ? -1 : s;
    });
  for (std::uint32_t s = 0; s < property.state_count(); ++s)
    add_row(out, system, property, State{s}, [&](std::uint32_t) -> std::int64_t { return s; });
  for (std::uint32_t k = 0; k < system.actions.size(); ++k)
    check(!a.alphabet().contains(system.actions[k]) || system.kind(k, side) != Kind::inner,
          "an assumption about what goes on inside");
  return out;
}

}  // namespace surety::spin
