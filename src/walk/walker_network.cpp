// A position of a network: the states of the components, then those of the properties.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "certify/search.hpp"
#include "check/explain.hpp"
#include "lang/ada/network/network.hpp"
#include "product/compose.hpp"
#include "walk/watch.hpp"

namespace surety::api {
namespace {

using certify::Tuple;

class NetworkWalker final : public Walker {
 public:
  explicit NetworkWalker(Model m) : Walker(std::move(m)), all_(alphabet_of(model().network)) {
    for (const Property& p : model().properties) all_ = unite(all_, p.lts.alphabet());
    for (const Component& c : components()) parts_.push_back(&c.lts);
    participants_.emplace(parts_);
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

  std::vector<Refused> refused(const Position& at) override {
    const Tuple now = tuple_of(at);
    std::set<Action> possible;
    for (const Choice& choice : choices(at)) possible.insert(choice.action);
    std::set<Action> wanted;
    for (const std::size_t c : active())
      for (const Step& step : components()[c].lts.steps(now[c]))
        if (step.action != kTau && !possible.contains(step.action)) wanted.insert(step.action);
    std::vector<Refused> out;
    for (const Action a : wanted) {
      Refused& refused = out.emplace_back(Refused{a});
      for (std::size_t c = 0; c < components().size(); ++c)
        if (const Lts& lts = components()[c].lts; lts.alphabet().contains(a) && lts.steps(now[c], a).empty())
          refused.by.push_back(components()[c].name);
    }
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

  std::vector<Value> properties(const Position& at) override {
    const Tuple now = tuple_of(at);
    std::vector<Value> out;
    for (std::size_t p = 0; p < properties().size(); ++p) {
      const State state = now[components().size() + p];
      out.push_back({properties()[p].name, state == kViolated ? "violated" : std::to_string(state.value)});
    }
    return out;
  }

  std::vector<Stand> stands(const Position& at) override { return stands_at(model(), states(at)); }

  std::string printed(const Position& /*at*/, const Choice& /*choice*/) override { return {}; }

  Outcome<Watchers> watchers(const WatchedNames& names) override { return network_watchers(model(), names); }

 private:
  // Whose wishes count: variables and protected objects of Ada programs wait for nothing.
  std::vector<std::size_t> active() const {
    std::vector<std::size_t> out;
    for (std::size_t c = 0; c < components().size(); ++c)
      if (!model().ada_network || model().ada_network->parts[c].kind == AdaNetwork::Part::Kind::task) out.push_back(c);
    return out;
  }

  const std::vector<Component>& components() const { return model().network.components; }
  const std::vector<Property>& properties() const { return model().properties; }

  void add_choices(const Tuple& now, Action a, std::vector<Choice>& out) const {
    auto nexts = certify::joint_steps(parts_, participants_->of(a), now, a, [](std::size_t) { return true; });
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
  std::vector<const Lts*> parts_;  // the components
  std::optional<certify::Participants> participants_;
  bool may_terminate_ = false;
};

}  // namespace

std::unique_ptr<Walker> network_walker(Model model) { return std::make_unique<NetworkWalker>(std::move(model)); }

}  // namespace surety::api
