// Whether what a running Ada program did is what its network can do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lang/ada/network/network.hpp"

namespace surety {

// What one run wrote down: see gate/gate.ads.
struct Observed {
  struct Line {
    char kind = 'a';
    std::string name, more;
  };
  std::vector<Line> lines;
  std::string how;  // end, hang; nothing: it crashed
  std::string text;
};

Observed observed(const std::string& output);

// Traces without what says who, which is left out if only one can.
std::set<std::string> without_names(const std::set<std::string>& traces);

// The network of a program, and the states that it can be in after some of its visible steps. Steps that no run writes
// down count as silent.
class Follower {
 public:
  using Place = std::vector<std::uint32_t>;  // a state of each component
  using Places = std::set<Place>;

  // Not there: it is refused, and `why` tells it.
  static std::unique_ptr<Follower> make(const std::string& text, const std::string& file, std::string& why,
                                        const AdaNetworkOptions& options = {});

  // Nothing: it is a trace, and ends as it can end. Else what is wrong.
  std::string follow(const Observed& run);

  // All complete traces, if there are at most so many. Each is a sequence of names, with "=" and how it ends.
  std::optional<std::set<std::string>> traces(std::size_t most);
  // The trace that this run is.
  std::string trace_of(const Observed& run) const;

  const AdaNetwork& network() const { return network_; }
  const ActionTable& actions() const { return actions_; }
  bool too_large() const { return too_large_; }

 private:
  Follower() = default;
  std::vector<Action> meanings(const Observed::Line& line) const;
  bool is_skipped(const Observed::Line& line) const;
  bool is_internal(const std::string& name) const;
  void close(Places& places);
  Places after(const Places& places, Action action);
  void successors(const Place& place, Action action, Places& out) const;
  bool ended(const Place& place) const;
  bool stuck(const Place& place) const;
  std::set<std::string> offered(const Places& places) const;
  bool enumerate(const Places& places, const std::string& so_far, std::size_t most, std::set<std::string>& out,
                 int depth);

  AdaProgram program_;
  ActionTable actions_;
  AdaNetwork network_;
  std::vector<std::vector<std::size_t>> users_;  // by action: the components that have it
  std::vector<Action> internal_, visible_;
  std::set<std::string> names_;
  std::set<std::string> variables_;
  bool too_large_ = false;
};

}  // namespace surety
