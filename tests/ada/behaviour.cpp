#include "ada/behaviour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/sequence_table.hpp"

namespace surety {
namespace {

using Place = std::vector<std::uint32_t>;  // a state of each component

// The name without who does it.
std::string without_caller(const std::string& name, const flow::Program& program) {
  for (const char* word : {".from.", ".by."})
    for (const flow::Task& task : program.tasks)
      if (const std::string end = word + task.label; name.ends_with(end))
        return name.substr(0, name.size() - end.size());
  return name;
}

bool is_hidden(const std::string& name) {
  return name.find(".closed.by.") != std::string::npos || name.find(".callable.from.") != std::string::npos;
}

class Product {
 public:
  Product(const AdaNetwork& network, const flow::Program& program, const ActionTable& actions, Labels& labels)
      : network_(network), components_(network.network.components) {
    users_.resize(actions.size());
    labels_.resize(actions.size(), 0);
    for (std::uint32_t c = 0; c < components_.size(); ++c)
      for (const Action a : components_[c].lts.alphabet()) users_[a.value].push_back(c);
    const Alphabet own = network.own_accesses();
    for (const Action a : alphabet_of(network.network)) {
      if (own.contains(a)) continue;
      const std::string name(actions.name(a));
      std::vector<std::uint32_t> tasks;
      for (std::uint32_t t = 0; t < network.tasks.size(); ++t)
        if (std::ranges::find(users_[a.value], network.tasks[t].component) != users_[a.value].end()) tasks.push_back(t);
      // The task that is called may take part in this.
      if (name.find(".queued") != std::string::npos)
        std::erase_if(tasks, [&](std::uint32_t t) { return !name.ends_with(".from." + program.tasks[t].label); });
      if (!is_hidden(name)) labels_[a.value] = labels.number(label_of(without_caller(name, program), tasks));
    }
  }

  std::optional<Behaviour> run(std::size_t most) {
    Behaviour out;
    Place place(components_.size(), 0);
    states_.intern(place);
    for (std::uint32_t s = 0; s < states_.size(); ++s) {
      if (states_.size() > most) return std::nullopt;
      place.assign(states_[s].begin(), states_[s].end());
      auto& steps = out.steps.emplace_back();
      for (std::uint32_t c = 0; c < place.size(); ++c) {
        Action last = kTau;  // the steps are sorted by action
        for (const Step& step : components_[c].lts.steps(State{place[c]})) {
          if (step.action == kTau)
            move(place, c, step.target, steps);
          else if (step.action != last && users_[step.action.value][0] == c)
            together(place, step.action, 0, steps);
          last = step.action;
        }
      }
      out.ends.push_back(ended(place)    ? Behaviour::End::ended
                         : steps.empty() ? Behaviour::End::stuck
                                         : Behaviour::End::no);
    }
    return out;
  }

 private:
  void move(Place place, std::uint32_t c, State target, std::vector<Behaviour::Step>& out) {
    place[c] = target.value;
    out.push_back({0, states_.intern(place)});
  }

  // The steps of these users and all after them.
  void together(const Place& place, Action action, std::size_t user, std::vector<Behaviour::Step>& out) {
    if (user == users_[action.value].size()) {
      out.push_back({labels_[action.value], states_.intern(place)});
      return;
    }
    const std::uint32_t c = users_[action.value][user];
    for (const Step& step : components_[c].lts.steps(State{place[c]}, action)) {
      Place next = place;
      next[c] = step.target.value;
      together(next, action, user + 1, out);
    }
  }

  bool ended(const Place& place) const {
    return std::ranges::all_of(network_.tasks, [&](const AdaNetwork::Task& t) {
      return t.states[place[t.component]].mode == AdaNetwork::State::Mode::terminated;
    });
  }

  const AdaNetwork& network_;
  const std::vector<Component>& components_;
  std::vector<std::vector<std::uint32_t>> users_;  // by action: components
  std::vector<std::uint32_t> labels_;              // by action
  SequenceTable states_;
};

// Sets of states, closed under steps that nobody sees.
class Sets {
 public:
  using Set = std::vector<std::uint32_t>;

  explicit Sets(const Behaviour& behaviour) : behaviour_(behaviour), seen_(behaviour.steps.size(), 0) {}

  std::uint32_t number(Set states) {
    ++round_;
    Set closed;
    const auto add = [&](std::uint32_t s) {
      if (seen_[s] == round_) return;
      seen_[s] = round_;
      closed.push_back(s);
    };
    for (const std::uint32_t s : states) add(s);
    for (std::size_t i = 0; i < closed.size(); ++i)
      for (const auto& step : behaviour_.steps[closed[i]])
        if (step.label == 0) add(step.to);
    std::ranges::sort(closed);
    const std::uint32_t before = sets_.size();
    const std::uint32_t at = sets_.intern(closed);
    if (at == before) describe(closed);
    return at;
  }

  const std::map<std::uint32_t, Set>& steps(std::uint32_t set) const { return steps_[set]; }
  bool can(std::uint32_t set, Behaviour::End end) const { return (ends_[set] >> static_cast<int>(end) & 1) != 0; }

 private:
  void describe(const Set& states) {
    auto& steps = steps_.emplace_back();
    int ends = 0;
    for (const std::uint32_t s : states) {
      ends |= 1 << static_cast<int>(behaviour_.ends[s]);
      for (const auto& step : behaviour_.steps[s])
        if (step.label != 0) steps[step.label].push_back(step.to);
    }
    ends_.push_back(ends);
  }

  const Behaviour& behaviour_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t round_ = 0;
  SequenceTable sets_;
  std::vector<std::map<std::uint32_t, Set>> steps_;
  std::vector<int> ends_;
};

}  // namespace

std::uint32_t Labels::number(const std::string& name) {
  const auto [at, fresh] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (fresh) names_.push_back(name);
  return at->second;
}

std::string label_of(const std::string& name, std::vector<std::uint32_t> tasks) {
  std::ranges::sort(tasks);
  tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
  return fmt::format("{}@{}", name, fmt::join(tasks, ","));
}

std::optional<Behaviour> behaviour_of(const AdaNetwork& network, const flow::Program& program,
                                      const ActionTable& actions, Labels& labels, std::size_t most) {
  return Product(network, program, actions, labels).run(most);
}

Comparison compare(const Behaviour& first, const Behaviour& second, const Labels& labels, std::size_t most) {
  struct Pair {
    std::uint32_t first, second, from, label;
  };
  Comparison out;
  Sets one(first), other(second);
  std::vector<Pair> pairs{{one.number({0}), other.number({0}), 0, 0}};
  SequenceTable known;
  known.intern(std::vector<std::uint32_t>{pairs[0].first, pairs[0].second});
  const auto trace = [&](std::size_t at, const std::string& last) {
    std::vector<std::string> names{last};
    for (; at != 0; at = pairs[at].from) names.push_back(labels.name(pairs[at].label));
    std::ranges::reverse(names);
    return names;
  };
  const auto differ = [&](std::optional<std::vector<std::string>>& where, std::size_t at, const std::string& last) {
    if (!where) where = trace(at, last);
  };
  for (std::size_t i = 0; i < pairs.size() && !(out.only_first && out.only_second); ++i) {
    if (pairs.size() > most) return out.too_large = true, out;
    const Pair pair = pairs[i];
    for (const auto end : {Behaviour::End::stuck, Behaviour::End::ended}) {
      const char* name = end == Behaviour::End::stuck ? "=stuck" : "=end";
      const bool a = one.can(pair.first, end), b = other.can(pair.second, end);
      if (a && !b) differ(out.only_first, i, name);
      if (b && !a) differ(out.only_second, i, name);
    }
    const auto steps = one.steps(pair.first);
    const auto others = other.steps(pair.second);
    for (const auto& [label, to] : others)
      if (!steps.contains(label)) differ(out.only_second, i, labels.name(label));
    for (const auto& [label, to] : steps) {
      const auto found = others.find(label);
      if (found == others.end()) {
        differ(out.only_first, i, labels.name(label));
        continue;
      }
      const std::uint32_t a = one.number(to), b = other.number(found->second);
      const std::uint32_t before = known.size();
      if (known.intern(std::vector<std::uint32_t>{a, b}) == before)
        pairs.push_back({a, b, static_cast<std::uint32_t>(i), label});
    }
  }
  return out;
}

}  // namespace surety
