// Answers of check: one line for what holds, detail for what fails, and how each was found.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/text.hpp"
#include "cli/text_counterexample.hpp"
#include "cli/text_lines.hpp"

namespace surety::cli {
namespace {

constexpr std::size_t kShowAssumptions = 20;  // of more, only their number is shown
constexpr std::size_t kShowSides = 12;        // of a split
constexpr std::size_t kShowConjectures = 20;  // of more, only the last ones are shown

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

enum class Spoken : std::uint8_t { network, promela, ada };  // whose words are used

std::string title(const api::Check& check, Spoken spoken) {
  const bool holds = std::holds_alternative<Holds>(check.verdict);
  const bool program = spoken == Spoken::promela;
  if (spoken == Spoken::ada && check.kind == CheckKind::error)
    return holds ? "no task dies of an exception" : "a task dies of an exception";
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

void show_constraints(std::string& out, const FlowAnswer& flow) {
  row(out, "constraints", "{}",
      flow.constraints.empty() ? "none" : fmt::format("{}", fmt::join(flow.constraints, ", ")));
}

// Of the engine flavers.
void show_flow(std::string& out, const FlowAnswer& flow) {
  row(out, "engine", "flavers, trace flow graph of {} and {} ({} between tasks)", plural(flow.nodes, "node"),
      plural(flow.edges, "edge"), flow.mip);
  show_constraints(out, flow);
}

void show_reason(std::string& out, const api::Check& check, const Unknown& unknown, const ActionTable& actions,
                 const Style& style) {
  if (unknown.why != Stop::none) row(out, "stopped by", "{}", describe(unknown.why));
  if (!check.doubt.empty()) {
    row(out, "why", "{}", check.doubt);
    if (check.flow && !check.flow->path.empty()) {
      if (style.detail == 0) show_constraints(out, *check.flow);
      row(out, "path", "{}", shown_trace(check.flow->path, actions));
    }
    show_steps(out, check, check.steps.size(), style);
  }
  if (check.sizes && !check.sizes->why.empty()) row(out, "no induction", "{}", check.sizes->why);
  if (!unknown.assumptions.empty()) {
    show_assumptions(out, check, unknown.assumptions, actions, "last try", style.detail > 1);
    row(out, "known of it", "{}", unknown.known);
  }
  if (!unknown.trace.empty()) row(out, "M2 does", "{}", shown_trace(unknown.trace, actions));
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
  if (check.flow) show_flow(out, *check.flow);
  if (verbose) show_attempts(out, check.cost.attempts);
  if (check.sizes) show_sizes(out, check, actions, verbose);
  if (const auto* holds = std::get_if<Holds>(&check.verdict); holds != nullptr && !check.sizes)
    show_proof(out, check, *holds, actions, verbose);
}

void show_check(std::string& out, const api::Check& check, const ActionTable& actions, Spoken spoken,
                const Style& style) {
  const VerdictKind verdict = verdict_kind(check.verdict);
  const bool one_line = verdict == VerdictKind::holds && style.detail == 0;
  line(out, "{}: {}{}{}", colored(name_of(verdict), verdict, style.color), title(check, spoken), of_sizes(check),
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

}  // namespace

std::string to_text(const api::Model& model, const api::Check& check, const Style& style) {
  std::string out;
  const Spoken spoken = model.promela != nullptr ? Spoken::promela : model.ada ? Spoken::ada : Spoken::network;
  show_check(out, check, *model.actions, spoken, style);
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

}  // namespace surety::cli
