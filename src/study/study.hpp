// A study in memory: what the database has, with the numbers of its rows.
//
// A track is what is asked of one system: engine and property. It has one instance per size. An instance has items, the
// runs: one is monolithic, and one per mask or order and way to prove. Nothing in a result but times, memory and host
// depends on who ran it, or when.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "study/definition.hpp"
#include "study/mask.hpp"

namespace surety::study {

enum class Status : std::uint8_t { open, running, done, over_limit, worse, crashed };
std::string_view name_of(Status status);
std::optional<Status> status_from_name(std::string_view name);

using Row = std::int64_t;  // of a table

struct RunResult {  // the columns of the table `result`
  std::string verdict;
  std::uint64_t max_states = 0, max_transitions = 0, states = 0, transitions = 0, query_states = 0;
  std::uint64_t premise1 = 0, premise2 = 0, queries = 0, conjectures = 0, largest_assumption = 0;
  Row assumption = 0;  // 0: none
  double time_s = 0, learn_s = 0;
  std::uint64_t peak_bytes = 0;
  std::optional<bool> certified;  // nothing: not tried
  std::string why;
  // Of an engine that takes some: with which it was proved, or ended by a bound. Empty: that was not found out.
  std::string constraints;
};

struct Assumption {
  Row id = 0;
  std::uint64_t states = 0, transitions = 0, letters = 0;
  std::string packed;  // CBOR of what --assumption-out writes; empty: not kept
};

// How a run proves. Monolithic: no mask.
struct Way {
  std::string method = "asym", alphabet = "full", learner = "lstar";
  friend auto operator<=>(const Way&, const Way&) = default;
};
inline const Way kMonolithic = {"monolithic", "", ""};

// Each task is a component of its own: their numbers, that of M1 first. Empty: the order that the method chooses.
using Order = std::vector<std::size_t>;

struct Item {
  Row id = 0;
  std::size_t instance = 0;  // in Study::instances
  std::optional<Mask> mask;
  Order order;
  Way way;
  // "all", "all exactly" (if an inexact result is not enough), "generalised:2", "pattern", "supplied", "seeded",
  // "mono", "other", "order"
  std::string reason;
  std::optional<std::uint64_t> bound;
  Row supplied = 0;  // an assumption; 0: none
  double expected = 0;
  Status status = Status::open;
  int attempts = 0;
  std::string host, started, finished;
  std::optional<RunResult> result;

  bool is_of_all() const { return reason.starts_with("all"); }
  bool is_mono() const { return !mask && way == kMonolithic; }
  bool is_finished() const { return status != Status::open && status != Status::running; }
  bool holds() const { return status == Status::done && result && result->verdict == "holds"; }
  std::uint64_t cost() const { return result ? result->max_states : 0; }
};

struct ModelRow {
  Row id = 0;
  std::size_t system = 0;
  Engine engine = Engine::exact;
  std::string file, sha256;
  int size = 0;
  std::vector<std::string> tasks;     // in mask order
  std::vector<std::size_t> repeated;  // task numbers, by index
  std::string why;                    // there are no tasks: why it could not be built
};

// Of its own file, without those that it includes.
inline std::string file_sha256(const ModelRow& model) { return model.sha256.substr(0, model.sha256.find(',')); }

struct Instance {
  Row id = 0;
  std::size_t model = 0;
  std::string property;
  std::vector<std::size_t> singled_out;           // places in `repeated`, from 0
  std::vector<std::vector<std::size_t>> classes;  // tasks that can change places without a change of the property
  std::string constraints;                        // of an engine that takes some: those that the monolithic run needs
  std::vector<std::size_t> items;                 // in Study::items
  std::optional<std::size_t> mono;                // the monolithic one
  std::map<std::string, std::size_t> by_key;      // of items, by short_key
};

struct SystemRow {
  Row id = 0;
  DefinedSystem definition;
};

struct Track {
  std::size_t system = 0;
  Engine engine = Engine::exact;
  std::string property;
  friend auto operator<=>(const Track&, const Track&) = default;
};

struct Study {
  std::string file;  // of the database
  RunLimits limits;
  Definition settings;                       // methods, alphabets, learner; its systems are in `systems`
  std::map<std::string, std::string> notes;  // the table `study`
  std::vector<SystemRow> systems;
  std::vector<ModelRow> models;
  std::vector<Instance> instances;
  std::vector<Item> items;
  std::map<Row, Assumption> assumptions;

  Way way() const { return {settings.methods.front(), settings.alphabets.front(), settings.learner}; }
  const ModelRow& model_of(const Instance& instance) const { return models[instance.model]; }
  const SystemRow& system_of(const Instance& instance) const { return systems[model_of(instance).system]; }
  const Instance& instance_of(const Item& item) const { return instances[item.instance]; }

  std::vector<Track> tracks() const;  // in the order of systems, engines, properties
  std::optional<std::size_t> instance_at(const Track& track, int size) const;
  std::optional<std::size_t> model_at(std::size_t system, Engine engine, int size) const;
  std::map<int, std::size_t> sizes_of(const Track& track) const;  // instances by size
  const Item* mono_of(const Instance& instance) const { return instance.mono ? &items[*instance.mono] : nullptr; }
  const Item* find(const Instance& instance, const std::optional<Mask>& mask, const Way& way, Row supplied = 0) const;
  const Item* same_as(const Item& item) const;   // of the same instance
  std::string split_of(const Item& item) const;  // which --split takes; empty: none

  // Adds one to the indices; the item has its row's number already.
  std::size_t add(Item item);

  // "Gas Station/exact/2/MUTEX/asym/full/lstar/0x5": the same in every database of the study.
  std::string key(const Item& item) const;
};

// Names a run within its instance.
std::string short_key(const Item& item);

// By orbits: of decompositions that exchanging tasks makes of each other, only the smallest mask is run. At size 2 all
// are, so that what this loses can be seen.
bool is_left_out(const Study& study, const Item& item);

// The best of the decompositions that were all tried, and how good that is.
struct Best {
  const Item* item = nullptr;  // null: none holds
  std::size_t ties = 0;        // of others with the same cost
  std::size_t tried = 0, finished = 0, over_limit = 0;
  std::size_t unsure = 0;  // ended by a bound before it was known which constraints they need
  bool complete = false;   // none is left to run
  bool known_only() const { return over_limit + unsure > 0; }  // it may not be the best: ≤
};
// A search exceeded the bound, but one with the constraints of a proof, which are not known, might not have.
bool is_unsure(const Study& study, const Item& item);
Best best_of(const Study& study, const Instance& instance, const Way& way);
// Smaller cost; then sum of states, queries, states of the assumption, the mask.
bool is_better(const Study& study, const Item& a, const Item& b);

}  // namespace surety::study
