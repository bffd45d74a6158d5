// What a study is about: systems, sizes, limits. Read from a TOML file, or put together from options.
//
//   limit = { time = "60s", factor = 10, memory = "1G" }
//   [[system]]
//   name = "Gas Station"
//   exact = "../gas_station/gas_station.lts"       # or { file = …, properties = […], repeated = …, composite = … }
//   parameter = "K"
//   repeated = "CUSTOMER"                          # the task that occurs as often as the size says
//   properties = ["MUTEX"]                         # none: all that the model has
//   all = "2..4"                                   # sizes of which all decompositions are run
//   scale = "2..64"                                # sizes for monolithic and generalised
//
// File names are those of the definition's folder, or else of the working folder.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.hpp"
#include "base/json.hpp"
#include "study/engine.hpp"

namespace surety::study {

struct Range {
  int from = 2, to = 2;
  bool has(int size) const { return from <= size && size <= to; }
  friend bool operator==(const Range&, const Range&) = default;
};
std::vector<std::string> methods_for_studies();  // their names: not those that choose others
std::vector<std::string> learners_for_studies();
std::optional<Range> parse_range(const std::string& text);  // "2..4", "3"

struct RunLimits {
  double time_s = 60;
  double factor = 10;  // of the time of the monolithic run
  std::uint64_t memory = std::uint64_t{1} << 30;
  friend bool operator==(const RunLimits&, const RunLimits&) = default;
};

struct DefinedModel {
  std::string file;
  std::string composite;                // empty: the last one
  std::string repeated;                 // empty: found out by comparing two sizes
  std::vector<std::string> properties;  // none: all
  friend bool operator==(const DefinedModel&, const DefinedModel&) = default;
};

struct DefinedSystem {
  std::string name;
  std::string parameter = "K";
  std::map<Engine, DefinedModel> models;
  Range all;
  std::optional<Range> scale;  // none: to no other sizes than those
  friend bool operator==(const DefinedSystem&, const DefinedSystem&) = default;
};

struct Definition {
  RunLimits limits;
  std::vector<std::string> methods = {"asym"};  // the first one is the study's; the others are for comparison
  std::vector<std::string> alphabets = {"full"};
  std::string learner = "lstar";
  std::vector<DefinedSystem> systems;
};

// The text of a definition; the folder is where its file lies.
Result<Definition> parse_definition(const std::string& file, const std::string& text);
Result<Definition> read_definition(const std::string& file);

Json to_json(const DefinedSystem& system);
DefinedSystem system_from_json(const Json& json);

}  // namespace surety::study
