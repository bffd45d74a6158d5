// What watches a walk: properties, fluents, propositions, formulas.
//
// A watcher is an automaton whose states are numbers. A walk keeps one number per watcher and moment, so that a step
// is undone by forgetting the last numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lang/promela/machine/machine.hpp"
#include "model/safety_formula.hpp"
#include "walk/walker.hpp"

namespace surety::api {

class Watcher {
 public:
  explicit Watcher(std::string name) : name_(std::move(name)) {}
  virtual ~Watcher() = default;

  const std::string& name() const { return name_; }  // "property MUTEX", "fluent LIT"

  virtual std::uint32_t start(const Position& at) = 0;
  virtual std::uint32_t after(std::uint32_t state, const Choice& step) = 0;
  virtual std::string shown(std::uint32_t state) const = 0;
  virtual bool is_violated(std::uint32_t /*state*/) const { return false; }
  // Of a property: what it does not allow now.
  virtual std::vector<std::string> forbidden(std::uint32_t /*state*/) const { return {}; }

 private:
  std::string name_;
};

inline constexpr State kViolated{UINT32_MAX};  // of a property; it watches no more

// Where an action takes a property.
State property_after(const Property& property, State now, Action action);

// Properties, the fluents of assertions, and assertions that can be found false.
Outcome<Watchers> network_watchers(const Model& model, const WatchedNames& names);

// The propositions of ltl blocks, those blocks that can be found false, and never claims. The machine must outlive
// them.
Outcome<Watchers> program_watchers(const Model& model, PromelaMachine& machine, const WatchedNames& names);

// Whether this one is to be watched.
bool is_watched(const WatchedNames& names, const std::string& name);

// How the state of a watch is shown: "holds so far", "holds whatever comes", "violated".
std::string shown_watch(const MachineWatch& watch, std::uint32_t state);

}  // namespace surety::api
