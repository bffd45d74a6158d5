#include "lang/net/group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "product/compose.hpp"

namespace surety::net {
namespace {

using Why = SharedVariable::Why;

// In states, steps and actions of all products that are tried: a second or two.
constexpr std::uint64_t kMostWork = 3'000'000;

std::uint64_t size_of(const Lts& lts) { return lts.state_count() + lts.transition_count(); }

class Grouper {
 public:
  Grouper(std::vector<Component>& components, std::size_t processes, std::vector<Candidate> candidates,
          const GroupMade& made, Budget& budget)
      : components_(components), made_(made), budget_(budget), processes_(processes), gone_(components.size(), false) {
    for (Candidate& candidate : candidates) variables_.push_back({std::move(candidate)});
  }

  std::vector<bool> run() {
    for (bool again = true; again;) {
      again = false;
      for (Variable* v : unsettled())
        if (budget_.go_on()) again = consider(*v) || again;
    }
    for (Variable& v : variables_) v.variable->component = components_[v.component].name;
    drop(components_, gone_);
    return std::move(gone_);
  }

 private:
  struct Variable : Candidate {  // its component: that it is, or is in
    bool settled = false;        // with these users
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
    SharedVariable& variable = *v.variable;
    v.settled = true;
    variable.apart = size_apart(v);
    variable.users.clear();
    for (const std::size_t u : v.users) variable.users.push_back(components_[u].name);
    if (v.users.empty() || v.users.size() >= processes_) return stays(v, Why::everybody);

    std::vector<const Lts*> members;
    for (const std::size_t u : v.users) members.push_back(&components_[u].lts);
    members.push_back(&components_[v.component].lts);
    const std::uint64_t left = kMostWork - std::min(work_, kMostWork), most = std::min(variable.apart, left);
    Budget own(budget_.rest(), budget_.interrupt_flag());
    std::vector<std::vector<State>> tuples;
    auto product = compose(members, own, nullptr, &tuples, most);
    work_ += product ? size_of(*product) + product->alphabet().size() : most;
    if (own.why() != Stop::none) return stays(v, Why::effort);
    if (product && product->error()) return stays(v, Why::fails);
    if (!product || size_of(*product) >= most) return stays(v, left < variable.apart ? Why::effort : Why::larger);
    merge(v, std::move(*product), tuples);
    return true;
  }

  static bool stays(Variable& v, Why why) {
    v.variable->why = why;
    return false;
  }

  // The group takes the place of its first process, and the names of all of them.
  void merge(Variable& v, Lts product, const std::vector<std::vector<State>>& tuples) {
    const std::size_t group = v.users.front();
    v.variable->why = Why::smaller;
    v.variable->together = size_of(product);
    std::vector<std::size_t> members = v.users;
    members.push_back(v.component);
    made_(members, tuples);
    components_[group] = {fmt::format("{}", fmt::join(v.variable->users, "+")), std::move(product)};

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
      other.settled = other.variable->why == Why::smaller;
    }
  }

  std::vector<Component>& components_;
  const GroupMade& made_;
  Budget& budget_;
  std::size_t processes_;   // how many components have a process
  std::vector<bool> gone_;  // by component: it has become part of another component
  std::vector<Variable> variables_;
  std::uint64_t work_ = 0;
};

}  // namespace

std::vector<bool> group_variables(std::vector<Component>& components, std::size_t processes,
                                  std::vector<Candidate> candidates, const GroupMade& made, Budget& budget) {
  return Grouper(components, processes, std::move(candidates), made, budget).run();
}

}  // namespace surety::net
