#include "ada/follow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

namespace surety {
namespace {

constexpr std::size_t kMostPlaces = 20'000;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool has(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

}  // namespace

Observed observed(const std::string& output) {
  Observed out;
  out.text = output;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find('\t'), second = line.find('\t', first + 1);
    if (first != 1 || second == std::string::npos) continue;
    Observed::Line l{line[0], line.substr(2, second - 2), line.substr(second + 1)};
    if (l.kind == '=')
      out.how = l.name;
    else
      out.lines.push_back(std::move(l));
  }
  return out;
}

std::set<std::string> without_names(const std::set<std::string>& traces) {
  static const std::regex who("\\.(from|by)\\.[^ ]*");
  std::set<std::string> out;
  for (const std::string& trace : traces) out.insert(std::regex_replace(trace, who, ""));
  return out;
}

std::unique_ptr<Follower> Follower::make(const std::string& text, const std::string& file, std::string& why,
                                         const AdaNetworkOptions& options) {
  std::unique_ptr<Follower> out(new Follower);
  const auto read = [&](const std::string& name) { return name == file ? std::optional(text) : std::nullopt; };
  auto program = read_ada({file}, read, {}, "");
  if (!program) return why = render(program.error()[0]), nullptr;
  out->program_ = std::move(*program);
  Limits limits;
  limits.time = std::chrono::seconds(10);
  Budget budget(limits);
  auto network = ada_network(out->program_, out->actions_, budget, options);
  if (!network) return why = render(network.error()), nullptr;
  out->network_ = std::move(*network);
  out->users_.resize(out->actions_.size());
  const auto& components = out->network_.network.components;
  for (std::size_t c = 0; c < components.size(); ++c)
    for (const Action a : components[c].lts.alphabet()) out->users_[a.value].push_back(c);
  const Alphabet own = out->network_.own_accesses();
  for (const Action a : alphabet_of(out->network_.network)) {
    const std::string name(out->actions_.name(a));
    out->names_.insert(name);
    (own.contains(a) || out->is_internal(name) ? out->internal_ : out->visible_).push_back(a);
  }
  for (const std::string& v : out->network_.names_of(AdaNetwork::Part::Kind::variable))
    out->variables_.insert(lower(v));
  return out;
}

bool Follower::is_internal(const std::string& name) const {
  if (has(name, ".callable.from.") || has(name, ".closed.by.") || has(name, ".gone.from.") || has(name, ".choice."))
    return true;
  return std::ranges::any_of(program_.flow.masters, [&](const flow::Master& m) {
    return name == m.label + ".begin" || name == m.label + ".activated" || name == m.label + ".end" ||
           name.starts_with(m.label + ".abandoned.");
  });
}

// What the model has no actions for: variables that are not shared, ends of accept statements without bodies.
bool Follower::is_skipped(const Observed::Line& line) const {
  if (line.kind == 'v') return !variables_.contains(line.more);
  for (const auto& e : program_.flow.entries) {
    const std::string end = e.name + ".end";
    if (!e.has_body && line.name.starts_with(end) && (line.name.size() == end.size() || line.name[end.size()] == '.'))
      return true;
  }
  return false;
}

std::vector<Action> Follower::meanings(const Observed::Line& line) const {
  std::vector<Action> out;
  for (const Action a : visible_) {
    const std::string name(actions_.name(a));
    const bool fits = line.kind == 'f' ? name.starts_with(line.name + ".fails.") && name.ends_with("." + line.more)
                                       : name == line.name + (line.kind == 'a' ? line.more : "") ||
                                             (name == line.name && !names_.contains(line.name + line.more));
    if (fits) out.push_back(a);
  }
  return out;
}

void Follower::successors(const Place& place, Action action, Places& out) const {
  std::vector<Place> now{place};
  for (const std::size_t c : users_[action.value]) {
    std::vector<Place> next;
    for (const Place& p : now)
      for (const Step& step : network_.network.components[c].lts.steps(State{p[c]}, action)) {
        next.push_back(p);
        next.back()[c] = step.target.value;
      }
    now = std::move(next);
    if (now.empty()) return;
  }
  out.insert(now.begin(), now.end());
}

void Follower::close(Places& places) {
  std::vector<Place> work(places.begin(), places.end());
  while (!work.empty() && !too_large_) {
    const Place place = std::move(work.back());
    work.pop_back();
    Places next;
    for (std::size_t c = 0; c < place.size(); ++c)
      for (const Step& step : network_.network.components[c].lts.steps(State{place[c]}, kTau)) {
        Place p = place;
        p[c] = step.target.value;
        next.insert(std::move(p));
      }
    for (const Action a : internal_) successors(place, a, next);
    for (const Place& p : next)
      if (places.insert(p).second) work.push_back(p);
    too_large_ = too_large_ || places.size() > kMostPlaces;
  }
}

Follower::Places Follower::after(const Places& places, Action action) {
  Places out;
  for (const Place& place : places) successors(place, action, out);
  close(out);
  return out;
}

bool Follower::ended(const Place& place) const {
  return std::ranges::all_of(network_.tasks, [&](const AdaNetwork::Task& t) {
    return t.states[place[t.component]].mode == AdaNetwork::State::Mode::terminated;
  });
}

bool Follower::stuck(const Place& place) const {
  if (ended(place)) return false;
  for (std::size_t c = 0; c < place.size(); ++c)
    if (!network_.network.components[c].lts.steps(State{place[c]}, kTau).empty()) return false;
  Places next;
  for (const auto* actions : {&internal_, &visible_})
    for (const Action a : *actions) {
      successors(place, a, next);
      if (!next.empty()) return false;
    }
  return true;
}

std::set<std::string> Follower::offered(const Places& places) const {
  std::set<std::string> out;
  for (const Action a : visible_)
    for (const Place& place : places) {
      Places next;
      successors(place, a, next);
      if (next.empty()) continue;
      out.insert(std::string(actions_.name(a)));
      break;
    }
  return out;
}

std::string Follower::follow(const Observed& run) {
  too_large_ = false;
  Places places{Place(network_.network.components.size(), 0)};
  close(places);
  for (std::size_t i = 0; i < run.lines.size() && !too_large_; ++i) {
    const Observed::Line& line = run.lines[i];
    if (is_skipped(line)) continue;
    Places next;
    for (const Action a : meanings(line)) next.merge(after(places, a));
    if (next.empty() && !too_large_)
      return fmt::format("step {} ({} {} {}) is not possible; possible: {}", i + 1, line.kind, line.name, line.more,
                         fmt::join(offered(places), ", "));
    places = std::move(next);
  }
  if (too_large_) return "";
  if (run.how == "end")
    return std::ranges::any_of(places, [&](const Place& p) { return ended(p); }) ? "" : "it cannot end there";
  if (run.how == "hang")
    return std::ranges::any_of(places, [&](const Place& p) { return stuck(p); }) ? "" : "it cannot hang there";
  return "it crashed";
}

std::string Follower::trace_of(const Observed& run) const {
  std::string out;
  for (const Observed::Line& line : run.lines) {
    if (is_skipped(line)) continue;
    const auto meaning = meanings(line);
    out += fmt::format("{} ", meaning.empty() ? line.name : actions_.name(meaning[0]));
  }
  return out + "=" + run.how;
}

bool Follower::enumerate(const Places& places, const std::string& so_far, std::size_t most, std::set<std::string>& out,
                         int depth) {
  if (depth > 200 || too_large_ || out.size() > most) return false;
  if (std::ranges::any_of(places, [&](const Place& p) { return ended(p); })) out.insert(so_far + "=end");
  if (std::ranges::any_of(places, [&](const Place& p) { return stuck(p); })) out.insert(so_far + "=hang");
  for (const std::string& name : offered(places))
    if (!enumerate(after(places, actions_.intern(name)), so_far + name + " ", most, out, depth + 1)) return false;
  return out.size() <= most;
}

std::optional<std::set<std::string>> Follower::traces(std::size_t most) {
  too_large_ = false;
  Places places{Place(network_.network.components.size(), 0)};
  close(places);
  std::set<std::string> out;
  if (!enumerate(places, "", most, out, 0)) return std::nullopt;
  return out;
}

}  // namespace surety
