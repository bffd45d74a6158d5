// One run of a study, in this process: a request to `api`, and what of its report the study keeps.
#pragma once

#include <list>
#include <string>

#include "study/job.hpp"

namespace surety::study {

// Models that have been read, the last used first. Few and small ones: a child that is forked for a run has them in its
// memory as well.
class ModelCache {
 public:
  api::Outcome<const api::Model*> get(const ModelSpec& spec, double time_s, std::uint64_t memory);

 private:
  struct Entry {
    ModelSpec spec;
    api::Model model;
  };
  static constexpr std::size_t kMost = 8;
  std::list<Entry> entries_;
};

// What --assumption-out writes, packed, and back.
std::string pack(const Lts& lts, const ActionTable& actions);
std::string unpacked_text(const std::string& packed);  // JSON

// Does the job with a model that has been read.
Answer perform(const Job& job, const api::Model& model);

}  // namespace surety::study
