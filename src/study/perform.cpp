#include "study/perform.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>

#include "api/verify.hpp"
#include "base/file.hpp"
#include "base/temp_folder.hpp"
#include "load/split.hpp"
#include "study/processor_time.hpp"

namespace surety::study {
namespace {

constexpr std::uint64_t kKeptSteps = 100;  // of an assumption that is not asked for
constexpr std::uint64_t kRoom = 4;         // times the bound

std::string host_name() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

// Time is what a ProcessorAlarm says.
Limits limits_of(std::uint64_t memory) {
  Limits out;
  out.memory = memory;
  return out;
}

// What share of its time a run had the processor.
class Share {
 public:
  double so_far() const {
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start_;
    if (all.count() < kTick) return 1;
    return std::min(1.0, (processor_seconds() - before_) / all.count());
  }

 private:
  static constexpr double kTick = 0.05;  // seconds: shorter times are not told exactly everywhere
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double before_ = processor_seconds();
};

// The settings of a run in the study: one thread, no reduction.
api::Request request_of(const Job& job, const api::Model& model) {
  api::Request out;
  out.source.files = {job.model.model.file};
  out.model = &model;
  out.properties = {job.property};
  out.method = job.way.method;
  out.engine = api_word(job.model.engine);
  out.split = job.split;
  if (!job.way.alphabet.empty()) out.alphabet = job.way.alphabet;
  if (!job.way.learner.empty()) out.learner = job.way.learner;
  out.reduction = "none";
  out.threads = 1;
  out.limits = limits_of(job.memory);
  out.search_states = job.bound;
  out.certify = job.certify;
  out.constraints = job.constraints;
  return out;
}

// The most memory that the process had since the last call to this.
void forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5";
}

const Lts* assumption_of(const api::Check& check) {
  if (const auto* holds = std::get_if<Holds>(&check.verdict))
    return holds->certificate.assumptions.empty() ? nullptr : &holds->certificate.assumptions.back();
  return nullptr;
}

void add_assumption(Answer& out, const Job& job, const api::Check& check, const ActionTable& actions) {
  const Lts* const lts = assumption_of(check);
  if (lts == nullptr) return;
  out.has_assumption = true;
  out.assumption = {0, lts->state_count(), lts->transition_count(), lts->alphabet().size(), {}};
  if (lts->transition_count() <= (job.keep_assumption ? 1'000'000 : kKeptSteps))
    out.assumption.packed = pack(*lts, actions);
}

void add_cost(RunResult& out, const api::Check& check, bool supplied) {
  const Cost& cost = check.cost;
  out.max_states = cost.max_search;
  out.max_transitions = cost.max_transitions;
  out.states = cost.states;
  out.transitions = cost.transitions;
  out.query_states = cost.query_states;
  out.queries = cost.queries;
  out.conjectures = cost.conjectures;
  for (const Iteration& iteration : cost.iterations)
    out.largest_assumption = std::max(out.largest_assumption, iteration.size);
  out.time_s = check.time_s - check.recheck_s;
  if (!check.holds() || check.method != Method::asym) return;
  const auto& [before, last] = cost.last_searches;
  out.premise1 = supplied ? last.states : before.states;  // a supplied assumption is first looked for in M2
  out.premise2 = supplied ? before.states : last.states;
  out.learn_s = std::max(0.0, out.time_s - before.seconds - last.seconds);
}

// How a run ended that has neither proved nor refuted anything.
void add_unknown(Answer& out, const Job& job, const Unknown& unknown) {
  out.result.verdict = "unknown";
  out.result.why = describe(unknown.why);
  switch (unknown.why) {
    case Stop::states:
      out.status = job.bound ? Status::worse : Status::over_limit;
      if (job.bound) out.result.why = fmt::format("worse than {}", *job.bound);
      return;
    case Stop::time:
    case Stop::interrupted:
      out.status = Status::over_limit;
      out.result.why = describe(Stop::time);
      return;
    case Stop::memory:
    case Stop::queries: out.status = Status::over_limit; return;
    default: out.status = Status::done; return;  // recorded, and excluded because it does not hold
  }
}

// A Promela program that has been taken apart is a network like any other: whether its parts say what the program does
// is no question of each run.
api::Model without_program(const api::Model& model) {
  api::Model out = model;
  out.promela.reset();
  out.parts.reset();
  return out;
}

// With the components that need not be named.
std::string whole_split(const Job& job, const api::Model& model) {
  if (job.split.empty() || !model.parts) return job.split;
  const auto sides = api::parse_split(job.split, model);
  if (!sides) return job.split;
  std::string out;
  for (const auto& side : *sides) out += (out.empty() ? "" : " | ") + fmt::format("{}", fmt::join(side, ","));
  return out;
}

void mark_if_worse(Answer& out, std::optional<std::uint64_t> bound) {
  if (!bound || out.result.max_states <= *bound) return;
  out.status = Status::worse;
  out.result.why = fmt::format("worse than {}", *bound);
}

Answer run(const Job& job, const api::Model& model, const std::string& assumption_file) {
  const auto network = model.parts ? std::optional(without_program(model)) : std::nullopt;
  api::Request request = request_of(job, network ? *network : model);
  request.split = whole_split(job, model);
  if (job.seeded)
    request.seed_assumptions = {assumption_file};
  else
    request.assumption = assumption_file;
  Answer out;
  forget_peak();
  const ProcessorAlarm alarm(job.time_s);
  request.interrupted = alarm.flag();
  const Share share;
  const auto report = api::verify(request);
  const double had = share.so_far();
  if (!report) {
    out.end = Answer::End::refused;
    for (const auto& d : report.error().diagnostics) out.why += (out.why.empty() ? "" : "; ") + d.message;
    return out;
  }
  if (report->checks.size() != 1) {
    out.end = Answer::End::refused;
    out.why = fmt::format("{} names {} things to check", job.property, report->checks.size());
    return out;
  }
  const api::Check& check = report->checks.front();
  add_cost(out.result, check, !job.assumption.empty() && !job.seeded);
  out.result.time_s *= had;
  out.result.learn_s *= had;
  out.result.peak_bytes = peak_resident_bytes();
  if (const auto* unknown = std::get_if<Unknown>(&check.verdict)) {
    add_unknown(out, job, *unknown);
    if (out.status == Status::done && !check.doubt.empty()) out.result.why = check.doubt;
    return out;
  }
  out.result.verdict = check.holds() ? "holds" : "violated";
  if (check.holds()) mark_if_worse(out, job.bound);
  if (check.flow) {
    const auto& names = check.flow->constraints;
    out.result.constraints = names.empty() ? "none" : fmt::format("{}", fmt::join(names, ","));
  }
  if (job.certify) out.result.certified = check.certified;
  add_assumption(out, job, check, *report->model.actions);
  return out;
}

Answer run_with_file(const Job& job, const api::Model& model) {
  if (job.assumption.empty()) return run(job, model, "");
  const auto folder = TempFolder::make();
  Answer failed;
  failed.end = Answer::End::crashed;
  failed.why = "no temporary folder can be made";
  if (!folder) return failed;
  const std::string file = folder->file("assumption.json");
  if (!write_file(file, unpacked_text(job.assumption))) return failed;
  return run(job, model, file);
}

Answer described(const Job& job, const api::Model& model) {
  Answer out;
  const ProcessorAlarm alarm(job.time_s);
  Budget budget(limits_of(job.memory), alarm.flag());
  auto made = describe(model, job.model, job.orbits, budget);
  if (made) {
    out.described = std::move(*made);
    return out;
  }
  out.end = Answer::End::refused;
  out.why = made.error().diagnostics.empty() ? "" : made.error().diagnostics.front().message;
  return out;
}

}  // namespace

std::string pack(const Lts& lts, const ActionTable& actions) {
  const auto json = Json::parse(api::saved_text(lts, actions, "a.json"));
  const auto bytes = Json::to_cbor(json);
  return {bytes.begin(), bytes.end()};
}

std::string unpacked_text(const std::string& packed) {
  return dump(Json::from_cbor(std::vector<std::uint8_t>(packed.begin(), packed.end())));
}

api::Outcome<const api::Model*> ModelCache::get(const ModelSpec& spec, double time_s, std::uint64_t memory) {
  const auto found = std::ranges::find(entries_, spec, &Entry::spec);
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
    return &entries_.front().model;
  }
  const ProcessorAlarm alarm(time_s);
  Budget budget(limits_of(memory), alarm.flag());
  auto model = read_model(spec, budget);
  if (!model && alarm.rang())
    return tl::unexpected(
        api::Failure{api::Failure::kStopped, {file_error(spec.model.file, "unknown: stopped by time while reading")}});
  if (!model) return tl::unexpected(std::move(model.error()));
  entries_.push_front({spec, std::move(*model)});
  while (entries_.size() > kMost || (entries_.size() > 1 && resident_bytes() > memory / 8)) {
    entries_.pop_back();
    if (entries_.size() == 1) give_back_memory();
  }
  return &entries_.front().model;
}

namespace {

// A run that finds out which constraints it needs searches with fewer of them first, and such a search may be larger
// than those of the proof in the end: it gets more room than the bound. What finding out takes is not the cost.
Answer run_with_constraints(const Job& job, const api::Model& model) {
  if (!job.constraints.starts_with("auto")) return run_with_file(job, model);
  Job finding = job;
  if (job.bound) finding.bound = kRoom * *job.bound;
  Answer out = run_with_file(finding, model);
  if (out.result.verdict != "holds") return out;
  if ("auto," + out.result.constraints == job.constraints) {
    mark_if_worse(out, job.bound);
    return out;
  }
  Job asked = job;
  asked.constraints = out.result.constraints;
  Answer proof = run_with_file(asked, model);
  if (proof.status == Status::worse) proof.result.constraints = asked.constraints;
  return proof;
}

}  // namespace

Answer perform(const Job& job, const api::Model& model) {
  Answer out = job.kind == Job::Kind::describe ? described(job, model) : run_with_constraints(job, model);
  out.id = job.id;
  out.host = host_name();
  return out;
}

}  // namespace surety::study
