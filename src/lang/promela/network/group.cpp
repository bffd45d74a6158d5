#include "lang/promela/network/group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "model/sequence_table.hpp"

namespace surety::promela::net {
namespace {

using Why = PromelaGlobal::Why;

// In states, steps and actions of all products that are tried: a second or two.
constexpr std::uint64_t kMostWork = 3'000'000;

std::uint64_t size_of(const Lts& lts) { return lts.state_count() + lts.transition_count(); }

// The reachable product of some components, breadth first, as long as it is smaller than `limit`.
class Product {
 public:
  enum class End : std::uint8_t { done, too_large, error, stopped };

  Product(std::vector<const Lts*> members, std::uint64_t limit) : members_(std::move(members)), limit_(limit) {
    for (const Lts* lts : members_) alphabet_ = unite(alphabet_, lts->alphabet());
    who_.resize(alphabet_.size());
    for (std::uint32_t m = 0; m < members_.size(); ++m)
      for (const Action a : members_[m]->alphabet()) who_[*alphabet_.index(a)].push_back(m);
  }

  End run(Budget& budget) {
    next_.assign(members_.size(), 0);
    tuples_.intern(next_);
    for (std::uint32_t s = 0; s < tuples_.size(); ++s) {
      if ((s & 63) == 0 && !budget.go_on()) return End::stopped;
      expand(s);
      if (error_) return End::error;
      if (cut_ || size() >= limit_) return End::too_large;
    }
    return End::done;
  }

  std::uint64_t size() const { return tuples_.size() + steps_; }
  std::uint64_t work() const { return size() + alphabet_.size(); }

  // Once it is done.
  Lts lts() { return writer_.build(alphabet_, {}, {}); }
  std::vector<bool> ended(const std::vector<const std::vector<bool>*>& of_members) const {
    std::vector<bool> out;
    for (std::uint32_t s = 0; s < tuples_.size(); ++s) {
      bool all = true;
      for (std::size_t m = 0; m < of_members.size(); ++m)
        all = all && (of_members[m]->empty() || (*of_members[m])[tuples_[s][m]]);
      out.push_back(all);
    }
    return out;
  }

 private:
  // A visible action is expanded once, at the first member that has it in its alphabet.
  void expand(std::uint32_t s) {
    now_.assign(tuples_[s].begin(), tuples_[s].end());
    next_ = now_;
    row_.clear();
    for (std::uint32_t m = 0; m < members_.size(); ++m) {
      Action last = kTau;
      for (const Step& step : members_[m]->steps(State{now_[m]})) {
        if (step.action == kTau) {
          next_[m] = step.target.value;
          add(kTau);
          next_[m] = now_[m];
        } else if (step.action != last) {
          last = step.action;
          const auto& who = who_[*alphabet_.index(last)];
          if (who.front() == m) join(last, who);
        }
      }
    }
    std::sort(row_.begin(), row_.end());
    row_.erase(std::unique(row_.begin(), row_.end()), row_.end());  // silent steps of two that stay where they are
    for (const Step& step : row_) writer_.add_step(step.action, step.target);
    writer_.end_state();
    steps_ += row_.size();
  }

  // All combinations of the steps of these members; none if one member has no step.
  void join(Action a, std::span<const std::uint32_t> who) {
    if (who.empty()) return add(a);
    const std::uint32_t m = who.front();
    for (const Step& step : members_[m]->steps(State{now_[m]}, a)) {
      next_[m] = step.target.value;
      join(a, who.subspan(1));
      cut_ = cut_ || row_.size() > limit_;
      if (cut_) break;
    }
    next_[m] = now_[m];
  }

  void add(Action a) {
    for (std::size_t m = 0; m < members_.size(); ++m) error_ = error_ || members_[m]->error() == State{next_[m]};
    row_.push_back({a, State{tuples_.intern(next_)}});
  }

  const std::vector<const Lts*> members_;
  const std::uint64_t limit_;
  Alphabet alphabet_;
  std::vector<std::vector<std::uint32_t>> who_;  // by action: the members that have it
  SequenceTable tuples_;                         // by state: the states of the members
  LtsWriter writer_;
  std::uint64_t steps_ = 0;
  bool error_ = false;
  bool cut_ = false;  // some steps are left out
  std::vector<std::uint32_t> now_, next_;
  std::vector<Step> row_;  // the steps of the state that is expanded
};

class Grouper {
 public:
  Grouper(PromelaNetwork& promela, std::size_t processes, std::vector<std::vector<std::size_t>> users, Budget& budget)
      : promela_(promela),
        components_(promela.network.components),
        budget_(budget),
        processes_(processes),
        gone_(components_.size(), false) {
    std::size_t v = 0;
    for (PromelaGlobal& global : promela.globals)
      if (!global.component.empty()) {
        variables_.push_back({&global, processes + v, std::move(users[v])});
        ++v;
      }
  }

  void run() {
    for (bool again = true; again;) {
      again = false;
      for (Variable* v : unsettled())
        if (budget_.go_on()) again = consider(*v) || again;
    }
    for (Variable& v : variables_) v.global->component = components_[v.component].name;
    for (std::size_t i = components_.size(); i-- > 0;)
      if (gone_[i]) {
        components_.erase(components_.begin() + static_cast<std::ptrdiff_t>(i));
        promela_.ended.erase(promela_.ended.begin() + static_cast<std::ptrdiff_t>(i));
      }
  }

 private:
  struct Variable {
    PromelaGlobal* global;
    std::size_t component;           // that it is, or is in
    std::vector<std::size_t> users;  // components with processes, in order
    bool settled = false;            // with these users
  };

  std::uint64_t size_apart(const Variable& v) const {
    std::uint64_t size = size_of(components_[v.component].lts);
    for (const std::size_t u : v.users) size += size_of(components_[u].lts);
    return size;
  }

  // The variables that still have to be considered. Those with few and small users come first: they are most likely to
  // make the network smaller, and cost least to try.
  std::vector<Variable*> unsettled() {
    std::vector<std::pair<std::pair<std::size_t, std::uint64_t>, Variable*>> found;
    for (Variable& v : variables_)
      if (!v.settled) found.push_back({{v.users.size(), size_apart(v)}, &v});
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Variable*> out;
    for (const auto& [key, v] : found) out.push_back(v);
    return out;
  }

  // Tries to put the variable and its users into one component: did that make the network smaller?
  bool consider(Variable& v) {
    PromelaGlobal& global = *v.global;
    v.settled = true;
    global.apart = size_apart(v);
    global.users.clear();
    for (const std::size_t u : v.users) global.users.push_back(components_[u].name);
    if (v.users.empty() || v.users.size() >= processes_) return stays(v, Why::everybody);

    std::vector<const Lts*> members;
    for (const std::size_t u : v.users) members.push_back(&components_[u].lts);
    members.push_back(&components_[v.component].lts);
    const std::uint64_t left = kMostWork - std::min(work_, kMostWork);
    Product product(std::move(members), std::min(global.apart, left));
    const Product::End end = product.run(budget_);
    work_ += product.work();
    switch (end) {
      case Product::End::done: return merge(v, product);
      case Product::End::error: return stays(v, Why::fails);
      case Product::End::stopped: return stays(v, Why::effort);
      case Product::End::too_large: break;
    }
    return stays(v, left < global.apart ? Why::effort : Why::larger);
  }

  static bool stays(Variable& v, Why why) {
    v.global->why = why;
    return false;
  }

  // The group takes the place of its first process, and the names of all of them.
  bool merge(Variable& v, Product& product) {
    std::vector<const std::vector<bool>*> ended;
    for (const std::size_t u : v.users) ended.push_back(&promela_.ended[u]);
    ended.push_back(&promela_.ended[v.component]);
    const std::size_t group = v.users.front();
    std::vector<bool> all_ended = product.ended(ended);
    v.global->why = Why::smaller;
    v.global->together = product.size();
    components_[group] = {fmt::format("{}", fmt::join(v.global->users, "+")), product.lts()};
    promela_.ended[group] = std::move(all_ended);

    const std::vector<std::size_t> users = v.users;
    const auto is_user = [&](std::size_t c) { return std::find(users.begin(), users.end(), c) != users.end(); };
    gone_[v.component] = true;
    v.component = group;
    for (const std::size_t u : users) gone_[u] = u != group;
    processes_ -= users.size() - 1;
    for (Variable& other : variables_) {
      if (is_user(other.component)) other.component = group;  // it is in one of them already
      if (std::none_of(other.users.begin(), other.users.end(), is_user)) continue;
      std::erase_if(other.users, is_user);
      other.users.insert(std::upper_bound(other.users.begin(), other.users.end(), group), group);
      other.settled = other.global->why == Why::smaller;
    }
    return true;
  }

  PromelaNetwork& promela_;
  std::vector<Component>& components_;
  Budget& budget_;
  std::size_t processes_;   // how many components have a process
  std::vector<bool> gone_;  // by component: it has become part of another component
  std::vector<Variable> variables_;
  std::uint64_t work_ = 0;
};

}  // namespace

void group_globals(PromelaNetwork& promela, std::size_t processes, std::vector<std::vector<std::size_t>> users,
                   Budget& budget) {
  Grouper(promela, processes, std::move(users), budget).run();
}

}  // namespace surety::promela::net
