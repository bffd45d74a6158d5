#include "api/events.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <condition_variable>
#include <cstring>

#include "api/json.hpp"
#include "base/check.hpp"
#include "base/file.hpp"
#include "certificate/write.hpp"

namespace surety::api {
namespace {

constexpr std::chrono::milliseconds kBetweenSamples{200};
constexpr std::uint64_t kAll = 2'000, kTenth = 20'000;  // conjectures of a lane: first all, then every tenth, ...

Json numbers(Word word) {
  Json out = Json::array();
  for (const Action a : word) out.push_back(a.value);
  return out;
}
Json numbers(const Alphabet& alphabet) { return numbers(Word(alphabet.begin(), alphabet.end())); }

Json told_lts(const Lts& lts) {
  if (lts.transition_count() > EventWriter::kMostSteps)
    return {{"states", lts.state_count()}, {"transitions", lts.transition_count()}};
  Json out{{"states", lts.state_count()}, {"alphabet", numbers(lts.alphabet())}, {"steps", Json::array()}};
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) out["steps"].push_back({s, step.action.value, step.target.value});
  if (lts.error()) out["error"] = lts.error()->value;
  if (lts.end()) out["end"] = lts.end()->value;
  return out;
}

Json described(const Model& model, const std::string& name, const Lts& lts) {
  Json out{{"name", name},
           {"states", lts.state_count()},
           {"transitions", lts.transition_count()},
           {"alphabet", numbers(lts.alphabet())}};
  if (const auto place = place_of(model, name)) out["place"] = place_json(*place);
  return out;
}

// /dev/fd/N is not opened again, which would fail for a socket.
int open_or_copy(const std::string& file) {
  constexpr std::string_view kOpen = "/dev/fd/";
  int number = 0;
  const char* const end = file.data() + file.size();
  if (file.starts_with(kOpen)) {
    const auto [rest, wrong] = std::from_chars(file.data() + kOpen.size(), end, number);
    if (wrong == std::errc() && rest == end) return ::fcntl(number, F_DUPFD_CLOEXEC, 0);
  }
  return ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

// Is it the turn of this one?
bool is_told(std::uint64_t number) {
  return number <= kAll || (number <= kTenth ? number % 10 == 0 : number % 100 == 0);
}

}  // namespace

Outcome<std::unique_ptr<EventWriter>> EventWriter::open(const std::string& file, std::atomic<bool>* stop) {
  const int descriptor = open_or_copy(file);
  if (descriptor < 0)
    return bad_input({file_error(file, fmt::format("cannot write events there: {}", std::strerror(errno)),
                                 "--events takes a file, or /dev/fd/N for a descriptor that is open")});
  return std::unique_ptr<EventWriter>(new EventWriter(descriptor, stop));
}

EventWriter::EventWriter(int descriptor, std::atomic<bool>* stop) : descriptor_(descriptor), stop_(stop) {
  sampler_ = std::jthread([this](const std::stop_token& token) { sample(token); });
}

EventWriter::~EventWriter() {
  sampler_ = {};
  ::close(descriptor_);
}

// --- Lines.

// All but the number and the time, which a line gets when it is written.
std::string EventWriter::body(const char* event, const Where* where, const Json& fields) const {
  Json out{{"event", event}};
  if (where != nullptr) {
    out["check"] = where->check;
    out["lane"] = where->lane;
    if (where->conjunct > 0) out["conjunct"] = where->conjunct;
  }
  out.update(fields);
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void EventWriter::write(const std::string& body) {
  if (broken_) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const std::string line = fmt::format("{{\"n\":{},\"t\":{:.6f},{}\n", ++lines_, seconds, body.substr(1));
  broken_ = !write_all(descriptor_, line);
  if (broken_ && stop_ != nullptr) stop_->store(true);
}

// --- What the command tells.

void EventWriter::start(const std::vector<std::string>& words) {
  const std::scoped_lock lock(mutex_);
  write("start", nullptr, {{"schema", kSchema}, {"tool", tool_name()}, {"argv", words}});
}

void EventWriter::watch(const Progress* progress) {
  const std::scoped_lock lock(mutex_);
  progress_ = progress;
}

void EventWriter::model(const Model& model) {
  const std::scoped_lock lock(mutex_);
  model_ = &model;
  write_model();
}

void EventWriter::write_model() {
  const Model& model = *model_;
  const auto menus = model.fsp ? model.fsp->menus() : std::vector<FspMenu>{};  // first: they may name actions
  Json out{{"system", model.network.name}, {"actions", Json::array()}};
  told_actions_ = model.actions->size();
  for (std::uint32_t a = 0; a < told_actions_; ++a) out["actions"].push_back(model.actions->name(Action{a}));
  out["components"] = Json::array();
  out["properties"] = Json::array();
  for (const Component& c : model.network.components) out["components"].push_back(described(model, c.name, c.lts));
  for (const Property& p : model.properties) out["properties"].push_back(described(model, p.name, p.lts));
  if (model.fsp) {
    out["menus"] = Json::object();
    out["constants"] = Json::object();
    if (menus)
      for (const FspMenu& menu : *menus) out["menus"][menu.name] = numbers(menu.actions);
    for (const FspConstant& constant : model.fsp->constants())
      std::visit([&](const auto& value) { out["constants"][constant.name] = value; }, constant.value);
  }
  out["warnings"] = warnings_json(model.warnings);
  write("model", nullptr, out);
  told_parts_ = model.parts != nullptr;
}

// Names that came later: ERROR of a component, the parts of a program.
void EventWriter::name_actions() {
  if (model_ == nullptr || model_->actions->size() <= told_actions_) return;
  Json names = Json::array();
  const std::uint32_t from = told_actions_;
  for (; told_actions_ < model_->actions->size(); ++told_actions_)
    names.push_back(model_->actions->name(Action{told_actions_}));
  write("actions", nullptr, {{"from", from}, {"names", std::move(names)}});
}

void EventWriter::plan(const Subjects& subjects) {
  const std::scoped_lock lock(mutex_);
  Json checks = Json::array();
  for (const Subject& subject : subjects) {
    plan_.emplace_back(subject.kind, subject.name);
    Json& entry = checks.emplace_back(Json{{"id", subject.id}, {"kind", name_of(subject.kind)}});
    if (!subject.name.empty()) entry["property"] = subject.name;
    if (model_ == nullptr) continue;
    if (const auto place = place_of(*model_, subject.kind, subject.name)) entry["place"] = place_json(*place);
  }
  write("plan", nullptr, {{"checks", std::move(checks)}});
}

void EventWriter::verdict(const Check& check) {
  const std::scoped_lock lock(mutex_);
  const auto its = std::ranges::find(plan_, std::pair(check.kind, check.property));
  const Where where{static_cast<int>(its - plan_.begin()), 0, 0};
  for (auto& [id, lane] : lanes_)
    if (id.first == where.check) flush(lane);
  name_actions();
  write("verdict", &where, check_json(check, *model_));
}

bool EventWriter::end(std::string_view verdict, int status) {
  sampler_ = {};
  const std::scoped_lock lock(mutex_);
  for (auto& [id, lane] : lanes_) flush(lane);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  write("end", nullptr, {{"verdict", verdict}, {"status", status}, {"time_s", std::round(seconds * 1e6) / 1e6}});
  return !broken_;
}

// --- What the work tells.

// A conjecture whose turn it is, or what was found of it, is written; another one is kept until there is a newer one.
void EventWriter::put(Lane& lane, bool new_conjecture, const char* event, const Where& where, Json fields) {
  if (new_conjecture) {
    if (lane.skipping) ++lane.skipped;
    lane.last.clear();
    lane.skipping = !is_told(++lane.conjectures);
    if (!lane.skipping && lane.skipped > 0) fields["skipped"] = std::exchange(lane.skipped, 0);
  }
  std::string text = body(event, &where, fields);
  if (!lane.skipping) return write(text);
  lane.last.push_back(std::move(text));
}

// The last one is always told.
void EventWriter::flush(Lane& lane) {
  for (std::string& text : std::exchange(lane.last, {})) {
    if (const auto skipped = std::exchange(lane.skipped, 0); skipped > 0)
      text.insert(text.size() - 1, fmt::format(",\"skipped\":{}", skipped));
    write(text);
  }
  lane.skipping = false;
}

void EventWriter::tell(const Where& where, const told::Event& event) {
  const std::scoped_lock lock(mutex_);
  Lane& lane = lanes_[{where.check, where.lane}];
  name_actions();
  std::visit([&](const auto& e) { write_event(where, lane, e); }, event);
}

void EventWriter::write_event(const Where& where, Lane& lane, const told::Turn& e) {
  turn_ = where.check;
  if (model_ != nullptr && model_->parts != nullptr && !told_parts_) write_model();
  flush(lane);
  if (progress_ != nullptr) queries_before_ = progress_->queries;
  write("turn", &where, e.seconds ? Json{{"time_s", *e.seconds}} : Json::object());
}

void EventWriter::write_event(const Where& where, Lane& lane, const told::Lane& e) {
  static constexpr const char* kIs[] = {"started", "answered", "stopped"};
  flush(lane);
  if (e.is != told::Lane::Is::started) lane.progress = nullptr;
  Json fields{{"method", name_of(e.method)}, {"is", kIs[static_cast<std::size_t>(e.is)]}};
  if (!e.result.empty()) fields["result"] = e.result;
  write("lane", &where, fields);
  if (e.is == told::Lane::Is::started) lane.progress = e.progress;
}

void EventWriter::write_event(const Where& where, Lane& /*lane*/, const told::Sides& e) {
  write("sides", &where, {{"split", e.split}, {"interface", numbers(e.interface)}});
}

void EventWriter::write_event(const Where& where, Lane& lane, const told::Conjecture& e) {
  Json fields{{"k", lane.conjectures + 1}, {"assumption", e.assumption}};
  if (const auto queries = queries_of(lane); queries > 0) fields["queries"] = queries;
  fields["lts"] = told_lts(e.lts);
  put(lane, true, "conjecture", where, std::move(fields));
}

void EventWriter::write_event(const Where& where, Lane& lane, const told::Asked& e) {
  put(lane, false, "asked", where, {{"k", lane.conjectures}, {"assumption", e.assumption}, {"oracle", e.oracle}});
}

void EventWriter::write_event(const Where& where, Lane& lane, const told::Answered& e) {
  Json fields{{"k", lane.conjectures}, {"assumption", e.assumption}, {"oracle", e.oracle}, {"result", e.result}};
  if (!e.word.empty()) fields["word"] = numbers(e.word);
  if (!e.trace.empty()) fields["trace"] = numbers(e.trace);
  fields["states"] = e.states;
  fields["transitions"] = e.transitions;
  put(lane, false, "answered", where, std::move(fields));
}

void EventWriter::write_event(const Where& where, Lane& /*lane*/, const told::Widened& e) {
  write("alphabet", &where,
        {{"assumption", e.assumption},
         {"added", numbers(e.more)},
         {"ours", numbers(e.ours)},
         {"theirs", numbers(e.theirs)}});
}

void EventWriter::write_event(const Where& where, Lane& lane, const told::Refined& e) {
  Json fields{{"component", e.component}, {"before", e.before}, {"after", e.after}, {"word", numbers(e.word)}};
  if (e.split) fields["split"] = *e.split;
  put(lane, true, "refined", where, std::move(fields));
}

void EventWriter::write_event(const Where& where, Lane& /*lane*/, const told::TakenIn& e) {
  write("taken_in", &where,
        {{"component", e.component}, {"product", e.product}, {"reduced", e.reduced}, {"left", e.left}});
}

void EventWriter::write_event(const Where& where, Lane& /*lane*/, const told::Conjunct& e) {
  write("conjunct", &where, {{"index", e.index}, {"of", e.of}, {"lts", told_lts(e.property)}});
}

void EventWriter::write_event(const Where& where, Lane& /*lane*/, const told::Size& e) {
  write("size", &where, {{"parameter", e.parameter}, {"value", e.value}, {"result", e.result}});
}

void EventWriter::write_event(const Where& where, Lane& /*lane*/, const told::Premise& e) {
  write("premise", &where, {{"text", e.text}, {"holds", e.holds}, {"states", e.states}});
}

// --- How far it is.

// Of a lane of its own, or of the check that has its turn.
std::uint64_t EventWriter::queries_of(const Lane& lane) const {
  if (lane.progress != nullptr) return lane.progress->queries;
  return progress_ == nullptr ? 0 : progress_->queries - queries_before_;
}

void EventWriter::sample(const std::stop_token& stop) {
  std::condition_variable_any wake;
  std::unique_lock lock(mutex_);
  while (!wake.wait_for(lock, stop, kBetweenSamples, [] { return false; }) && !stop.stop_requested()) {
    bool racing = false;
    for (auto& [id, lane] : lanes_) {
      if (lane.progress == nullptr) continue;
      racing = true;
      sample({id.first, id.second, 0}, lane, *lane.progress);
    }
    if (!racing && progress_ != nullptr) sample({turn_, 0, 0}, lanes_[{turn_, 0}], *progress_);
  }
}

void EventWriter::sample(const Where& where, Lane& lane, const Progress& progress) {
  Json fields{{"phase", progress.phase.load()}, {"states", progress.states.load()}};
  if (progress.frontier > 0) {
    fields["depth"] = progress.depth.load();
    fields["frontier"] = progress.frontier.load();
  }
  fields["queries"] = progress.queries.load();
  fields["conjectures"] = progress.conjectures.load();
  std::string text = body("progress", &where, fields);
  if (text == lane.sampled) return;
  lane.sampled = text;
  text.insert(text.size() - 1, fmt::format(",\"memory\":{}", resident_bytes()));
  write(text);
}

}  // namespace surety::api
