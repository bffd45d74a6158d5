#include "agreement/promela_ways.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "api/verify.hpp"
#include "base/check.hpp"
#include "base/file.hpp"
#include "certify/certify.hpp"
#include "load/apart.hpp"
#include "rules/monolithic.hpp"
#include "rules/rules.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

Limits limits_of(std::uint64_t states, double seconds) {
  Limits limits;
  limits.states = states;
  limits.time = std::chrono::milliseconds(static_cast<long>(seconds * 1000));
  return limits;
}

std::vector<const Lts*> pointers(const Network& network) {
  std::vector<const Lts*> out;
  for (const auto& component : network.components) out.push_back(&component.lts);
  return out;
}

Certificate plain_proof(const Network& network) {
  Certificate out{Method::monolithic, {}, {}};
  out.split.emplace_back();
  for (const auto& component : network.components) out.split[0].push_back(component.name);
  return out;
}

void fill(Answers& out, const api::Report& report, bool all) {
  for (const auto& check : report.checks) {
    const std::string name = check.kind == CheckKind::error
                                 ? "assert"
                                 : std::string(check.property.empty() ? name_of(check.kind) : check.property);
    out.verdicts[name] = std::string(name_of(check.verdict));
    out.states = std::max(out.states, check.cost.max_states);
    if (check.note.find("not taken apart") != std::string::npos) out.why_not_apart = check.note;
  }
  out.apart = report.model.parts != nullptr;
  if (all) out.verdicts.try_emplace("assert", "holds");  // there is none
}

class Parts {
 public:
  Parts(api::Model model, Reduction reduction, const Limits& limits)
      : model_(std::move(model)), network_(api::safety_network(model_)), reduction_(reduction), limits_(limits) {}

  void property(const Property& property, const std::string& name, Answers& out) {
    Budget budget(limits_), again;
    Cost cost;
    const Verdict verdict = check_property(pointers(network_), property.lts, nullptr,
                                           {.budget = budget, .cost = cost, .reduction = reduction_});
    if (const auto* violated = std::get_if<Violated>(&verdict))
      if (const auto wrong = certify::replay_violation(network_, property, violated->trace))
        out.trouble += fmt::format("{} does not replay: {}; ", name, *wrong);
    if (std::holds_alternative<Holds>(verdict))
      judge(certify::check_safety(network_, {&property}, plain_proof(network_), again), name, out);
    out.verdicts[name] = std::string(name_of(verdict));
  }

  void deadlock(Answers& out) {
    const Network whole = api::whole_network(model_);
    Budget budget(limits_), again;
    Cost cost;
    std::vector<State> last;
    const Verdict verdict =
        check_deadlock(pointers(whole), nullptr, {.budget = budget, .cost = cost, .reduction = reduction_}, last);
    if (const auto* violated = std::get_if<Violated>(&verdict))
      if (const auto wrong = certify::replay_deadlock(whole, violated->trace, last))
        out.trouble += fmt::format("the deadlock does not replay: {}; ", *wrong);
    if (std::holds_alternative<Holds>(verdict))
      judge(certify::check_deadlock_free(whole, plain_proof(whole), again), "deadlock", out);
    out.verdicts["deadlock"] = std::string(name_of(verdict));
  }

 private:
  static void judge(const certify::Judgement& judgement, const std::string& name, Answers& out) {
    if (judgement.kind == certify::Judgement::Kind::refused)
      out.trouble += fmt::format("the checker refuses {}: {}; ", name, judgement.reason);
  }

  api::Model model_;
  Network network_;
  Reduction reduction_;
  Limits limits_;
};

}  // namespace

ProgramFile::ProgramFile(const std::string& text) {
  path_ = (fs::temp_directory_path() / "surety_promela_XXXXXX.pml").string();
  close(mkstemps(path_.data(), 4));
  check(write_file(path_, text).has_value(), "a temporary file can be written");
}

ProgramFile::~ProgramFile() { fs::remove(path_); }

Answers ask(const std::string& file, const Way& way) {
  api::Request request;
  request.source.files = {file};
  request.method = way.method;
  request.learner = way.learner;
  request.alphabet = way.alphabet;
  request.properties = way.properties;
  request.limits = limits_of(way.states, way.seconds);
  Answers out;
  try {
    const auto report = api::verify(request);
    if (report)
      fill(out, *report, way.properties.empty());
    else
      out.trouble = render(report.error().diagnostics[0]);
  } catch (const InternalError& e) {
    out.trouble = e.what();
  }
  return out;
}

Answers search_parts(const std::string& file, Reduction reduction, std::uint64_t states, double seconds) {
  Answers out;
  try {
    Budget budget(limits_of(10 * states, seconds));
    api::Source source;
    source.files = {file};
    auto model = api::load(source, budget);
    if (!model) return out.trouble = render(model.error().diagnostics[0]), out;
    if (const auto why = api::take_apart(*model, budget, std::nullopt)) return out.why_not_apart = why->message, out;
    out.apart = true;
    const auto parts = model->parts;
    const auto properties = model->properties;
    Parts search(std::move(*model), reduction, limits_of(states, seconds));
    for (const Property& property : properties) {
      search.property(property, property.name, out);
      out.safety.push_back(property.name);
    }
    out.verdicts.try_emplace("assert", "holds");
    if (parts->assertions) search.property(*parts->assertions, "assert", out);
    search.deadlock(out);
  } catch (const InternalError& e) {
    out.trouble = e.what();
  }
  return out;
}

Way way_for(std::uint64_t number, const std::vector<std::string>& safety) {
  std::vector<const Rule*> rules;
  for (const Rule& rule : all_rules())
    if (rule.method != Method::monolithic) rules.push_back(&rule);
  const Rule& rule = *rules[number % rules.size()];
  number /= rules.size();
  Way way;
  way.method = std::string(rule.name());
  const std::size_t learners = std::size(kLearnerKinds);
  if (rule.learns) way.learner = learner_name(kLearnerKinds[number % learners]);
  number /= learners;
  if (rule.refines && number % 3 == 0) way.alphabet = "full";
  if (!rule.property_per_side) return way;
  if (safety.size() < 2)
    way.method = "sym";
  else
    way.properties = {safety[0], safety[1]};
  return way;
}

std::string difference(const Answers& whole, const Answers& other) {
  if (!other.trouble.empty()) return other.trouble;
  for (const auto& [name, verdict] : other.verdicts) {
    const auto known = whole.verdicts.find(name);
    if (known == whole.verdicts.end()) return fmt::format("{} is {}, and the whole knows nothing of it", name, verdict);
    if (verdict != "unknown" && known->second != "unknown" && verdict != known->second)
      return fmt::format("{} is {}, of the whole {}", name, verdict, known->second);
  }
  return "";
}

}  // namespace surety
