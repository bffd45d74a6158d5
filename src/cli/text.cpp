#include "cli/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "lang/fsp/fsp.hpp"

namespace surety::cli {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr std::size_t kShowStates = 12;       // larger assumptions are only summed up
constexpr std::size_t kShowAssumptions = 20;  // of more, only their number is shown
constexpr std::size_t kShowSides = 12;        // of a split
constexpr std::size_t kShowConjectures = 20;  // of more, only the last ones are shown
constexpr std::size_t kShowSteps = 40;        // of a trace; of more, the first and the last half of them
constexpr std::size_t kShowStands = 6;        // processes at the end of a trace
constexpr std::size_t kShowNames = 12;        // of actions
constexpr std::size_t kShowWishes = 4;        // of one of them
constexpr std::size_t kShowParts = 30;        // components and globals of a program; of more, only the first ones

template <class... Args>
void line(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(Out(out), format, std::forward<Args>(args)...);
  out += '\n';
}

template <class... Args>
void row(std::string& out, const char* name, fmt::format_string<Args...> format, Args&&... args) {
  line(out, "  {:<12} {}", name, fmt::format(format, std::forward<Args>(args)...));
}

std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(static_cast<std::size_t>(i), ",");
  return digits;
}

std::string plural(std::uint64_t n, const char* noun) {
  return fmt::format("{} {}{}", grouped(n), noun, n == 1 ? "" : "s");
}

std::string colored(std::string_view text, VerdictKind verdict, bool color) {
  if (!color) return std::string(text);
  const char* code = verdict == VerdictKind::holds ? "32" : verdict == VerdictKind::violated ? "31" : "33";
  return fmt::format("\033[1;{}m{}\033[0m", code, text);
}

std::string shown(const Split& split, bool verbose) {
  const bool all = verbose || split.size() <= kShowSides;
  std::vector<std::string> sides;
  for (std::size_t i = 0; i < (all ? split.size() : kShowSides / 2); ++i)
    sides.push_back(fmt::format("{}", fmt::join(split[i], ",")));
  if (!all) sides.push_back(fmt::format("... ({} sides, -vv shows all)", split.size()));
  return fmt::format("{}", fmt::join(sides, " | "));
}

std::string shown(const Trace& trace, const ActionTable& actions) {
  if (trace.empty()) return "(empty: nothing has to happen)";
  return fmt::format("{}", fmt::join(names(actions, trace), ", "));
}

// "on [LIT], off": after each action the fluents that hold, as LTSA shows them.
std::string shown_with_fluents(const Trace& trace, const std::vector<Fluent>& fluents, const ActionTable& actions) {
  if (fluents.empty() || trace.empty()) return shown(trace, actions);
  const auto holding = fluents_along(fluents, trace);
  std::string out;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    out += (i == 0 ? "" : ", ") + std::string(actions.name(trace[i]));
    if (!holding[i].empty()) out += fmt::format(" [{}]", fmt::join(holding[i], " "));
  }
  return out;
}

// Every line so many blanks further in, without the last newline.
std::string indented(const std::string& text, std::size_t by) {
  std::string out;
  std::istringstream in(text);
  for (std::string each; std::getline(in, each);) out += (out.empty() ? "" : "\n") + std::string(by, ' ') + each;
  return out;
}

// As FSP, which reads back.
void show_lts(std::string& out, const Lts& lts, const ActionTable& actions, const std::string& name) {
  line(out, "{}", indented(to_fsp(lts, actions, name), 15));
}

// "INPUT, " of the assumption that is the component's.
std::string whose(const api::Check& check, int assumption, const char* then) {
  if (assumption == 0) return fmt::format("all{}", then);
  const auto owner = api::owner_of(check, assumption);
  return fmt::format("{}{}", owner.empty() ? fmt::format("A{}", assumption) : fmt::format("{}", fmt::join(owner, "+")),
                     then);
}

// "A", or "A1", "A2", ... of several.
void show_assumptions(std::string& out, const api::Check& check, const std::vector<Lts>& all,
                      const ActionTable& actions, const char* what, bool verbose) {
  if (all.size() > kShowAssumptions && !verbose) {
    const auto largest = std::max_element(all.begin(), all.end(),
                                          [](const Lts& a, const Lts& b) { return a.state_count() < b.state_count(); });
    return row(out, what, "{}, the largest of {} (-vv shows all)", all.size(), plural(largest->state_count(), "state"));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Lts& lts = all[i];
    const int number = static_cast<int>(i) + 1;
    const bool named = all.size() > 1 && !api::owner_of(check, number).empty();
    row(out, i == 0 ? what : "", "{}{}, {} over {{{}}}", named ? whose(check, number, ": ") : "",
        plural(lts.state_count(), "state"), plural(lts.transition_count(), "transition"),
        fmt::join(sorted_names(actions, lts.alphabet()), ", "));
    if (lts.state_count() > 0 && (verbose || lts.state_count() <= kShowStates))
      show_lts(out, lts, actions, all.size() == 1 ? "A" : fmt::format("A{}", i + 1));
  }
}

// What was proved of the components, those aside that may do anything; or the conjuncts that were proved one by one.
void show_abstractions(std::string& out, const Certificate& certificate, const Split& split, const ActionTable& actions,
                       bool verbose) {
  if (!certificate.parts.empty()) row(out, "conjuncts", "{}", grouped(certificate.parts.size()));
  for (std::size_t i = 0; i < certificate.parts.size() && verbose; ++i) {
    const Lts& lts = certificate.parts[i].property;
    row(out, "", "{} over {{{}}}", plural(lts.state_count(), "state"),
        fmt::join(sorted_names(actions, lts.alphabet()), ", "));
    show_lts(out, lts, actions, fmt::format("P{}", i + 1));
  }
  const char* what = "abstractions";
  for (std::size_t i = 0; i < certificate.assumptions.size(); ++i) {
    const Lts& lts = certificate.assumptions[i];
    if (lts.state_count() == 1 && lts.transition_count() == lts.alphabet().size()) continue;
    row(out, what, "{}: {}, {}", split[0][i], plural(lts.state_count(), "state"),
        plural(lts.transition_count(), "transition"));
    if (verbose) show_lts(out, lts, actions, fmt::format("A{}", i + 1));
    what = "";
  }
}

void show_cost(std::string& out, const api::Check& check, const ActionTable& actions, bool verbose) {
  const Cost& cost = check.cost;
  const bool several =
      std::any_of(cost.iterations.begin(), cost.iterations.end(), [](const Iteration& i) { return i.assumption > 1; });
  const std::size_t from = verbose || cost.iterations.size() <= kShowConjectures ? 0 : cost.iterations.size() - 10;
  if (from > 0)
    row(out, "conjectures", "{}, the last ones (-vv shows all):", plural(cost.iterations.size(), "conjecture"));
  for (std::size_t n = from; n < cost.iterations.size(); ++n) {
    const Iteration& i = cost.iterations[n];
    std::string result = i.result;
    if (i.split) result += fmt::format(", state {} split for <{}>", *i.split, fmt::join(names(actions, i.word), ", "));
    row(out, n == 0 ? "conjectures" : "", "{}: {}{}, oracle {}: {}", n + 1,
        several ? whose(check, i.assumption, ", ") : "", plural(i.size, "state"), i.oracle, result);
  }
  if (check.method == Method::symbolic) {
    if (!cost.reachable.empty()) row(out, "reached", "{} states", cost.reachable);
    row(out, "largest", "{} at a time, {} made", plural(cost.max_states, "node"), grouped(cost.states));
    row(out, "time", "{:.3f} s", check.time_s);
    return;
  }
  if (cost.queries > 0) row(out, "queries", "{}", grouped(cost.queries));
  row(out, check.method == Method::monolithic ? "search" : "largest", "{}, {}", plural(cost.max_states, "state"),
      plural(cost.max_transitions, "transition"));
  if (cost.reduced) row(out, "reduction", "por: steps that can wait were left out");
  row(out, "time", "{:.3f} s", check.time_s);
}

void show_attempts(std::string& out, const std::vector<Attempt>& attempts) {
  for (const Attempt& a : attempts)
    row(out, &a == attempts.data() ? "tried" : "", "{}: {} after {:.3f} s, largest {}", name_of(a.method), a.result,
        a.seconds, grouped(a.max_states));
}

// Which steps of so many are shown: all, or the first and the last ones.
bool is_folded(std::string& out, std::size_t i, std::size_t count, const Style& style) {
  const bool folded = count > kShowSteps && style.detail == 0 && i >= kShowSteps / 2 && i < count - kShowSteps / 2;
  if (folded && i == kShowSteps / 2) row(out, "", "...  {} more, -v shows them", count - kShowSteps);
  return folded;
}

// "  c.3          A:4 c!3 with B:9 c?x"
void show_steps(std::string& out, const api::Check& check, std::size_t prefix, const Style& style) {
  for (std::size_t i = 0; i < check.steps.size(); ++i) {
    if (is_folded(out, i, check.steps.size(), style)) continue;
    std::string text;
    for (const ShownStep& part : check.steps[i].parts)
      text += fmt::format("{}{}{} {}{}", text.empty() ? "" : " with ", part.process,
                          part.line == 0 ? "" : fmt::format(":{}", part.line),  // a process that ends has none
                          part.statement, part.note.empty() ? "" : " -- " + part.note);
    row(out, i == prefix ? "for ever" : i == 0 ? "steps" : "", "{:>3}  {:<14} {}", i + 1, check.steps[i].action, text);
  }
}

std::string title(const api::Check& check, bool program) {
  const bool holds = std::holds_alternative<Holds>(check.verdict);
  if (program && check.kind == CheckKind::deadlock) return holds ? "no invalid end state" : "invalid end state";
  if (program && check.kind == CheckKind::error) return holds ? "every assert" : "assert";
  if (program && check.kind == CheckKind::ltl && check.property == "accept")
    return holds ? "no acceptance cycle" : "acceptance cycle";
  if (program && check.kind == CheckKind::ltl) return "ltl " + check.property;
  if (program && check.kind == CheckKind::progress) return holds ? "no non-progress cycle" : "non-progress cycle";
  if (check.kind == CheckKind::deadlock) return holds ? "no deadlock" : "deadlock";
  if (check.kind == CheckKind::error) return holds ? "no ERROR" : "ERROR";
  if (check.kind == CheckKind::progress)
    return check.property.empty() ? "progress of every action" : "progress " + check.property;
  if (check.kind == CheckKind::ltl) return "assertion " + check.property;
  return "property " + check.property;
}

// Of a proof for all sizes, or the lack of one.
void show_sizes(std::string& out, const api::Check& check, const ActionTable& actions, bool verbose) {
  const api::SizesAnswer& sizes = *check.sizes;
  const bool holds = std::holds_alternative<Holds>(check.verdict);
  const std::string& k = sizes.parameter;
  if (holds) {
    const auto& proof = *std::get<Holds>(check.verdict).certificate.induction;
    if (sizes.states == 0)
      row(out, "induction", "not needed: from {} = {} on, the ends of the chain alone prove it", k,
          2 * proof.margin + 3);
    else
      row(out, "induction", "over the cells from {} = {} on, {}, repeats after {}", k, 2 * proof.margin + 3,
          plural(sizes.states, "state"), plural(sizes.cells, "cell"));
    if (verbose && !proof.head.empty()) show_lts(out, proof.head.back(), actions, "W");
  }
  if (!sizes.proved.empty())
    row(out, holds ? "one by one" : "proved", "{} = {}{}", k, sizes.proved.front(),
        sizes.proved.size() == 1 ? "" : fmt::format(" to {}", sizes.proved.back()));
  else if (!holds)
    row(out, "proved", "no size");
  if (holds) row(out, "certificate", "checked by the independent checker");
}

std::string of_sizes(const api::Check& check) {
  if (!check.sizes) return "";
  if (check.sizes->violated_at) return fmt::format(" with {} = {}", check.sizes->parameter, *check.sizes->violated_at);
  return fmt::format(" for every {} >= {}", check.sizes->parameter, check.sizes->from);
}

// "  1  a.enter        a:USER, LOCK [BUSY]"
void show_moves(std::string& out, const api::Check& check, const Violated& violated, const ActionTable& actions,
                const Style& style) {
  Trace all = violated.trace;
  all.insert(all.end(), violated.cycle.begin(), violated.cycle.end());
  const auto holding = fluents_along(check.fluents, violated.trace);
  std::size_t width = 0;
  for (const Action a : all) width = std::max(width, std::min<std::size_t>(actions.name(a).size(), 40));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_folded(out, i, all.size(), style)) continue;
    std::string who = fmt::format("{}", fmt::join(check.takes_part[i], ", "));
    if (who.empty() && all[i] != kTau) who = "no process has this action";
    if (i < holding.size() && !holding[i].empty()) who += fmt::format(" [{}]", fmt::join(holding[i], " "));
    const bool forever = i == violated.trace.size();
    row(out,
        forever  ? "for ever"
        : i == 0 ? "trace"
                 : "",
        "{:>3}  {:<{}}  {}", i + 1, actions.name(all[i]), width, who);
  }
  if (violated.trace.empty() && violated.cycle.empty()) row(out, "trace", "{}", shown(violated.trace, actions));
}

// "a, b, 3 more"
std::string few(std::vector<std::string> all) {
  if (all.size() > kShowWishes) {
    const auto more = fmt::format("{} more", all.size() - kShowWishes);
    all.resize(kShowWishes);
    all.push_back(more);
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string shown(const api::Stand& stand) {
  using As = api::Stand::As;
  const bool statement = stand.wishes.empty() && stand.as == As::waiting;
  std::string out = stand.line == 0 ? "at " + stand.where
                    : statement     ? fmt::format("at line {}: {}", stand.line, stand.where)
                                    : fmt::format("at {} (line {})", stand.where, stand.line);
  switch (stand.as) {
    case As::failed: return "in ERROR";
    case As::ended: return "has ended";
    case As::stopped: return out + ", has stopped: it can do nothing more";
    case As::waiting: break;
  }
  std::vector<std::string> possible, refused;
  for (const auto& wish : stand.wishes)
    if (wish.refused_by.empty())
      possible.push_back(wish.action);
    else
      refused.push_back(fmt::format("{} (refused by {})", wish.action, fmt::join(wish.refused_by, ", ")));
  if (!possible.empty()) out += ", can do " + few(std::move(possible));
  if (!refused.empty()) out += ", waits for " + few(std::move(refused));
  return out;
}

// Where the processes are.
void show_stands(std::string& out, const std::vector<api::Stand>& stands, const Style& style) {
  const std::size_t count = style.detail > 0 ? stands.size() : std::min(stands.size(), kShowStands);
  for (std::size_t i = 0; i < count; ++i) row(out, i == 0 ? "there" : "", "{} {}", stands[i].process, shown(stands[i]));
  if (count < stands.size()) row(out, "", "... {} more, -v shows them", stands.size() - count);
}

std::string listed(const std::vector<std::string>& names, const Style& style) {
  const std::size_t count = style.detail > 0 ? names.size() : std::min(names.size(), kShowNames);
  const std::vector<std::string> some(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count));
  return fmt::format("{}{}", fmt::join(some, ", "),
                     count < names.size() ? fmt::format(", {} more (-v shows them)", names.size() - count) : "");
}

// What comes after a finite trace that is against a progress set or an assertion.
const char* rest_of_run(const std::vector<api::Stand>& stands) {
  using As = api::Stand::As;
  const auto all = [&](As as) { return std::ranges::all_of(stands, [&](const auto& s) { return s.as == as; }); };
  if (stands.empty()) return "the run can stay there for ever";
  if (all(As::ended)) return "all processes have ended";
  const auto can_go_on = [](const api::Stand& stand) {
    return std::ranges::any_of(stand.wishes, [](const auto& wish) { return wish.refused_by.empty(); });
  };
  return std::ranges::any_of(stands, can_go_on) ? "only silent steps happen, for ever"
                                                : "the system is stuck: nothing can happen any more";
}

void show_counterexample(std::string& out, const api::Check& check, const Violated& violated,
                         const ActionTable& actions, const Style& style) {
  if (!check.steps.empty()) {
    show_steps(out, check, violated.cycle.empty() ? check.steps.size() : violated.trace.size(), style);
  } else if (style.brief || check.takes_part.empty()) {
    row(out, "trace", "{}", shown_with_fluents(violated.trace, check.fluents, actions));
    if (!violated.cycle.empty()) row(out, "for ever", "{}", shown(violated.cycle, actions));
  } else {
    show_moves(out, check, violated, actions, style);
  }
  if (!check.starved.empty()) {
    row(out, "starved", "{}", listed(sorted_names(actions, check.starved), style));
    if (!violated.cycle.empty())
      row(out, "go on", "{}", listed(sorted_names(actions, Alphabet(violated.cycle)), style));
  }
  const bool endless = check.kind == CheckKind::progress || check.kind == CheckKind::ltl;
  if (endless && violated.cycle.empty() && check.steps.empty()) row(out, "then", "{}", rest_of_run(check.stands));
  if (!style.brief) show_stands(out, check.stands, style);
}

// "by asym, an assumption of 2 states, 0.012 s": how an answer was found, in one line.
std::string how(const api::Check& check) {
  std::vector<std::string> out;
  const auto* holds = std::get_if<Holds>(&check.verdict);
  if (check.method != Method::monolithic) out.push_back(fmt::format("by {}", name_of(check.method)));
  if (holds != nullptr && !check.sizes && !holds->certificate.assumptions.empty()) {
    const auto& assumptions = holds->certificate.assumptions;
    out.push_back(assumptions.size() > 1
                      ? plural(assumptions.size(), "assumption")
                      : fmt::format("an assumption of {}", plural(assumptions[0].state_count(), "state")));
  } else if (check.method == Method::symbolic && !check.cost.reachable.empty()) {
    out.push_back(check.cost.reachable + " states");
  } else if (check.cost.max_states > 0 && check.method != Method::symbolic) {
    out.push_back(plural(check.cost.max_states, "state"));
  }
  out.push_back(fmt::format("{:.3f} s", check.time_s));
  if (holds != nullptr && !check.certified) out.emplace_back("not checked again");
  return fmt::format("{}", fmt::join(out, ", "));
}

void show_reason(std::string& out, const api::Check& check, const Unknown& unknown, const ActionTable& actions,
                 const Style& style) {
  if (unknown.why != Stop::none) row(out, "stopped by", "{}", describe(unknown.why));
  if (!check.doubt.empty()) {
    row(out, "why", "{}", check.doubt);
    show_steps(out, check, check.steps.size(), style);
  }
  if (check.sizes && !check.sizes->why.empty()) row(out, "no induction", "{}", check.sizes->why);
  if (!unknown.assumptions.empty()) {
    show_assumptions(out, check, unknown.assumptions, actions, "last try", style.detail > 1);
    row(out, "known of it", "{}", unknown.known);
  }
  if (!unknown.trace.empty()) row(out, "M2 does", "{}", shown(unknown.trace, actions));
}

void show_proof(std::string& out, const api::Check& check, const Holds& holds, const ActionTable& actions,
                bool verbose) {
  const auto& assumptions = holds.certificate.assumptions;
  if (check.method == Method::cegar) {
    show_abstractions(out, holds.certificate, check.split, actions, verbose);
  } else {
    const char* what = assumptions.size() == 1 ? "assumption" : "assumptions";
    if (holds.certificate.rule == Method::minimise) what = "must not do";  // what follows leads to ERROR there
    show_assumptions(out, check, assumptions, actions, what, verbose);
  }
  row(out, "certificate", "{}",
      check.certified ? "checked by the independent checker" : "not checked: " + check.not_certified);
  if (check.confirmed_states)
    row(out, "confirmed", "on the whole program, {}", plural(*check.confirmed_states, "state"));
}

// All that is known of an answer.
void show_detail(std::string& out, const api::Check& check, const ActionTable& actions, bool verbose) {
  if (const auto* violated = std::get_if<Violated>(&check.verdict)) {
    const bool has_steps = !check.steps.empty() && violated->cycle.empty();
    row(out, "replayed", "on the whole system, {}",
        plural(has_steps ? check.steps.size() : violated->trace.size(), "step"));
  }
  const char* by = check.by_auto && check.method != Method::automatic ? ", chosen by auto" : "";
  if (check.split.size() > 1)
    row(out, "method", "{}{}, split {}", name_of(check.method), by, shown(check.split, verbose));
  else if (check.method != Method::monolithic)
    row(out, "method", "{}{}", name_of(check.method), by);
  if (verbose) show_attempts(out, check.cost.attempts);
  if (check.sizes) show_sizes(out, check, actions, verbose);
  if (const auto* holds = std::get_if<Holds>(&check.verdict); holds != nullptr && !check.sizes)
    show_proof(out, check, *holds, actions, verbose);
}

void show_check(std::string& out, const api::Check& check, const ActionTable& actions, bool program,
                const Style& style) {
  const VerdictKind verdict = verdict_kind(check.verdict);
  const bool one_line = verdict == VerdictKind::holds && style.detail == 0;
  line(out, "{}: {}{}{}", colored(name_of(verdict), verdict, style.color), title(check, program), of_sizes(check),
       one_line ? fmt::format(" ({})", how(check)) : "");
  if (const auto* violated = std::get_if<Violated>(&check.verdict))
    show_counterexample(out, check, *violated, actions, style);
  if (style.detail > 0) show_detail(out, check, actions, style.detail > 1);
  if (const auto* unknown = std::get_if<Unknown>(&check.verdict)) show_reason(out, check, *unknown, actions, style);
  if (!check.note.empty()) row(out, "note", "{}", check.note);
  if (style.detail > 0)
    show_cost(out, check, actions, style.detail > 1);
  else if (!one_line)
    row(out, verdict == VerdictKind::violated ? "found" : "searched", "{}", how(check));
}

// Where a global of a program went, and why.
std::string shown(const PromelaGlobal& global) {
  using Why = PromelaGlobal::Why;
  if (global.why == Why::constant) return "a constant: no process writes it";
  const std::string users = fmt::format("{}", fmt::join(global.users, ", "));
  if (global.why == Why::smaller)
    return fmt::format("in {}; in one with {} it has {} states and steps, {} apart", global.component, users,
                       grouped(global.together), grouped(global.apart));
  std::string out = fmt::format("a component of its own, {}; ", plural(global.states, "state"));
  switch (global.why) {
    case Why::everybody: return out + "every process uses it, and one component would leave nothing to prove by parts";
    case Why::fails: return out + fmt::format("in one with {} it could reach an error", users);
    case Why::effort:
      return out + fmt::format("in one with {} it was too much to try ({} states and steps apart)", users,
                               grouped(global.apart));
    default:
      return out + fmt::format("in one with {} it would have {} states and steps or more, as many as apart", users,
                               grouped(global.apart));
  }
}

// The network of a program, or what is in its way.
void show_parts(std::string& out, const api::Info& info, const Style& style) {
  if (info.why != Stop::none) return line(out, "  not taken apart: stopped by {}", describe(info.why));
  if (const auto& d = info.not_apart) return line(out, "  {} ({}:{}:{})", d->message, d->file, d->line, d->column);
  const auto list = [&](const auto& all, const char* what, const auto& show) {
    const std::size_t count = (style.detail > 0) ? all.size() : std::min(all.size(), kShowParts);
    for (std::size_t i = 0; i < count; ++i) show(all[i]);
    if (count < all.size()) line(out, "  ... ({} in all, -vv shows them)", plural(all.size(), what));
  };
  list(info.processes, "component", [&](const api::Info::Process& p) {
    line(out, "  component {}: {}, {}, {}{}", p.name, plural(p.lts.state_count() - (p.lts.error() ? 1 : 0), "state"),
         plural(p.lts.transition_count(), "transition"), plural(p.lts.alphabet().size(), "action"),
         p.lts.error() ? ", can fail" : "");
  });
  list(info.model.parts->globals, "global",
       [&](const PromelaGlobal& g) { line(out, "  global {}: {}", g.name, shown(g)); });
}

void show_unreached(std::string& out, const api::Unreached& unreached) {
  if (unreached.why != Stop::none)
    return line(out, "  unreached: unknown, stopped by {} after {}", describe(unreached.why),
                plural(unreached.states, "state"));
  if (unreached.lines.empty()) return line(out, "  unreached: nothing, in {}", plural(unreached.states, "state"));
  line(out, "  unreached, in {}:", plural(unreached.states, "state"));
  for (const auto& each : unreached.lines)
    line(out, "    {}{}: {}", each.process, each.line == 0 ? "" : fmt::format(", line {}", each.line), each.statement);
}

std::string about_spin(const spin::Statistics& spin) {
  return fmt::format("{} translated and compiled, {} taken from the cache; pan ran {}, {:.1f} MB at most",
                     plural(spin.compilations, "model"), grouped(spin.cached), plural(spin.runs, "time"),
                     static_cast<double>(spin.largest_bytes) / (1 << 20));
}

}  // namespace

std::string to_text(const api::Model& model, const api::Check& check, const Style& style) {
  std::string out;
  show_check(out, check, *model.actions, model.promela != nullptr, style);
  return out;
}

std::string summary(const api::Report& report, const Style& style) {
  std::string out;
  const auto by_parts = [](const api::Check& check) { return check.method != Method::monolithic; };
  if (const auto whole = api::whole_states(report);
      whole && style.detail > 0 && std::ranges::any_of(report.checks, by_parts))
    line(out, "the whole product has {}", plural(*whole, "state"));
  if (report.spin && style.detail > 0) line(out, "spin: {}", about_spin(*report.spin));
  if (report.checks.size() == 1 && !style.quiet) return out;
  std::vector<std::string> counts;
  for (const auto& [kind, one, several] :
       {std::tuple(VerdictKind::holds, "holds", "hold"), std::tuple(VerdictKind::violated, "violated", "violated"),
        std::tuple(VerdictKind::unknown, "unknown", "unknown")}) {
    const auto n = std::ranges::count_if(report.checks, [&](const auto& c) { return verdict_kind(c.verdict) == kind; });
    if (n > 0) counts.push_back(colored(fmt::format("{} {}", n, n == 1 ? one : several), kind, style.color));
  }
  line(out, "{}", counts.empty() ? "nothing to check" : fmt::format("{}", fmt::join(counts, ", ")));
  return out;
}

std::string to_text(const api::Info& info, const Style& style) {
  std::string out;
  const bool program = info.model.promela != nullptr;
  if (program)
    line(out, "program {}", info.model.network.name);
  else
    line(out, "system {}: {}", info.model.network.name, plural(info.model.network.components.size(), "component"));
  for (const auto& part : info.parts)
    part.kind == "proctypes" ? line(out, "  process {}: {}", part.name, part.about) : line(out, "  {}", part.about);
  for (const auto& process : info.processes) {
    if (program && !process.property) continue;  // a component, see below
    const Lts& lts = process.lts;
    line(out, "  {} {}: {}, {}, {}{}", process.property ? "property" : "process", process.name,
         plural(lts.state_count() - (lts.error() ? 1 : 0), "state"), plural(lts.transition_count(), "transition"),
         is_deterministic(lts) ? "deterministic" : "nondeterministic",
         lts.error() && !process.property ? ", has ERROR" : "");
    line(out, "    alphabet {{{}}}", fmt::join(sorted_names(*info.model.actions, lts.alphabet()), ", "));
  }
  if (info.model.fsp)
    for (const auto& composite : info.composites)
      line(out, "  composite {}: {}", composite.name, fmt::join(composite.components, ", "));
  auto list = [&](const char* name, const std::vector<std::string>& names) {
    if (!names.empty()) line(out, "  {} {}", name, fmt::join(names, ", "));
  };
  if (program) list("trace assertions", info.properties);
  list("progress", info.progress);
  list("assertions", info.assertions);
  for (const auto& [name, value] : info.constants)
    if (const auto* label = std::get_if<std::string>(&value))
      line(out, "  const {} = '{}", name, *label);
    else
      line(out, "  const {} = {}", name, std::get<int>(value));
  if (program) show_parts(out, info, style);
  if (info.unreached) show_unreached(out, *info.unreached);
  return out;
}

std::string to_text(const api::Composition& c) {
  std::string out;
  if (!c.lts) {
    line(out, "unknown: {} was not built, stopped by {}", c.model.network.name, describe(c.why));
    return out;
  }
  line(out, "{}: {}, {}", c.model.network.name, plural(c.states, "state"), plural(c.transitions, "transition"));
  if (c.lts->error()) line(out, "  the error state is reachable");
  if (c.deadlocks > 0) line(out, "  {}", plural(c.deadlocks, "deadlock"));
  return out;
}

std::string to_text(const api::Assumed& a, const Style& style) {
  std::string out;
  const auto& actions = *a.model.actions;
  const bool done = a.why == Stop::none;
  if (!done) line(out, "unknown: stopped by {}", describe(a.why));
  if (a.assumption) {
    const Lts& lts = *a.assumption;
    line(out, "{}{}assumption: {}, {} over {{{}}}", done ? "" : "  last ", a.weakest ? "weakest " : "",
         plural(lts.state_count(), "state"), plural(lts.transition_count(), "transition"),
         fmt::join(sorted_names(actions, lts.alphabet()), ", "));
    if (lts.state_count() == 0 && done)
      line(out, "  no environment over these actions helps: whatever it does, the system can fail by itself");
    else if (lts.state_count() > kShowStates && !(style.detail > 0))
      line(out, "  (-v shows it, -o FILE writes it)");
    else if (lts.state_count() > 0)
      line(out, "{}", indented(to_fsp(lts, actions, "ASSUMPTION"), 2));
    row(out, done ? "known" : "known of it", "{}", a.known);
  }
  row(out, "queries", "{}", grouped(a.cost.queries));
  row(out, "largest", "{}, {}", plural(a.cost.max_states, "state"), plural(a.cost.max_transitions, "transition"));
  if (a.spin) row(out, "spin", "{}", about_spin(*a.spin));
  row(out, "time", "{:.3f} s", a.time_s);
  return out;
}

std::string to_text(const api::Comparison& c) {
  std::string out;
  if (c.lines.empty()) {
    line(out, "unknown: {} and {} were not compared, stopped by {}", c.names[0], c.names[1], describe(c.why));
    return out;
  }
  line(out, "{}: {} and {}, by {}", c.equivalent() ? "equivalent" : "not equivalent", c.names[0], c.names[1],
       c.lines.front().equivalence == Equivalence::trace
           ? "traces"
           : api::equivalence_name(c.lines.front().equivalence) + " bisimulation");
  for (const auto& entry : c.lines) {
    const std::string name = api::equivalence_name(entry.equivalence);
    if (!entry.difference) {
      row(out, name.c_str(), "equivalent");
      continue;
    }
    const auto& d = *entry.difference;
    const auto& one = c.names[d.first_has_it ? 0 : 1];
    const auto& other = c.names[d.first_has_it ? 1 : 0];
    const std::string trace = shown(d.trace, *c.actions);
    if (d.by_trace)
      row(out, name.c_str(), "{} has the trace {}, {} has not", one, trace, other);
    else
      row(out, name.c_str(), "{} can do {}; {} cannot match the last step, however it answers before", one, trace,
          other);
  }
  if (c.why != Stop::none) row(out, "stopped by", "{}", describe(c.why));
  return out;
}

namespace {

// A certificate may come from anywhere, and its names from it: nothing of them may look like a line of ours.
std::string plain(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = '?';
  return text;
}

std::string shown(std::string_view kind, const std::string& property) {
  return plain(fmt::format("{}{}{}", kind, property.empty() ? "" : " ", property));
}

std::string role(const api::Input& input) {
  using Role = api::Input::Role;
  const char* what = input.role == Role::component ? "component" : input.role == Role::property ? "property" : "system";
  return fmt::format("{} {}{}", what, input.name, input.language.empty() ? "" : ", read as " + input.language);
}

// All that the certificate is bound to.
void show_statement(std::string& out, const api::Statement& about) {
  for (const auto& input : about.inputs) {
    line(out, "  {}: {}, sha256 {}", plain(role(input)), plain(input.file), plain(input.sha256));
  }
  for (const auto& [file, sha256] : about.read) {
    line(out, "  read: {}, sha256 {}", plain(file), plain(sha256));
  }
  for (const auto& define : about.defines) line(out, "  define: {}={}", plain(define.name), define.value);
  if (about.cells) line(out, "  cells: processes of more than {} states", about.cells->whole_states);
  if (about.cpp) {
    line(out, "  cpp: {}, its macros sha256 {}", plain(about.cpp->version), plain(about.cpp->macros));
    line(out, "  program as cpp leaves it: sha256 {}", plain(about.cpp->text));
  }
}

std::string how_much(const api::Certification& c) {
  if (!c.accepted()) return {};
  const std::size_t all = c.covered + c.not_covered.size();
  return c.not_covered.empty() ? ", all that is to be checked" : fmt::format(", {} of {} checks", c.covered, all);
}

// A line for each kind and place.
void show_not_covered(std::string& out, const api::Subjects& subjects) {
  for (std::size_t i = 0; i < subjects.size();) {
    std::string text = shown(name_of(subjects[i].kind), subjects[i].name);
    const std::string from = subjects[i].from.empty() ? "" : fmt::format(" ({})", plain(subjects[i].from));
    const auto& first = subjects[i];
    while (++i < subjects.size() && subjects[i].kind == first.kind && subjects[i].from == first.from)
      text += ", " + plain(subjects[i].name);
    line(out, "  not covered: {}{}", text, from);
  }
}

}  // namespace

std::string to_text(const api::Certification& c) {
  std::string out;
  line(out, "{}: certificate for {}{}",
       c.accepted()   ? "accepted"
       : c.finished() ? "refused"
                      : "unknown",
       plain(c.about.system), how_much(c));
  if (!c.refused.empty()) line(out, "  {}", plain(c.refused));
  for (const auto& entry : c.lines) {
    std::string what = shown(entry.kind, entry.property);
    if (!entry.sizes.empty()) what += " for every " + plain(entry.sizes);
    line(out, "  {}, rule {}: {}", what, plain(entry.rule),
         entry.accepted ? "every premise holds" : plain(entry.reason));
    if (!entry.from.empty()) line(out, "    from {}", plain(entry.from));
    if (!entry.trace.empty()) line(out, "    trace {}", fmt::join(entry.trace, ", "));
  }
  if (c.accepted()) show_not_covered(out, c.not_covered);
  show_statement(out, c.about);
  return out;
}

static std::string in_one_line(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  return out + "\"";
}

static const char* not_as_written(CheckKind kind) {
  switch (kind) {
    case CheckKind::deadlock: return "the trace was written for a deadlock, and no run with these steps ends in one";
    case CheckKind::error: return "the trace was written for an error, and no run with these steps ends in one";
    default: return "the trace was written for a violated property, and no run with these steps violates it";
  }
}

std::string to_text(const api::Stand& stand) { return fmt::format("{} {}", stand.process, shown(stand)); }

std::string to_text(const api::Simulation& s) {
  std::string out;
  const auto& components = s.model.network.components;
  std::vector<std::string> wrong;
  std::size_t number = 0;
  for (const auto& moment : s.moments) {
    std::vector<std::string> states;
    for (std::size_t i = 0; i < moment.states.size(); ++i)
      states.push_back(fmt::format("{}={}", components[i].name, api::shown_state(s.model, i, moment.states[i])));
    if (!moment.error.empty())
      wrong.push_back(fmt::format("error: {} {} step {}", moment.error, s.model.promela ? "in" : "after", number));
    for (const auto& property : moment.violated)
      wrong.push_back(fmt::format("property {} is violated by step {}", property, number));
    const bool over = moment.enabled.empty() && (!moment.error.empty() || !moment.violated.empty());
    line(out, "{:>4}  {:<16} {}{}", number++, moment.action.empty() ? "(start)" : moment.action,
         moment.text.empty() ? fmt::format("{}", fmt::join(states, s.model.fsp ? ", " : " ")) : moment.text,
         over                     ? ""
         : moment.enabled.empty() ? "  next: nothing"
                                  : fmt::format("  next: {}", fmt::join(moment.enabled, ", ")));
    if (!moment.printed.empty()) line(out, "      prints {}", in_one_line(moment.printed));
  }
  if (s.cycle_from && *s.cycle_from == number - 1)
    line(out, "for ever: step {}", *s.cycle_from);
  else if (s.cycle_from)
    line(out, "for ever: steps {} to {}", *s.cycle_from, number - 1);
  for (const auto& each : wrong) line(out, "{}", each);
  if (s.stuck)
    line(out, "impossible: '{}', step {} of the script, cannot happen there", s.stuck->action, s.stuck->step);
  else if (s.deadlock)
    line(out, "deadlock: nothing can happen any more");
  else if (s.ended)
    line(out, "ended: {}", s.model.promela ? "every process is where it may stop" : "the system is at its END");
  if (s.expected) line(out, "{}", not_as_written(*s.expected));
  if (s.deadlock && !s.stuck)
    for (const auto& stand : s.stands) line(out, "  {}", to_text(stand));
  if (s.why != Stop::none) line(out, "stopped by {}", describe(s.why));
  return out;
}

}  // namespace surety::cli
