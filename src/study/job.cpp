#include "study/job.hpp"

namespace surety::study {
namespace {

// JSON has no bytes: two hexadecimal digits each.
std::string hex(const std::string& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

std::string from_hex(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    out += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
  return out;
}

// Each count of a result by its name, for both directions.
constexpr std::pair<const char*, std::uint64_t RunResult::*> kCounts[] = {
    {"max_states", &RunResult::max_states},
    {"max_transitions", &RunResult::max_transitions},
    {"states", &RunResult::states},
    {"transitions", &RunResult::transitions},
    {"query_states", &RunResult::query_states},
    {"premise1", &RunResult::premise1},
    {"premise2", &RunResult::premise2},
    {"queries", &RunResult::queries},
    {"conjectures", &RunResult::conjectures},
    {"largest_assumption", &RunResult::largest_assumption},
    {"peak_bytes", &RunResult::peak_bytes}};

}  // namespace

Json to_json(const Job& job) {
  Json out = {{"kind", static_cast<int>(job.kind)},
              {"id", job.id},
              {"model", to_json(job.model)},
              {"orbits", job.orbits},
              {"property", job.property},
              {"split", job.split},
              {"method", job.way.method},
              {"alphabet", job.way.alphabet},
              {"learner", job.way.learner},
              {"time_s", job.time_s},
              {"memory", job.memory},
              {"certify", job.certify},
              {"keep_assumption", job.keep_assumption},
              {"seeded", job.seeded},
              {"assumption", hex(job.assumption)},
              {"constraints", job.constraints},
              {"expected", job.expected}};
  if (job.bound) out["bound"] = *job.bound;
  return out;
}

Job job_from_json(const Json& json) {
  Job out;
  out.kind = static_cast<Job::Kind>(json.at("kind").get<int>());
  out.id = json.at("id");
  out.model = spec_from_json(json.at("model"));
  out.orbits = json.at("orbits");
  out.property = json.at("property");
  out.split = json.at("split");
  out.way = {json.at("method"), json.at("alphabet"), json.at("learner")};
  out.time_s = json.at("time_s");
  out.memory = json.at("memory");
  out.certify = json.at("certify");
  out.keep_assumption = json.at("keep_assumption");
  out.seeded = json.at("seeded");
  out.assumption = from_hex(json.at("assumption"));
  out.constraints = json.at("constraints");
  out.expected = json.at("expected");
  if (json.contains("bound")) out.bound = json.at("bound").get<std::uint64_t>();
  return out;
}

Json to_json(const Answer& answer) {
  const RunResult& r = answer.result;
  Json out = {{"id", answer.id},
              {"end", static_cast<int>(answer.end)},
              {"why", utf8(answer.why)},
              {"host", answer.host},
              {"constraints", r.constraints},
              {"status", name_of(answer.status)},
              {"verdict", r.verdict},
              {"time_s", r.time_s},
              {"learn_s", r.learn_s},
              {"about", utf8(r.why)}};
  for (const auto& [name, count] : kCounts) out[name] = r.*count;
  if (r.certified) out["certified"] = *r.certified;
  if (answer.has_assumption)
    out["assumption"] = {{"states", answer.assumption.states},
                         {"transitions", answer.assumption.transitions},
                         {"letters", answer.assumption.letters},
                         {"packed", hex(answer.assumption.packed)}};
  if (answer.described) out["described"] = to_json(*answer.described);
  return out;
}

Answer answer_from_json(const Json& json) {
  Answer out;
  out.id = json.at("id");
  out.end = static_cast<Answer::End>(json.at("end").get<int>());
  out.why = json.at("why");
  out.host = json.at("host");
  out.status = status_from_name(json.at("status").get<std::string>()).value_or(Status::crashed);
  RunResult& r = out.result;
  r.verdict = json.at("verdict");
  r.time_s = json.at("time_s");
  r.learn_s = json.at("learn_s");
  r.why = json.at("about");
  r.constraints = json.at("constraints");
  for (const auto& [name, count] : kCounts) r.*count = json.at(name);
  if (json.contains("certified")) r.certified = json.at("certified").get<bool>();
  if (json.contains("assumption")) {
    const Json& a = json.at("assumption");
    out.has_assumption = true;
    out.assumption = {0, a.at("states"), a.at("transitions"), a.at("letters"), from_hex(a.at("packed"))};
  }
  if (json.contains("described")) out.described = described_from_json(json.at("described"));
  return out;
}

}  // namespace surety::study
