// Tarjan's algorithm (1972) on the tau steps, with its own stack in place of recursion: a chain of
// a million tau steps is no rarity once actions are hidden.
#include "model/tau_components.hpp"

#include <algorithm>

namespace surety {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

class Tarjan {
 public:
  explicit Tarjan(const Lts& lts)
      : lts_(lts), component_(lts.state_count(), kNone), met_(lts.state_count(), kNone), low_(lts.state_count()) {}

  std::vector<std::uint32_t> run() {
    for (std::uint32_t s = 0; s < lts_.state_count(); ++s)
      if (met_[s] == kNone) search(s);
    return std::move(component_);
  }

 private:
  struct Frame {
    std::uint32_t state;
    std::uint32_t next;  // which of its tau steps comes next
  };

  void search(std::uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      auto& [s, next] = path_.back();
      const auto steps = lts_.steps(State{s});
      if (next == steps.size() || steps[next].action != kTau) {  // tau comes first
        leave();
        continue;
      }
      const std::uint32_t t = steps[next++].target.value;
      if (met_[t] == kNone)
        enter(t);
      else if (component_[t] == kNone)
        low_[s] = std::min(low_[s], met_[t]);
    }
  }

  void enter(std::uint32_t s) {
    met_[s] = low_[s] = time_++;
    open_.push_back(s);
    path_.push_back({s, 0});
  }

  void leave() {
    const std::uint32_t s = path_.back().state;
    path_.pop_back();
    if (!path_.empty()) low_[path_.back().state] = std::min(low_[path_.back().state], low_[s]);
    if (low_[s] != met_[s]) return;
    while (component_[s] == kNone) {  // s is the first state met of its component: it lies lowest
      component_[open_.back()] = components_;
      open_.pop_back();
    }
    ++components_;
  }

  const Lts& lts_;
  std::vector<std::uint32_t> component_;
  std::vector<std::uint32_t> met_;   // when the search met the state
  std::vector<std::uint32_t> low_;   // the earliest open state that is known to be reachable from it
  std::vector<std::uint32_t> open_;  // met, but not yet in a component
  std::vector<Frame> path_;
  std::uint32_t time_ = 0;
  std::uint32_t components_ = 0;
};

}  // namespace

std::vector<std::uint32_t> tau_components(const Lts& lts) { return Tarjan(lts).run(); }

}  // namespace surety
