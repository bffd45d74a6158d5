// Jobs: what a page has asked the program to do, waiting, running or done.
//
// A job is a child of the nursery, or of an experiment one after the other. What it tells goes into its log, what it
// answers into files of the private folder; both stay until there are too many jobs, or too long ones. A job that
// no page listens to for a while is asked to end: its page is gone.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "serve/job_log.hpp"
#include "serve/job_words.hpp"
#include "serve/nursery.hpp"

namespace surety::serve {

class Job {
 public:
  using Clock = std::chrono::steady_clock;

  Job(std::uint64_t number, Order order, const std::string& folder);
  ~Job();  // its files go, too
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  std::string id() const;
  std::string file(const char* name) const { return folder_ + "/" + name; }
  const Order& order() const { return order_; }
  JobLog& log() { return log_; }

  // What was to be read in place of files: the first is the model. When it is done, also what its certificate names.
  Or<std::vector<Overlay>> texts() const;
  // As it is from the folder of its models.
  Or<std::string> certificate() const;

 private:
  friend class Jobs;
  enum class State { queued, running, done };

  void keep(const std::vector<Overlay>& texts);
  void keep_what_was_proved();
  double seconds() const;        // since it was asked for
  void tell(const Json& event);  // of our own: gets the next number
  void hear(std::string_view bytes);
  void hear_of_point(std::string_view line);
  void tell_of_point(const Ended& ended);

  const std::uint64_t number_;
  const Order order_;
  const std::string folder_;
  JobLog log_;
  const Clock::time_point asked_ = Clock::now();
  const double when_;  // seconds since 1970

  // Under the lock of the jobs.
  std::vector<std::string> kept_;  // paths of texts, which are in files text.0, text.1, ...
  State state_ = State::queued;
  Nursery::Id child_ = 0;
  std::size_t run_ = 0;    // which of the order
  bool stopping_ = false;  // was asked to end
  std::string why_;        // by whom, if not by the user
  int readers_ = 0;
  Clock::time_point alone_since_ = Clock::now();
  std::string verdict_;

  std::string part_;   // of a line, of an experiment; by the nursery alone
  bool full_ = false;  // something that was told is lost; by the nursery alone
};

class Jobs {
 public:
  static constexpr std::size_t kMostQueued = 32;
  static constexpr std::size_t kMostKept = 200;
  static constexpr std::uint64_t kMostBytes = 256ULL << 20;
  static constexpr std::uint64_t kMostBytesOfOne = 64ULL << 20;
  static constexpr int kMostReaders = 16;

  struct Limits {
    std::size_t running = 1;
    std::chrono::milliseconds alone{10'000};
  };

  // `folder`: a private one.
  Jobs(Nursery& nursery, std::string surety, std::string folder, Limits limits);

  Or<std::shared_ptr<Job>> add(Order order);
  Or<std::shared_ptr<Job>> find(const std::string& id) const;
  // The order of a job that looks at the certificate of this one again.
  Or<Order> recheck(const std::shared_ptr<Job>& job) const;
  void cancel(const std::shared_ptr<Job>& job);
  void cancel_all();  // and take no more
  Json list() const;

  // A page listens to a job, as long as this lives.
  class Listening {
   public:
    Listening(Jobs& jobs, std::shared_ptr<Job> job) : jobs_(&jobs), job_(std::move(job)) {}
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    Job& job() const { return *job_; }

   private:
    Jobs* jobs_;
    std::shared_ptr<Job> job_;
  };
  Or<std::shared_ptr<Listening>> listen(const std::shared_ptr<Job>& job);

 private:
  void advance();                              // under the lock, as those below
  int begin(const std::shared_ptr<Job>& job);  // 0, or errno of why not
  std::vector<std::string> words_of(const Job& job, const Run& run) const;
  void stop(Job& job, std::string why);
  void finish(Job& job, const Json& ended);
  void forget_old();
  bool look_for_lonely();
  void over(const std::shared_ptr<Job>& job, const Ended& ended);

  Nursery& nursery_;
  const std::string surety_, folder_;
  const Limits limits_;
  mutable std::mutex mutex_;
  std::uint64_t next_ = 1;
  bool closed_ = false, looking_ = false;
  int readers_ = 0;
  std::map<std::uint64_t, std::shared_ptr<Job>> jobs_;
  std::deque<std::shared_ptr<Job>> queue_;
  std::size_t running_ = 0;
};

}  // namespace surety::serve
