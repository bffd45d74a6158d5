// A position of a network: the states of the components, then those of the properties.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "api/watch.hpp"
#include "check/explain.hpp"

namespace surety::api {
namespace {

using Tuple = std::vector<State>;

class NetworkWalker final : public Walker {
 public:
  explicit NetworkWalker(Model m) : Walker(std::move(m)), all_(alphabet_of(model().network)) {
    for (const Property& p : model().properties) all_ = unite(all_, p.lts.alphabet());
    const Network whole = whole_network(model());
    std::vector<const Lts*> parts;
    for (const Component& c : whole.components) parts.push_back(&c.lts);
    may_terminate_ = may_terminate(parts);
  }

  Choice start() override {
    Choice out;
    arrive(out, Tuple(components().size() + properties().size(), State{0}));
    return out;
  }

  std::vector<Choice> choices(const Position& at) override {
    const Tuple now = tuple_of(at);
    std::vector<Choice> out;
    for (std::uint32_t c = 0; c < components().size(); ++c)
      for (const Step& step : components()[c].lts.steps(now[c], kTau)) {
        Choice& choice = out.emplace_back();
        choice.component = c;
        Tuple next = now;
        next[c] = step.target;
        arrive(choice, next);
      }
    for (const Action a : all_) add_choices(now, a, out);
    // While a high action can happen, no low one does.
    const Priority* priority = model().priority();
    const auto high = [&](const Choice& choice) { return priority->is_high(choice.action); };
    if (priority != nullptr && std::ranges::any_of(out, high))
      std::erase_if(out, [&](const Choice& choice) { return !high(choice); });
    return out;
  }

  bool may_end(const Position& at) override {
    if (!may_terminate_) return false;
    const Tuple now = tuple_of(at);
    for (std::size_t c = 0; c < components().size(); ++c)
      if (const Lts& lts = components()[c].lts; lts.end() && lts.end() != now[c]) return false;
    return true;
  }

  TraceStep shown(const Position& /*at*/, const Choice& choice) override { return {name(choice), {}}; }

  std::vector<std::string> takes_part(const Choice& choice) override {
    if (choice.action == kTau) return {components()[choice.component].name};
    std::vector<std::string> out;
    for (const Component& c : components())
      if (c.lts.alphabet().contains(choice.action)) out.push_back(c.name);
    return out;
  }

  std::vector<State> states(const Position& at) override {
    Tuple out = tuple_of(at);
    out.resize(components().size());
    return out;
  }

  std::vector<Value> values(const Position& at) override {
    const Tuple now = tuple_of(at);
    std::vector<Value> out;
    for (std::size_t c = 0; c < components().size(); ++c)
      out.push_back({components()[c].name, shown_state(model(), c, now[c])});
    return out;
  }

  std::vector<Stand> stands(const Position& at) override { return stands_at(model(), states(at)); }

  std::string printed(const Position& /*at*/, const Choice& /*choice*/) override { return {}; }

  Outcome<Watchers> watchers(const WatchedNames& names) override { return network_watchers(model(), names); }

 private:
  const std::vector<Component>& components() const { return model().network.components; }
  const std::vector<Property>& properties() const { return model().properties; }

  void add_choices(const Tuple& now, Action a, std::vector<Choice>& out) const {
    std::vector<Tuple> nexts{now};
    for (std::size_t c = 0; c < components().size() && !nexts.empty(); ++c) {
      const Lts& lts = components()[c].lts;
      if (!lts.alphabet().contains(a)) continue;
      std::vector<Tuple> more;
      for (const Tuple& next : nexts)
        for (const Step& step : lts.steps(now[c], a)) {
          more.push_back(next);
          more.back()[c] = step.target;
        }
      nexts = std::move(more);
    }
    if (nexts.empty()) return;
    Choice made;
    made.action = a;
    for (std::size_t p = 0; p < properties().size(); ++p) {
      const std::size_t place = components().size() + p;
      const State then = property_after(properties()[p], now[place], a);
      if (then == kViolated && now[place] != kViolated) made.violated.push_back(properties()[p].name);
      for (Tuple& next : nexts) next[place] = then;
    }
    for (const Tuple& next : nexts) {
      out.push_back(made);
      arrive(out.back(), next);
    }
  }

  void arrive(Choice& choice, const Tuple& tuple) const {
    std::vector<std::string> failed;
    for (std::size_t c = 0; c < components().size(); ++c)
      if (components()[c].lts.error() == tuple[c]) failed.push_back(components()[c].name);
    if (!failed.empty()) choice.error = fmt::format("{} in ERROR", fmt::join(failed, ", "));
    choice.target.resize(tuple.size() * sizeof(std::uint32_t));
    for (std::size_t i = 0; i < tuple.size(); ++i)
      std::memcpy(choice.target.data() + i * sizeof(std::uint32_t), &tuple[i].value, sizeof(std::uint32_t));
  }

  static Tuple tuple_of(const Position& at) {
    Tuple out(at.size() / sizeof(std::uint32_t));
    for (std::size_t i = 0; i < out.size(); ++i)
      std::memcpy(&out[i].value, at.data() + i * sizeof(std::uint32_t), sizeof(std::uint32_t));
    return out;
  }

  Alphabet all_;
  bool may_terminate_ = false;
};

}  // namespace

std::unique_ptr<Walker> network_walker(Model model) { return std::make_unique<NetworkWalker>(std::move(model)); }

}  // namespace surety::api
