#include "load/walk.hpp"

#include <set>

namespace surety::api {
namespace {

constexpr std::size_t kMostTried = 50'000;  // standings

// Breadth first: all standings after each step, and where each comes from.
class Walker {
 public:
  Walker(const Network& network, const Trace& trace) : network_(network), trace_(trace) {}

  std::optional<std::vector<Standing>> run() {
    layers_.emplace_back();
    layers_[0].push_back({Standing(network_.components.size(), State{0}), 0});
    std::size_t tried = 0;
    for (const Action a : trace_) {
      seen_.clear();
      layers_.emplace_back();
      const auto& now = layers_[layers_.size() - 2];
      for (std::size_t i = 0; i < now.size(); ++i) {
        from_ = i;
        if (a == kTau)
          alone(now[i].standing);
        else
          together(now[i].standing, a, 0);
      }
      tried += layers_.back().size();
      if (layers_.back().empty() || tried > kMostTried) return std::nullopt;
    }
    std::vector<Standing> out(layers_.size());
    std::size_t at = 0;
    for (std::size_t l = layers_.size(); l-- > 0;) {
      out[l] = layers_[l][at].standing;
      at = layers_[l][at].before;
    }
    return out;
  }

 private:
  struct Reached {
    Standing standing;
    std::size_t before;  // in the layer before
  };

  void add(const Standing& standing) {
    std::vector<std::uint32_t> key;
    for (const State s : standing) key.push_back(s.value);
    if (seen_.insert(std::move(key)).second) layers_.back().push_back({standing, from_});
  }

  void alone(Standing standing) {
    for (std::size_t c = 0; c < standing.size(); ++c) {
      const State here = standing[c];
      for (const Step& step : network_.components[c].lts.steps(here, kTau)) {
        standing[c] = step.target;
        add(standing);
      }
      standing[c] = here;
    }
  }

  // All components from c on that have the action.
  void together(Standing standing, Action a, std::size_t c) {
    while (c < standing.size() && !network_.components[c].lts.alphabet().contains(a)) ++c;
    if (c == standing.size()) return add(standing);
    const State here = standing[c];
    for (const Step& step : network_.components[c].lts.steps(here, a)) {
      standing[c] = step.target;
      together(standing, a, c + 1);
    }
  }

  const Network& network_;
  const Trace& trace_;
  std::vector<std::vector<Reached>> layers_;
  std::set<std::vector<std::uint32_t>> seen_;
  std::size_t from_ = 0;
};

}  // namespace

std::optional<std::vector<Standing>> walk(const Network& network, const Trace& trace) {
  return Walker(network, trace).run();
}

}  // namespace surety::api
