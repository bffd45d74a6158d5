#include "serve/jobs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>  // NOLINT(modernize-deprecated-headers): sigabbrev_np
#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <filesystem>

#include "base/file.hpp"
#include "serve/certificates.hpp"

namespace surety::serve {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kLook = 500ms;                      // how often lonely jobs are looked for
constexpr std::uint64_t kMostOfFile = 1ULL << 30;  // that a job writes: a report, a certificate
constexpr std::uint64_t kRoom = 1ULL << 30;        // of addresses, beside what counts as memory

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

std::string flat(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Fd create(const std::string& file, int flags = O_TRUNC) {
  return Fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0600));
}

// A private one. If there is no room for it, there is none for the texts of the job either, which is told then.
std::string make_folder(std::string folder) {
  ::mkdir(folder.c_str(), 0700);
  return folder;
}

// Where the text of an overlay lies: the first one is that of the model.
std::string overlay_name(std::size_t i) { return fmt::format("text.{}", i); }

// What the last event says, if it is the last one of the program.
std::string verdict_of(const JobLog& log) {
  if (log.lines() == 0) return {};
  auto cursor = log.behind(log.lines() - 1);
  const Json last = Json::parse(log.next(cursor, 0ms).text, nullptr, false);
  return last.is_object() && last.value("event", "") == "end" ? last.value("verdict", "") : "";
}

Json ended_event(const Ended& ended, const std::string& why) {
  Json out{{"event", "ended"}};
  if (!ended.started) {
    out["status"] = 127;
    out["why"] = fmt::format("surety cannot be started: {}", std::strerror(ended.status));
  } else if (ended.signal != 0) {
    const char* const name = ::sigabbrev_np(ended.signal);
    out["signal"] = fmt::format("SIG{}", name == nullptr ? std::to_string(ended.signal) : name);
  } else {
    out["status"] = ended.status;
  }
  if (!why.empty()) out["why"] = why;
  return out;
}

}  // namespace

// --- One job.

Job::Job(std::uint64_t number, Order order, const std::string& folder)
    : number_(number), order_(std::move(order)), folder_(make_folder(folder)), log_(file("events")), when_(now()) {}

Job::~Job() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Job::keep(const std::vector<Overlay>& texts) {
  for (const Overlay& overlay : texts)
    if (write_file(file(overlay_name(kept_.size()).c_str()), overlay.text)) kept_.push_back(overlay.path);
}

Or<std::vector<Overlay>> Job::texts() const {
  std::vector<Overlay> out;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    auto text = read_file(file(overlay_name(i).c_str()));
    if (!text) return trouble(500, "file", text.error()[0].message);
    out.push_back({kept_[i], std::move(*text)});
  }
  return out;
}

Or<std::string> Job::certificate() const {
  const auto text = read_file(file("proof.json"));
  if (!text) return trouble(404, "missing", "there is no certificate: nothing was proved, or not yet");
  return moved_certificate(*text, folder_, order_.folder->path());
}

// The files that were imported may change, and the certificate is to be looked at with what it was made from.
void Job::keep_what_was_proved() {
  if (order_.command != "check") return;
  const auto proved = certificate();
  const auto known = texts();
  if (proved && known) keep(texts_of_certificate(*proved, *order_.folder, *known));
}

std::string Job::id() const { return fmt::format("j{}", number_); }

double Job::seconds() const { return std::chrono::duration<double>(Clock::now() - asked_).count(); }

void Job::tell(const Json& event) {
  Json out{{"n", log_.lines() + 1}, {"t", std::round(seconds() * 1e6) / 1e6}};
  out.update(event);
  log_.append_line(flat(out));
}

void Job::hear(std::string_view bytes) {
  if (order_.command != "experiment") {
    full_ |= !log_.append(bytes);
    return;
  }
  part_ += bytes;
  for (auto end = part_.find('\n'); end != std::string::npos; end = part_.find('\n')) {
    hear_of_point(std::string_view(part_).substr(0, end));
    part_.erase(0, end + 1);
  }
}

// Of a point, its verdicts: what else there is would be much.
void Job::hear_of_point(std::string_view line) {
  if (line.find("\"event\":\"verdict\"") == std::string_view::npos) return;
  Json event = Json::parse(line, nullptr, false);
  if (!event.is_object()) return;
  event.erase("n");
  event.erase("t");
  event["point"] = order_.runs[run_].point;
  tell(event);
}

// What the whole run needed, or why there is nothing.
void Job::tell_of_point(const Ended& ended) {
  const auto text = read_file(file("report"));
  const Json report = text ? Json::parse(*text, nullptr, false) : Json();
  Json event = ended_event(ended, "");
  const bool lost = ended.signal != 0 || ended.status > 2;
  event["event"] = lost ? "lost" : "point";
  event["point"] = order_.runs[run_].point;
  if (report.is_object()) {
    for (const char* member : {"verdict", "time_s", "peak_bytes"})
      if (report.contains(member)) event[member] = report[member];
    if (report.contains("errors") && !report["errors"].empty())
      event["message"] = report["errors"][0].value("message", "");
  }
  tell(event);
}

// --- All of them.

Jobs::Jobs(Nursery& nursery, std::string surety, std::string folder, Limits limits)
    : nursery_(nursery), surety_(std::move(surety)), folder_(std::move(folder)), limits_(limits) {}

Or<std::shared_ptr<Job>> Jobs::add(Order order) {
  const std::scoped_lock lock(mutex_);
  if (closed_) return trouble(503, "ending", "the server ends");
  if (queue_.size() >= kMostQueued)
    return trouble(429, "full", fmt::format("{} jobs wait already", kMostQueued), "wait, or abort some");
  forget_old();
  const std::uint64_t number = next_++;
  const auto texts = std::exchange(order.overlays, {});
  auto job = std::make_shared<Job>(number, std::move(order), fmt::format("{}/j{}", folder_, number));
  job->keep(texts);
  if (job->kept_.size() != texts.size()) return trouble(507, "disk", "there is no room for temporary files");
  jobs_.emplace(number, job);
  queue_.push_back(job);
  advance();
  return job;
}

Or<std::shared_ptr<Job>> Jobs::find(const std::string& id) const {
  std::uint64_t number = 0;
  const char* const end = id.data() + id.size();
  const bool is_id = id.starts_with('j') && std::from_chars(id.data() + 1, end, number).ptr == end;
  const std::scoped_lock lock(mutex_);
  const auto it = is_id ? jobs_.find(number) : jobs_.end();
  if (it == jobs_.end()) return trouble(404, "missing", "there is no such job, or no longer");
  return it->second;
}

void Jobs::advance() {
  while (!queue_.empty() && running_ < limits_.running) {
    const auto job = queue_.front();
    queue_.pop_front();
    job->state_ = Job::State::running;
    job->alone_since_ = Job::Clock::now();
    ++running_;
    if (const int problem = begin(job); problem != 0) {
      --running_;
      finish(*job, ended_event({problem, 0, false}, ""));
    }
  }
  if (running_ > 0 && !std::exchange(looking_, true)) nursery_.every(kLook, [this] { return look_for_lonely(); });
}

std::vector<std::string> Jobs::words_of(const Job& job, const Run& run) const {
  std::vector<std::string> out = {surety_};
  out.insert(out.end(), run.words.begin(), run.words.end());
  out.insert(out.end(), {"--json", "--events=/dev/fd/3", "--beneath=."});
  for (std::size_t i = 0; i < job.kept_.size(); ++i)
    out.push_back(fmt::format("--overlay={}={}", job.kept_[i], job.file(overlay_name(i).c_str())));
  if (job.order_.command == "check") out.push_back("--certificate=" + job.file("proof.json"));
  if (job.order_.command == "compose") out.push_back("--output=" + job.file("whole.json"));
  out.emplace_back("--");
  out.insert(out.end(), job.order_.files.begin(), job.order_.files.end());
  return out;
}

int Jobs::begin(const std::shared_ptr<Job>& job) {
  const Run& run = job->order_.runs[job->run_];
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return errno;
  Pipe events{Fd(ends[0]), Fd(ends[1])};
  std::vector<Fd> handed;
  handed.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  handed.push_back(create(job->file("report")));
  handed.push_back(create(job->file("errors"), job->run_ == 0 ? O_TRUNC : O_APPEND));
  handed.push_back(std::move(events.to));
  for (const Fd& one : handed)
    if (!one) return errno;
  Program program;
  program.words = words_of(*job, run);
  program.folder = job->order_.folder->path();
  for (int i = 0; i < 4; ++i) program.opened.emplace_back(handed[static_cast<std::size_t>(i)].get(), i);
  program.memory = run.memory / 2 * 3 + kRoom;
  program.file = kMostOfFile;
  job->child_ = nursery_.raise(
      std::move(program), std::move(handed), std::move(events.from),
      [this, job](std::string_view bytes) {
        job->hear(bytes);
        if (job->log_.bytes() <= kMostBytesOfOne && !job->full_) return;
        const std::scoped_lock lock(mutex_);
        stop(*job, job->full_ ? "there is no room for temporary files" : "its log is too long");
      },
      [this, job](const Ended& ended) { over(job, ended); });
  return 0;
}

void Jobs::over(const std::shared_ptr<Job>& job, const Ended& ended) {
  const std::scoped_lock lock(mutex_);
  job->part_.clear();
  if (job->order_.command == "experiment" && ended.started) {
    job->tell_of_point(ended);
    if (!job->stopping_ && ++job->run_ < job->order_.runs.size() && begin(job) == 0) return;
  }
  --running_;
  job->keep_what_was_proved();
  finish(*job, ended_event(ended, job->why_));
  advance();
}

void Jobs::finish(Job& job, const Json& ended) {
  job.verdict_ = verdict_of(job.log_);
  job.state_ = Job::State::done;
  job.tell(ended);
  job.log_.end();
}

void Jobs::stop(Job& job, std::string why) {
  if (job.state_ != Job::State::running) return;
  if (!std::exchange(job.stopping_, true)) job.why_ = std::move(why);
  nursery_.interrupt(job.child_);
}

// With the files named, and with what of the command line says what is meant.
Or<Order> Jobs::recheck(const std::shared_ptr<Job>& job) const {
  auto proved = job->certificate();
  if (!proved) return tl::unexpected(proved.error());
  const Order& of = job->order_;
  Order out{of.command, "certify", of.path, of.property, of.folder, {}, {}, {}, {}};
  out.command = "certify";
  const std::string name = fmt::format("{}.certificate.json", job->id());
  {
    const std::scoped_lock lock(mutex_);
    auto texts = job->texts();
    if (!texts) return tl::unexpected(texts.error());
    out.overlays = std::move(*texts);
  }
  out.overlays.push_back({name, std::move(*proved)});
  out.files = {name, of.files[0]};
  Run run{{"certify"}, of.runs[0].memory, {}};
  out.shown = fmt::format("surety certify {} {}", name, quoted(of.files[0]));
  for (const std::string& word : of.runs[0].words)
    for (const char* option : {"--system=", "--define=", "--property=", "--language=", "--time=", "--memory="})
      if (word.starts_with(option)) {
        run.words.push_back(word);
        if (option != std::string_view("--memory=")) out.shown += " " + quoted(word);
      }
  out.runs = {std::move(run)};
  return out;
}

void Jobs::cancel(const std::shared_ptr<Job>& job) {
  const std::scoped_lock lock(mutex_);
  if (job->state_ == Job::State::queued) {
    std::erase(queue_, job);
    finish(*job, {{"event", "ended"}, {"why", "it was taken out of the queue"}});
  } else {
    stop(*job, "");
  }
}

void Jobs::cancel_all() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  for (const auto& job : std::exchange(queue_, {})) finish(*job, {{"event", "ended"}, {"why", "the server ends"}});
  for (const auto& [number, job] : jobs_) stop(*job, "the server ends");
}

Json Jobs::list() const {
  const char* const kNames[] = {"queued", "running", "done"};
  Json out = Json::array();
  const std::scoped_lock lock(mutex_);
  for (const auto& [number, job] : jobs_) {
    Json& entry = out.emplace_back(Json{{"job", job->id()},
                                        {"command", job->order_.command},
                                        {"path", job->order_.path},
                                        {"property", job->order_.property},
                                        {"state", kNames[static_cast<int>(job->state_)]}});
    if (!job->verdict_.empty()) entry["verdict"] = job->verdict_;
    entry["started"] = job->when_;
    entry["command_line"] = job->order_.shown;
  }
  return out;
}

// The oldest that are done go; who is reading one of them reads on.
void Jobs::forget_old() {
  std::uint64_t bytes = 0;
  for (const auto& [number, job] : jobs_) bytes += job->log_.bytes();
  for (auto it = jobs_.begin(); it != jobs_.end() && (jobs_.size() >= kMostKept || bytes > kMostBytes);) {
    if (it->second->state_ == Job::State::done) {
      bytes -= it->second->log_.bytes();
      it = jobs_.erase(it);
    } else {
      ++it;
    }
  }
}

bool Jobs::look_for_lonely() {
  const std::scoped_lock lock(mutex_);
  const auto now = Job::Clock::now();
  for (const auto& [number, job] : jobs_)
    if (job->state_ == Job::State::running && !job->stopping_ && job->readers_ == 0 &&
        now - job->alone_since_ > limits_.alone)
      stop(*job, "no page listened");
  looking_ = running_ > 0;
  return looking_;
}

Or<std::shared_ptr<Jobs::Listening>> Jobs::listen(const std::shared_ptr<Job>& job) {
  const std::scoped_lock lock(mutex_);
  if (readers_ >= kMostReaders)
    return trouble(429, "full", fmt::format("{} streams are read already", kMostReaders), "close other pages");
  ++readers_;
  ++job->readers_;
  return std::make_shared<Listening>(*this, job);
}

Jobs::Listening::~Listening() {
  const std::scoped_lock lock(jobs_->mutex_);
  --jobs_->readers_;
  --job_->readers_;
  job_->alone_since_ = Job::Clock::now();
}

}  // namespace surety::serve
