// Processor time, for the limits of runs: what else the machine has to do must not make a run one that was over its
// limit.
#pragma once

#include <atomic>
#include <optional>

#include <sys/types.h>

namespace surety::study {

double processor_seconds();  // of this process, so far
// Of another one; nothing: there is no such process.
std::optional<double> processor_seconds_of(pid_t process);

// Rings when this process has used so many more seconds. One at a time.
class ProcessorAlarm {
 public:
  explicit ProcessorAlarm(double seconds);
  ~ProcessorAlarm();
  ProcessorAlarm(const ProcessorAlarm&) = delete;
  ProcessorAlarm& operator=(const ProcessorAlarm&) = delete;

  bool rang() const;
  const std::atomic<bool>* flag() const;  // for a budget
};

}  // namespace surety::study
