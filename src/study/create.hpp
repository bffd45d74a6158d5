// Makes a study from its definition, or adds what is new to one.
#pragma once

#include <set>
#include <string>

#include "study/store.hpp"

namespace surety::study {

struct CreateOptions {
  std::string file;  // the database
  Definition definition;
  std::string definition_file;  // for messages and notes; empty: from options
  std::set<Engine> engines;     // none: all that the definition names
  bool renew = false;           // a model that has changed starts again
  const std::atomic<bool>* interrupted = nullptr;
};

struct Created {
  std::size_t systems = 0, instances = 0, items = 0;  // that are new
  std::size_t all_items = 0;
  bool is_new = false;  // the file
};
api::Outcome<Created> create(const CreateOptions& options);

inline constexpr std::size_t kMostTasks = 20;  // of which all decompositions are tried

}  // namespace surety::study
