// Tasks and protected objects that are explored state by state, as far as they are asked for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lang/ada/network/explore.hpp"

namespace surety::ada {

class StepwiseTask {
 public:
  virtual ~StepwiseTask() = default;
  virtual void begin() = 0;  // state 0 is there afterwards
  // Adds edges, and asks, of the state; what it does goes to the environment.
  virtual void expand_state(std::uint32_t state) = 0;
  // The same, of accepted calls those that are wanted only. Later it can be asked for other calls, without the rest.
  using Wanted = std::function<bool(std::uint32_t entry, const Values& values)>;
  virtual void expand_state(std::uint32_t state, const Wanted& wanted, bool calls_only) = 0;
  virtual bool refused() const = 0;
};

class StepwiseObject {
 public:
  using Ways = std::vector<std::pair<Outcome, std::uint32_t>>;  // outcomes, and the states after them
  virtual ~StepwiseObject() = default;
  virtual void begin() = 0;  // state 0 is there afterwards
  virtual const Ways& ways(std::uint32_t state, std::uint32_t operation, const Values& parameters) = 0;
  virtual bool closed(std::uint32_t state, std::uint32_t operation) const = 0;  // once ways were asked for
  // If its queues can be seen: all steps of a state, with those who wait and those who may call.
  virtual bool has_queues() const = 0;
  virtual const std::vector<ObjectGraph::Edge>& steps(std::uint32_t state) = 0;
  // The variables that are kept with it.
  virtual Value outside_value(std::uint32_t state, std::uint32_t slot) const = 0;
  virtual std::uint32_t with_value(std::uint32_t state, std::uint32_t slot, Value value) = 0;
  virtual std::uint32_t made_anew(std::uint32_t state) = 0;
  virtual void finish() = 0;  // all edges are in the graph afterwards
  virtual bool refused() const = 0;
};

std::unique_ptr<StepwiseTask> stepwise_task(const flow::Program& program, std::uint32_t task, Environment& environment,
                                            Budget& budget, TaskGraph& out);
std::unique_ptr<StepwiseObject> stepwise_object(const flow::Program& program, std::uint32_t object,
                                                Environment& environment, Budget& budget, ObjectGraph& out);

}  // namespace surety::ada
