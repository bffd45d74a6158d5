// A study in parts that can be run on several machines, each in a database of its own; merge.hpp brings them together.
#pragma once

#include <cstddef>
#include <string>

#include "load/load.hpp"

namespace surety::study {

// Parts of the items of phases (a) and (b): item number j, sorted by expected time, is of shard j mod count.
struct Shard {
  std::size_t number = 0, count = 1;
};

// A database with the items of one shard, made of those of a study, unless it is there already.
api::Outcome<void> prepare_shard(const std::string& file, const std::string& part, const Shard& shard);

}  // namespace surety::study
