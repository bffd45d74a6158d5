// What can happen next in a system: one meaning for walks at random, along a script or a file, and by hand.
//
// Properties of the system watch and keep nothing from happening; one that has been violated watches no more. A step
// that violates one, or leads to ERROR or another fault, is a choice like others. A walk is over after it, unless it
// follows a trace that goes on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/check.hpp"
#include "load/load.hpp"
#include "load/trace_file.hpp"
#include "model/machine.hpp"

namespace surety::api {

using Position = std::vector<std::uint8_t>;  // where the whole system is; equal positions have equal bytes

struct Choice {
  Action action = kTau;
  MachineStep step = {};                   // of a program
  std::uint32_t component = 0;             // of a silent step of a network: whose it is
  Position target = {};                    // empty: nothing comes after it
  std::string error = {};                  // what is wrong then
  std::vector<std::string> violated = {};  // the properties that it violates

  bool is_wrong() const { return !error.empty() || !violated.empty(); }
};

class Watcher;  // walk/watch.hpp
using Watchers = std::vector<std::unique_ptr<Watcher>>;
// The names of assertions, formulas and claims that are to be watched; nothing: all that there are.
using WatchedNames = std::optional<std::vector<std::string>>;

class Walker {
 public:
  explicit Walker(Model model) : model_(std::move(model)) {}
  virtual ~Walker() = default;

  const Model& model() const { return model_; }
  std::string name(const Choice& choice) const;

  virtual Choice start() = 0;  // its target is the initial position
  virtual std::vector<Choice> choices(const Position& at) = 0;
  virtual bool may_end(const Position& at) = 0;  // if nothing can happen: it has ended, and is no deadlock
  // Of a network: visible actions that some component could do now, and that are not among the choices.
  struct Refused {
    Action action = kTau;
    std::vector<std::string> by = {};  // components; none: one of higher priority is possible
  };
  virtual std::vector<Refused> refused(const Position& at) = 0;

  // For people.
  virtual TraceStep shown(const Position& at, const Choice& choice) = 0;  // of a network without parts
  virtual std::vector<std::string> takes_part(const Choice& choice) = 0;  // of a network
  virtual std::vector<State> states(const Position& at) = 0;              // of a network, by component
  struct Value {
    std::string name, value;
  };
  virtual std::vector<Value> values(const Position& at) = 0;      // of variables and channels, or states of components
  virtual std::vector<Value> properties(const Position& at) = 0;  // of a network: their states, or "violated"
  virtual std::vector<Stand> stands(const Position& at) = 0;      // where each process is, and what it waits for
  virtual std::string printed(const Position& at, const Choice& choice) = 0;
  // The properties, and what can be told of formulas. They must not outlive the walker. A formula may make no sense.
  virtual Outcome<Watchers> watchers(const WatchedNames& names) = 0;

 private:
  Model model_;
};

// "ERROR", "END", the name that the text gives the state of this component, or its number.
std::string shown_state(const Model& model, std::size_t component, State state);

// "P:7 x = 3 (…)", or sender with receiver.
std::string who_does_what(const TraceStep& step);

Outcome<std::unique_ptr<Walker>> make_walker(Model model);
std::unique_ptr<Walker> network_walker(Model model);
Outcome<std::unique_ptr<Walker>> program_walker(Model model);

}  // namespace surety::api
