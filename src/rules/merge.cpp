#include "rules/merge.hpp"

namespace surety {
namespace {

class Merger {
 public:
  explicit Merger(std::vector<Share> shares)
      : shares_(std::move(shares)), at_(shares_.size(), 0), waiting_(shares_.size(), false) {
    for (Share& share : shares_)
      std::erase_if(share.trace, [&](Action a) { return a != kTau && !share.alphabet.contains(a); });
  }

  Merged run() {
    while (at_[0] < shares_[0].trace.size() && advance(0)) continue;
    return std::move(merged_);
  }

 private:
  // Lets part i do its next action, and before that whatever its partners do first.
  bool advance(std::size_t i) {
    const Action a = shares_[i].trace[at_[i]];
    waiting_[i] = true;
    if (a != kTau)
      for (std::size_t j = 0; j < shares_.size(); ++j)
        if (j != i && shares_[j].alphabet.contains(a) && !ready(j, a)) return false;
    waiting_[i] = false;
    merged_.trace.push_back(a);
    if (a == kTau) return ++at_[i], true;
    for (std::size_t j = 0; j < shares_.size(); ++j) at_[j] += shares_[j].alphabet.contains(a);
    return true;
  }

  bool ready(std::size_t j, Action a) {
    while (at_[j] < shares_[j].trace.size() && shares_[j].trace[at_[j]] != a)
      if (waiting_[j] || !advance(j)) return give_up(a);
    return at_[j] < shares_[j].trace.size() || give_up(a);
  }

  bool give_up(Action a) {
    std::vector<Action> stuck{a};
    for (std::size_t i = 0; i < shares_.size(); ++i)
      if (waiting_[i]) stuck.push_back(shares_[i].trace[at_[i]]);
    merged_.stuck = unite(merged_.stuck, Alphabet(stuck));
    return false;
  }

  std::vector<Share> shares_;
  std::vector<std::size_t> at_;
  std::vector<bool> waiting_;
  Merged merged_;
};

}  // namespace

Merged merge(std::vector<Share> shares) { return Merger(std::move(shares)).run(); }

}  // namespace surety
