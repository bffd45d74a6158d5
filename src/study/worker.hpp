// A worker: a process that reads models and forks a child for each run.
//
// A child has limits of its own, and whatever becomes of it is an answer: a crash, too much memory, too much time.
// Short jobs come in batches and share a child; if that dies, those without an answer are run again one by one. Workers
// and children die with the process that started them.
#pragma once

#include <functional>
#include <vector>

#include "study/job.hpp"
#include "study/perform.hpp"

namespace surety::study {

// What a child does with a job. Tests put other hands in, which crash, eat memory or never end.
using Hands = std::function<Answer(const Job&, const api::Model&)>;

// Reads lines with lists of jobs from the socket and writes a line per answer, until the socket closes.
void serve(int socket, const Hands& hands);

// The jobs, all of one model, in children. `tell` gets each answer when it is known.
void run_in_children(const std::vector<Job>& jobs, const api::Model& model, const Hands& hands,
                     const std::function<void(const Answer&)>& tell);

// Dies with its parent, and leaves interrupts to it.
void become_child(int parent);

// Whole lines from a stream of bytes.
class Lines {
 public:
  void add(const char* bytes, std::size_t count) { buffer_.append(bytes, count); }
  std::optional<std::string> next();

 private:
  std::string buffer_;
};

}  // namespace surety::study
