#include "study/worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "base/file.hpp"
#include "study/processor_time.hpp"

namespace surety::study {
namespace {

using Clock = std::chrono::steady_clock;

// The budget of a run ends it by itself; these are for runs that do not look at it. A run that finds out which
// constraints it needs is two.
double hard_seconds(const Job& job) { return (job.constraints.starts_with("auto") ? 2 : 1) * job.time_s * 1.25 + 2; }
std::uint64_t hard_bytes(const Job& job) { return job.memory + job.memory / 2 + (std::uint64_t{256} << 20); }

void set_limit(int what, std::uint64_t most) {
  rlimit limit{};
  ::getrlimit(static_cast<__rlimit_resource>(what), &limit);
  limit.rlim_cur = std::min<rlim_t>(most, limit.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource>(what), &limit);
}

Answer failed(const Job& job, Status status, Answer::End end, std::string why) {
  Answer out;
  out.id = job.id;
  out.end = end;
  out.status = status;
  out.result.verdict = "unknown";
  out.result.why = why;
  out.why = std::move(why);
  return out;
}

Answer try_job(const Job& job, const api::Model& model, const Hands& hands) {
  try {
    return hands(job, model);
  } catch (const std::bad_alloc&) {
    return failed(job, Status::over_limit, Answer::End::answered, "memory");
  } catch (const std::exception& error) {
    return failed(job, Status::crashed, Answer::End::crashed, error.what());
  }
}

// Where a child writes its answers.
[[noreturn]] void be_child(std::span<const Job> jobs, const api::Model& model, const Hands& hands, int out,
                           pid_t parent) {
  become_child(parent);
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_DATA, hard_bytes(jobs.front()));
  for (const Job& job : jobs)
    if (!write_all(out, to_json(try_job(job, model, hands)).dump() + "\n")) ::_exit(1);
  ::_exit(0);
}

// One child for some jobs.
class Child {
 public:
  Child(std::span<const Job> jobs, const api::Model& model, const Hands& hands) : jobs_(jobs) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ends[0]);
      be_child(jobs, model, hands, ends[1], parent);
    }
    ::close(ends[1]);
    pipe_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // How many of the jobs were answered before it ended; the next one is the one that ended it.
  std::size_t gather(const std::function<void(const Answer&)>& tell);
  Answer how_it_ended(const Job& job) const;

 private:
  bool read_some(Clock::time_point until);
  bool is_stuck(const Job& job);
  void end();

  std::span<const Job> jobs_;
  pid_t pid_ = -1;
  int pipe_ = -1;
  Lines lines_;
  bool out_of_time_ = false;
  double used_ = 0;            // of the processor, when it was last looked at
  double used_by_others_ = 0;  // of its jobs, those that are answered
  int status_ = 0;
};

// A run that has not ended after such a time, and does not stop by itself: it has used too much, or has done nothing at
// all.
bool Child::is_stuck(const Job& job) {
  constexpr double kSomething = 0.01;
  const double used = processor_seconds_of(pid_).value_or(used_);
  const bool stuck = used - used_by_others_ > hard_seconds(job) || used - used_ < kSomething;
  used_ = used;
  return stuck;
}

// False at the end of the pipe, and when the time is over.
bool Child::read_some(Clock::time_point until) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd ready{pipe_, POLLIN, 0};
    const int found = ::poll(&ready, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)));
    if (found < 0 && errno == EINTR) continue;
    if (found == 0 && left > 0) continue;
    if (found <= 0) {
      out_of_time_ = true;
      return false;
    }
    char bytes[65536];
    const auto count = ::read(pipe_, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    lines_.add(bytes, static_cast<std::size_t>(count));
    return true;
  }
}

std::size_t Child::gather(const std::function<void(const Answer&)>& tell) {
  std::size_t answered = 0;
  if (pid_ <= 0) return 0;
  auto until = Clock::now();
  const auto give_time = [&](const Job& job) {
    until = Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(hard_seconds(job) * 1000));
  };
  give_time(jobs_.front());
  while (answered < jobs_.size()) {
    if (const auto line = lines_.next()) {
      tell(answer_from_json(Json::parse(*line)));
      if (++answered == jobs_.size()) break;
      used_ = used_by_others_ = processor_seconds_of(pid_).value_or(used_);
      give_time(jobs_[answered]);
    } else if (!read_some(until)) {
      if (!out_of_time_ || is_stuck(jobs_[answered])) break;
      out_of_time_ = false;
      give_time(jobs_[answered]);
    }
  }
  end();
  return answered;
}

void Child::end() {
  if (out_of_time_) ::kill(pid_, SIGKILL);
  ::close(pipe_);
  while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
}

Answer Child::how_it_ended(const Job& job) const {
  if (pid_ <= 0) return failed(job, Status::crashed, Answer::End::crashed, "no process can be started");
  if (out_of_time_) return failed(job, Status::over_limit, Answer::End::answered, "time");
  if (WIFSIGNALED(status_)) {
    const int signal = WTERMSIG(status_);
    return failed(job, Status::crashed, Answer::End::crashed,
                  fmt::format("signal {} ({})", signal, ::strsignal(signal)));
  }
  return failed(job, Status::crashed, Answer::End::crashed, fmt::format("exit status {}", WEXITSTATUS(status_)));
}

// All jobs of a line have one model.
void serve_line(const std::string& line, ModelCache& models, const Hands& hands,
                const std::function<void(const Answer&)>& tell) {
  std::vector<Job> jobs;
  const Json list = Json::parse(line);
  for (const Json& json : list) jobs.push_back(job_from_json(json));
  if (jobs.empty()) return;
  const auto model = models.get(jobs.front().model, jobs.front().time_s, jobs.front().memory);
  if (model && has_changed(**model, jobs.front().model)) {
    for (const Job& job : jobs) tell(failed(job, Status::open, Answer::End::changed, ""));
    return;
  }
  if (model) return run_in_children(jobs, **model, hands, tell);
  std::string why;
  for (const auto& d : model.error().diagnostics) why += (why.empty() ? "" : "; ") + d.message;
  const bool stopped = model.error().status == api::Failure::kStopped;
  for (const Job& job : jobs)
    tell(stopped && job.kind != Job::Kind::describe ? failed(job, Status::over_limit, Answer::End::answered, why)
                                                    : failed(job, Status::crashed, Answer::End::refused, why));
}

}  // namespace

std::optional<std::string> Lines::next() {
  const auto end = buffer_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return line;
}

void become_child(int parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died meanwhile
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

void run_in_children(const std::vector<Job>& jobs, const api::Model& model, const Hands& hands,
                     const std::function<void(const Answer&)>& tell) {
  std::span<const Job> left(jobs);
  {
    Child all(left, model, hands);
    left = left.subspan(all.gather(tell));
    if (jobs.size() == 1 && !left.empty()) return tell(all.how_it_ended(left.front()));
  }
  for (; !left.empty(); left = left.subspan(1)) {
    Child one(left.first(1), model, hands);
    if (one.gather(tell) == 0) tell(one.how_it_ended(left.front()));
  }
}

void serve(int socket, const Hands& hands) {
  ModelCache models;
  Lines lines;
  bool connected = true;
  const auto tell = [&](const Answer& answer) {
    connected = connected && write_all(socket, to_json(answer).dump() + "\n");
  };
  while (connected) {
    if (const auto line = lines.next()) {
      serve_line(*line, models, hands, tell);
      continue;
    }
    char bytes[65536];
    const auto count = ::read(socket, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    lines.add(bytes, static_cast<std::size_t>(count));
  }
}

}  // namespace surety::study
