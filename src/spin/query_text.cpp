// The paper's way: one model per triple.

#include <fmt/format.h>

#include <set>

#include "base/check.hpp"
#include "spin/declarations.hpp"

namespace surety::spin {
namespace {

class Query {
 public:
  Query(const System& system, const SideNumbers& side, const Lts* assumption, const Lts& property)
      : system_(system), side_(side), a_(assumption), p_(property) {}

  std::string text() {
    std::string out = user_text(system_, side_, false);
    for (std::uint32_t k = 0; k < system_.actions.size(); ++k)
      if (happens(k) && system_.operations[k].channel == promela::kNone)
        out += fmt::format("chan {} = [0] of {{ bit }};\n", system_.operations[k].where);
    out += "chan surety_nothing = [0] of { bit };\n";
    std::string runs = run_text(system_, side_);
    const auto add = [&](const char* name, const std::string& body) {
      if (body.empty()) return;
      out += fmt::format("proctype {}() {{\n{}}}\n", name, body);
      runs += fmt::format("    run {}();\n", name);
    };
    if (a_ != nullptr) add("surety_assumption", assumption());
    add("surety_environment", environment());
    add("surety_peer", peer());
    out += fmt::format("init {{\n  atomic {{\n{}  }}\n}}\n", runs);
    return out + trace();
  }

 private:
  Kind kind(std::uint32_t k) const { return system_.kind(k, side_); }
  bool in_a(std::uint32_t k) const { return a_ != nullptr && a_->alphabet().contains(system_.actions[k]); }
  bool in_p(std::uint32_t k) const { return p_.alphabet().contains(system_.actions[k]); }
  bool happens(std::uint32_t k) const { return kind(k) != Kind::free || in_a(k) || in_p(k); }

  std::string op(std::uint32_t k, char direction) const {
    const Operation& o = system_.operations[k];
    return fmt::format("{}{}{}", o.where, direction, o.message);
  }

  // An open action is offered both as a send and as a receive; a free one is sent to the peer process.
  std::string assumption() const {
    std::string out;
    for (std::uint32_t s = 0; s < a_->state_count(); ++s) {
      std::string options;
      for (const Step& step : a_->steps(State{s})) {
        const std::uint32_t k = *system_.actions.index(step.action);
        check(kind(k) != Kind::inner, "an assumption about what goes on inside");
        options += fmt::format("  :: {} -> goto Q{}\n", op(k, '!'), step.target.value);
        if (kind(k) == Kind::open) options += fmt::format("  :: {} -> goto Q{}\n", op(k, '?'), step.target.value);
      }
      out += options.empty() ? fmt::format("Q{}: false;\n", s) : fmt::format("Q{}: if\n{}  fi;\n", s, options);
    }
    return out;
  }

  std::string loop(const std::string& options) const {
    return options.empty() ? "" : fmt::format("  do\n{}  od\n", options);
  }

  std::string environment() const {
    std::string options;
    for (std::uint32_t k = 0; k < system_.actions.size(); ++k) {
      if (in_a(k) || !happens(k) || kind(k) == Kind::inner) continue;
      options += fmt::format("  :: {}\n", op(k, '!'));
      if (kind(k) == Kind::open) options += fmt::format("  :: {}\n", op(k, '?'));
    }
    return loop(options);
  }

  std::string peer() const {
    std::string options;
    for (std::uint32_t k = 0; k < system_.actions.size(); ++k)
      if (kind(k) == Kind::free && happens(k)) options += fmt::format("  :: {}\n", op(k, '?'));
    return loop(options);
  }

  // A trace assertion is about all receives of a channel as soon as it names one of them. So one last state, which is
  // never entered, names a receive on each channel.
  std::string trace() const {
    std::set<std::uint32_t> scope;
    for (std::uint32_t k = 0; k < system_.actions.size(); ++k)
      if (in_p(k) && happens(k)) scope.insert(system_.operations[k].channel);
    if (scope.empty()) return "";
    std::string out = "trace {\n", all;
    for (std::uint32_t s = 0; s < p_.state_count(); ++s) {
      std::string options;
      for (std::uint32_t k = 0; k < system_.actions.size(); ++k) {
        if (!happens(k) || !scope.contains(system_.operations[k].channel)) continue;
        if (s == 0) all += fmt::format("  :: {} -> goto S{}\n", op(k, '?'), p_.state_count());
        const auto steps = p_.steps(State{s}, system_.actions[k]);
        if (in_p(k) && (steps.empty() || steps.front().target == p_.error())) continue;
        options += fmt::format("  :: {} -> goto S{}\n", op(k, '?'), in_p(k) ? steps.front().target.value : s);
      }
      if (options.empty()) options = "  :: surety_nothing?0\n";
      out += fmt::format("S{}: if\n{}  fi;\n", s, options);
    }
    return out + fmt::format("S{}: if\n{}  fi;\n}}\n", p_.state_count(), all);
  }

  const System& system_;
  const SideNumbers& side_;
  const Lts* a_;
  const Lts& p_;
};

}  // namespace

std::string query_text(const System& system, const SideNumbers& side, const Lts* assumption, const Lts& property) {
  return Query(system, side, assumption, property).text();
}

}  // namespace surety::spin
