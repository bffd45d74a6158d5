#include "rules/merge.hpp"

namespace surety {
namespace {

class Merger {
 public:
  explicit Merger(std::vector<LocalTrace> locals)
      : locals_(std::move(locals)), at_(locals_.size(), 0), waiting_(locals_.size(), false) {
    for (LocalTrace& local : locals_)
      std::erase_if(local.trace, [&](Action a) { return a != kTau && !local.alphabet.contains(a); });
  }

  Merged run() {
    while (at_[0] < locals_[0].trace.size() && advance(0)) continue;
    return std::move(merged_);
  }

 private:
  // Lets part i do its next action, and before that whatever its partners do first.
  bool advance(std::size_t i) {
    const Action a = locals_[i].trace[at_[i]];
    waiting_[i] = true;
    if (a != kTau)
      for (std::size_t j = 0; j < locals_.size(); ++j)
        if (j != i && locals_[j].alphabet.contains(a) && !ready(j, a)) return false;
    waiting_[i] = false;
    merged_.trace.push_back(a);
    if (a == kTau) {
      ++at_[i];
      return true;
    }
    for (std::size_t j = 0; j < locals_.size(); ++j) at_[j] += locals_[j].alphabet.contains(a);
    return true;
  }

  bool ready(std::size_t j, Action a) {
    while (at_[j] < locals_[j].trace.size() && locals_[j].trace[at_[j]] != a)
      if (waiting_[j] || !advance(j)) return give_up(a);
    return at_[j] < locals_[j].trace.size() || give_up(a);
  }

  bool give_up(Action a) {
    std::vector<Action> stuck{a};
    for (std::size_t i = 0; i < locals_.size(); ++i)
      if (waiting_[i]) stuck.push_back(locals_[i].trace[at_[i]]);
    merged_.stuck = unite(merged_.stuck, Alphabet(stuck));
    return false;
  }

  std::vector<LocalTrace> locals_;
  std::vector<std::size_t> at_;
  std::vector<bool> waiting_;
  Merged merged_;
};

}  // namespace

Merged merge(std::vector<LocalTrace> locals) { return Merger(std::move(locals)).run(); }

Word who_has(std::span<const LocalTrace> locals, const Alphabet& actions) {
  for (const LocalTrace& local : locals)
    if (!intersect(local.alphabet, actions).empty()) return local.trace;
  return {};
}

}  // namespace surety
