#include "study/processor_time.hpp"

#include <sys/time.h>

#include <algorithm>
#include <csignal>
#include <ctime>

namespace surety::study {
namespace {

std::atomic<bool> alarm_rang{false};

void ring(int /*signal*/) { alarm_rang.store(true, std::memory_order_relaxed); }

std::optional<double> seconds_on(clockid_t clock) {
  timespec time{};
  if (::clock_gettime(clock, &time) != 0) return std::nullopt;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void set_timer(double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  const auto rest = static_cast<suseconds_t>((seconds - static_cast<double>(whole)) * 1e6);
  itimerval timer{};
  timer.it_value = {whole, rest};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

double processor_seconds() { return seconds_on(CLOCK_PROCESS_CPUTIME_ID).value_or(0); }

std::optional<double> processor_seconds_of(pid_t process) {
  clockid_t clock{};
  if (::clock_getcpuclockid(process, &clock) != 0) return std::nullopt;
  return seconds_on(clock);
}

ProcessorAlarm::ProcessorAlarm(double seconds) {
  alarm_rang = false;
  struct sigaction action {};
  action.sa_handler = ring;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGPROF, &action, nullptr);
  set_timer(std::max(seconds, 1e-6));
}

ProcessorAlarm::~ProcessorAlarm() { set_timer(0); }

bool ProcessorAlarm::rang() const { return alarm_rang.load(std::memory_order_relaxed); }
const std::atomic<bool>* ProcessorAlarm::flag() const { return &alarm_rang; }

}  // namespace surety::study
