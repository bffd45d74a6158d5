#include "study/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "study/perform.hpp"
#include "study/plan.hpp"

namespace surety::study {
namespace {

void count(Standing::Row& row, const Study& study, const Item& item) {
  if (is_left_out(study, item)) return;
  ++row.all;
  if (!item.is_finished()) ++row.left;
  const bool excluded = item.result && item.result->verdict == "excluded";
  row.excluded += excluded ? 1 : 0;
  row.done += item.status == Status::done && !excluded ? 1 : 0;
  row.over_limit += item.status == Status::over_limit ? 1 : 0;
  row.worse += item.status == Status::worse ? 1 : 0;
  row.crashed += item.status == Status::crashed ? 1 : 0;
  if (item.result) row.seconds += item.result->time_s;
}

Json json_of(const Standing::Row& row) {
  return {{"system", row.system}, {"engine", row.engine},   {"properties", row.properties},
          {"runs", row.all},      {"done", row.done},       {"over_limit", row.over_limit},
          {"worse", row.worse},   {"crashed", row.crashed}, {"excluded", row.excluded},
          {"left", row.left},     {"time_s", row.seconds}};
}

Json json_of(const std::vector<Standing::Slow>& list) {
  Json out = Json::array();
  for (const auto& slow : list) out.push_back({{"item", slow.key}, {"status", slow.status}, {"time_s", slow.seconds}});
  return out;
}

std::string quoted(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./=:,").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string command_of(const Store& store, const Study& study, const Item& item) {
  const Instance& instance = study.instance_of(item);
  const ModelRow& model = study.model_of(instance);
  const DefinedSystem& system = study.systems[model.system].definition;
  std::vector<std::string> words = {"surety",
                                    "check",
                                    store.usable_name(model.file),
                                    fmt::format("-D{}={}", system.parameter, model.size),
                                    "--property",
                                    instance.property,
                                    "--method",
                                    item.way.method};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  if (const auto defined = system.models.find(model.engine); defined != system.models.end())
    add("--system", defined->second.composite);
  if (model.engine != Engine::exact) add("--engine", api_word(model.engine));
  const std::string used = item.result ? item.result->constraints : "";
  add("--constraints", used.empty() ? instance.constraints : used);
  add("--split", study.split_of(item));
  add("--alphabet", item.way.alphabet);
  add("--learner", item.way.learner);
  if (item.supplied != 0) add(item.reason == "seeded" ? "--seed-assumption" : "--assumption", "ASSUMPTION.json");
  words.insert(words.end(), {"--reduction", "none", "--threads", "1"});
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : " ") + quoted(word);
  return out;
}

// The mean of an instance tells more than what was expected before there was one.
double expected_rest(const Study& study) {
  std::vector<Spent> spent(study.instances.size());
  for (const Item& item : study.items)
    if (item.is_finished() && item.result && !item.is_mono()) {
      spent[item.instance].seconds += item.result->time_s;
      ++spent[item.instance].runs;
    }
  double out = 0;
  for (const Item& item : study.items) {
    if (item.is_finished() || is_left_out(study, item)) continue;
    const auto mean = item.is_mono() ? std::nullopt : spent[item.instance].mean();
    out += mean ? *mean : expected_time(study, item, spent[item.instance]);
  }
  return out;
}

}  // namespace

Standing standing_of(const Study& study) {
  Standing out;
  out.notes = study.notes;
  out.limits = study.limits;
  std::map<std::pair<std::size_t, Engine>, Standing::Row> rows;
  for (const Track& track : study.tracks()) {
    auto& row = rows[{track.system, track.engine}];
    row.system = study.systems[track.system].definition.name;
    row.engine = name_of(track.engine);
    ++row.properties;
    ++out.total.properties;
  }
  for (const Item& item : study.items) {
    const ModelRow& model = study.model_of(study.instance_of(item));
    count(rows[{model.system, model.engine}], study, item);
    count(out.total, study, item);
    if (item.is_finished() && item.result)
      out.slowest.push_back({study.key(item), std::string(name_of(item.status)), item.result->time_s});
    if (item.status == Status::running) out.running.push_back({study.key(item), "running since " + item.started, 0});
    if (item.status == Status::crashed)
      out.crashes.push_back(fmt::format("{}: {}", study.key(item), item.result ? item.result->why : ""));
  }
  for (const auto& [key, row] : rows) {
    out.rows.push_back(row);
  }
  out.expected_s = expected_rest(study);
  for (const ModelRow& model : study.models)
    if (model.tasks.empty())
      out.not_built.push_back(fmt::format("{}/{}/{}: {}", study.systems[model.system].definition.name,
                                          name_of(model.engine), model.size, model.why));
  std::ranges::stable_sort(out.slowest, std::greater(), &Standing::Slow::seconds);
  if (out.slowest.size() > 5) out.slowest.resize(5);
  return out;
}

Json to_json(const Standing& standing) {
  Json rows = Json::array();
  for (const auto& row : standing.rows) rows.push_back(json_of(row));
  return {
      {"schema", 1},
      {"systems", std::move(rows)},
      {"total", json_of(standing.total)},
      {"expected_s", standing.expected_s},
      {"running", json_of(standing.running)},
      {"slowest", json_of(standing.slowest)},
      {"crashed", standing.crashes},
      {"not_built", standing.not_built},
      {"limits",
       {{"time_s", standing.limits.time_s}, {"factor", standing.limits.factor}, {"memory", standing.limits.memory}}}};
}

api::Outcome<Shown> show(const Store& store, const Study& study, const std::string& name) {
  const Item* found = nullptr;
  std::vector<std::string> keys, fitting;
  Row number = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = read.ec == std::errc() && read.ptr == name.data() + name.size();
  for (const Item& item : study.items) {
    const std::string key = study.key(item);
    if (is_number ? item.id == number : key == name || key.ends_with("/" + name)) {
      found = &item;
      fitting.push_back(key);
      if (key == name) {
        fitting = {key};
        break;
      }
    }
    if (!is_number) keys.push_back(key);
  }
  if (fitting.size() > 1)
    return api::usage(fmt::format("{} runs end in '{}'", fitting.size(), name),
                      fmt::format("for example: {}", fitting.front()));
  if (found == nullptr)
    return api::usage(fmt::format("the study has no run '{}'", name),
                      did_you_mean(name, keys).empty() && !study.items.empty()
                          ? fmt::format("for example: {}", study.key(study.items.front()))
                          : did_you_mean(name, keys));
  const Instance& instance = study.instance_of(*found);
  const ModelRow& model = study.model_of(instance);
  Shown out;
  out.key = study.key(*found);
  out.system = study.systems[model.system].definition.name;
  out.engine = name_of(model.engine);
  out.property = instance.property;
  out.status = name_of(found->status);
  out.reason = found->reason;
  out.size = model.size;
  out.item = *found;
  out.split = study.split_of(*found);
  if (found->result) {
    out.verdict = found->result->verdict;
    out.why = found->result->why;
    if (const auto a = study.assumptions.find(found->result->assumption); a != study.assumptions.end()) {
      out.assumption = a->second;
      if (!a->second.packed.empty()) out.assumption_text = unpacked_text(a->second.packed);
    }
  }
  if (const Item* const mono = study.mono_of(instance); mono != nullptr && mono->holds()) out.monolithic = mono->cost();
  out.command = command_of(store, study, *found);
  return out;
}

Json to_json(const Shown& shown) {
  Json out = {{"schema", 1},
              {"item", shown.key},
              {"number", shown.item.id},
              {"system", shown.system},
              {"engine", shown.engine},
              {"size", shown.size},
              {"property", shown.property},
              {"method", shown.item.way.method},
              {"alphabet", shown.item.way.alphabet},
              {"learner", shown.item.way.learner},
              {"split", shown.split},
              {"reason", shown.reason},
              {"status", shown.status},
              {"command", shown.command}};
  if (shown.monolithic) out["monolithic"] = *shown.monolithic;
  if (!shown.item.result) return out;
  const RunResult& r = *shown.item.result;
  out.update({{"verdict", r.verdict},
              {"cost", r.max_states},
              {"states", r.states},
              {"transitions", r.transitions},
              {"query_states", r.query_states},
              {"premises", {r.premise1, r.premise2}},
              {"queries", r.queries},
              {"conjectures", r.conjectures},
              {"time_s", r.time_s},
              {"learn_s", r.learn_s},
              {"peak_bytes", r.peak_bytes}});
  out["certified"] = r.certified ? Json(*r.certified) : Json(nullptr);
  if (!r.why.empty()) out["why"] = r.why;
  if (!r.constraints.empty()) out["constraints"] = r.constraints;
  if (shown.assumption)
    out["assumption"] = {{"states", shown.assumption->states},
                         {"transitions", shown.assumption->transitions},
                         {"letters", shown.assumption->letters},
                         {"lts", shown.assumption_text.empty() ? Json(nullptr) : Json::parse(shown.assumption_text)}};
  return out;
}

}  // namespace surety::study
