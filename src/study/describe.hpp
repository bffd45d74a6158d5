// What a study has to know of a model at one size: its tasks, which of them are repeated, and which of those each
// property treats differently.
//
// Two repeated tasks are treated alike if exchanging their actions in the property gives the same property. Which
// action of the one is which of the other, the labels tell: they differ in the index of the task, and nothing else.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "load/load.hpp"
#include "study/definition.hpp"

namespace surety::study {

// A model at one size.
struct ModelSpec {
  Engine engine = Engine::exact;
  DefinedModel model;
  std::string parameter;
  int size = 2;
  std::string sha256 = {};  // as it was described, or the beginning of that; empty: whatever it is

  friend bool operator==(const ModelSpec&, const ModelSpec&) = default;
};
Json to_json(const ModelSpec& spec);
ModelSpec spec_from_json(const Json& json);

// The model with all properties that the specification names.
api::Outcome<api::Model> read_model(const ModelSpec& spec, Budget& budget);

// SHA-256 of the file; then, with commas, of those that it imports or includes and that its properties are in.
std::string fingerprint(const api::Model& model);
bool has_changed(const api::Model& model, const ModelSpec& spec);

struct DescribedProperty {
  std::string name;
  std::vector<std::size_t> singled_out;           // places in `repeated`
  std::vector<std::vector<std::size_t>> classes;  // tasks that can change places
};
struct Described {
  std::vector<std::string> tasks;
  std::vector<std::size_t> repeated;
  std::string sha256;
  std::vector<DescribedProperty> properties;
};
Json to_json(const Described& described);
Described described_from_json(const Json& json);

// `orbits`: also which tasks can change places, which takes a look at every component.
api::Outcome<Described> describe(const api::Model& model, const ModelSpec& spec, bool orbits, Budget& budget);

// The tasks of a network, in order: its components, but of a program neither shared variables nor a main task that only
// waits for the others.
std::vector<std::string> tasks_of(const api::Model& model);

// Those that are copies of this one: NAME(3), NAME.3, x.3:NAME; by their index.
std::vector<std::size_t> repeated_tasks(const std::vector<std::string>& tasks, const std::string& name);

// The name of what occurs more often in the larger system. Empty: nothing does.
std::string repeated_name(const std::vector<std::string>& smaller, const std::vector<std::string>& larger);

}  // namespace surety::study
