// Walks through a system: at random, or along a script of visible actions, with
// silent steps taken where the script needs them.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "api/commands.hpp"
#include "api/program.hpp"
#include "base/random.hpp"

namespace surety::api {
namespace {

using Tuple = std::vector<State>;

struct Move {
  Action action;
  Tuple target;
  friend auto operator<=>(const Move&, const Move&) = default;
};

// Everything the whole system can do from here.
std::vector<Move> moves(const Network& network, const Alphabet& all, const Priority* priority, const Tuple& tuple) {
  std::vector<Move> out;
  for (std::size_t c = 0; c < tuple.size(); ++c)
    for (const Step& step : network.components[c].lts.steps(tuple[c], kTau)) {
      out.push_back({kTau, tuple});
      out.back().target[c] = step.target;
    }
  for (const Action a : all) {
    std::vector<Tuple> nexts{tuple};
    for (std::size_t c = 0; c < tuple.size(); ++c) {
      if (!network.components[c].lts.alphabet().contains(a)) continue;
      std::vector<Tuple> more;
      for (const Tuple& next : nexts)
        for (const Step& step : network.components[c].lts.steps(tuple[c], a)) {
          more.push_back(next);
          more.back()[c] = step.target;
        }
      nexts = std::move(more);
    }
    for (Tuple& next : nexts) out.push_back({a, std::move(next)});
  }
  // While a high action can happen, no low one does.
  auto high = [&](const Move& move) { return priority->is_high(move.action); };
  if (priority != nullptr && std::any_of(out.begin(), out.end(), high))
    std::erase_if(out, [&](const Move& move) { return !high(move); });
  return out;
}

class Simulator {
 public:
  Simulator(const SimulateRequest& request, Model model)
      : request_(request), all_(alphabet_of(model.network)), budget_(request.limits, request.interrupted) {
    result_.model = std::move(model);
  }

  Simulation random_walk() {
    Random random(request_.seed);
    Tuple now(network().components.size(), State{0});
    Action by = kTau;
    for (std::uint64_t i = 0;; ++i) {
      const auto next = moves(network(), all_, result_.model.priority(), now);
      record(i == 0 ? "" : name(by), now, next);
      result_.deadlock = next.empty();
      if (next.empty() || i == request_.steps || !budget_.go_on()) break;
      const auto& move = next[random.below(static_cast<std::uint32_t>(next.size()))];
      by = move.action;
      now = move.target;
    }
    result_.why = budget_.why();
    return std::move(result_);
  }

  // Breadth first through (place in the script, tuple); the way that gets furthest is shown.
  Simulation scripted(const Trace& script) {
    struct Reached {
      std::size_t from;
      Action by;
      std::size_t place;
      Tuple tuple;
    };
    std::vector<Reached> reached{{0, kTau, 0, Tuple(network().components.size(), State{0})}};
    std::set<std::pair<std::size_t, Tuple>> seen{{0, reached[0].tuple}};
    std::size_t best = 0;
    for (std::size_t i = 0; i < reached.size() && reached[best].place < script.size() && budget_.go_on(); ++i) {
      const auto [from, by, place, tuple] = reached[i];
      for (const auto& move : moves(network(), all_, result_.model.priority(), tuple)) {
        if (move.action != kTau && move.action != script[place]) continue;
        const std::size_t next = place + (move.action == kTau ? 0 : 1);
        if (!seen.emplace(next, move.target).second) continue;
        reached.push_back({i, move.action, next, move.target});
        if (next > reached[best].place) best = reached.size() - 1;
        if (next == script.size()) break;
      }
    }
    std::vector<std::size_t> way;
    for (std::size_t i = best; i != 0; i = reached[i].from) way.push_back(i);
    way.push_back(0);
    std::reverse(way.begin(), way.end());
    for (const std::size_t i : way)
      record(i == 0 ? "" : name(reached[i].by), reached[i].tuple,
             moves(network(), all_, result_.model.priority(), reached[i].tuple));
    const std::size_t place = reached[best].place;
    result_.why = budget_.why();
    if (place < script.size() && result_.why == Stop::none)
      result_.stuck = Simulation::Stuck{place + 1, name(script[place])};
    result_.deadlock = result_.moments.back().enabled.empty();
    return std::move(result_);
  }

 private:
  const Network& network() const { return result_.model.network; }
  std::string name(Action a) const { return std::string(result_.model.actions->name(a)); }
  void record(std::string action, const Tuple& tuple, const std::vector<Move>& next) {
    std::set<std::string> enabled;
    for (const auto& move : next) enabled.insert(name(move.action));
    result_.moments.push_back({std::move(action), tuple, {enabled.begin(), enabled.end()}});
  }

  const SimulateRequest& request_;
  Alphabet all_;
  Budget budget_;
  Simulation result_;
};

bool is_silent(const std::string& name) { return name == "tau" || name == "i"; }

// A step of the script as the user counts: silent ones too.
std::size_t counted(const std::vector<std::string>& script, std::size_t step) {
  std::size_t i = 0;
  for (; i < script.size() && step > 0; ++i)
    if (!is_silent(script[i])) --step;
  return i;
}

Outcome<Simulation> walk(const SimulateRequest& request) {
  Budget budget(request.limits, request.interrupted);
  auto model = load(request.source, budget);
  if (!model) return tl::unexpected(std::move(model.error()));
  if (model->promela) return simulate_promela(request, std::move(*model));
  const Alphabet all = alphabet_of(model->network);
  Trace script;
  for (const auto& wanted : request.trace.value_or(std::vector<std::string>{})) {
    if (is_silent(wanted)) continue;  // silent steps come by themselves
    const auto known = sorted_names(*model->actions, all);
    if (!std::binary_search(known.begin(), known.end(), wanted))
      return usage(fmt::format("no component has the action '{}'", wanted),
                   did_you_mean(wanted, known, "the actions are"));
    script.push_back(model->actions->intern(wanted));
  }
  Simulator simulator(request, std::move(*model));
  return request.trace ? simulator.scripted(script) : simulator.random_walk();
}

}  // namespace

Outcome<Simulation> simulate(const SimulateRequest& request) {
  auto out = walk(request);
  if (out && out->stuck) out->stuck->step = counted(*request.trace, out->stuck->step);
  return out;
}

}  // namespace surety::api
