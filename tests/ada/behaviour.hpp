// What a system does, as an explicit graph, and whether two systems have the same visible traces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/ada/network/network.hpp"

namespace surety {

// Names of visible steps, the same for all graphs that are compared. 0: a step that nobody sees.
class Labels {
 public:
  std::uint32_t number(const std::string& name);
  const std::string& name(std::uint32_t label) const { return names_[label]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_{"tau"};
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

struct Behaviour {
  enum class End : std::uint8_t { no, stuck, ended };
  struct Step {
    std::uint32_t label, to;
  };
  std::vector<std::vector<Step>> steps;  // by state; the first one is the initial state
  std::vector<End> ends;
};

// "car.sync" with its participants: "car.sync@0,2", tasks by number. So it does not matter whether the name tells who
// calls.
std::string label_of(const std::string& name, std::vector<std::uint32_t> tasks);

// The product of the components; nothing: there are more states than that. What a conditional call finds out about the
// task or object that it calls is not seen, nor what tasks do to variables of their own that are components.
std::optional<Behaviour> behaviour_of(const AdaNetwork& network, const flow::Program& program,
                                      const ActionTable& actions, Labels& labels, std::size_t most);

// A trace of one that is none of the other. Its end tells how it differs: a step, or how it can end.
struct Comparison {
  std::optional<std::vector<std::string>> only_first, only_second;
  bool too_large = false;
};
Comparison compare(const Behaviour& first, const Behaviour& second, const Labels& labels, std::size_t most);

}  // namespace surety
