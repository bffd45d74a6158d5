// Proofs for every size, changed at random. Whatever the checker still accepts must still be a proof.
//
// What a proof is, is decided a second way. Instances of several sizes are made from the file, the Ws are renamed for
// each place in the chain by what their actions are called, classes become the actions they stand for, and every
// premise becomes a question about words: can each word that leads a product into the error state lead W into its own?
// Products are explicit, W is followed by sets of states. Nothing of certify/all_sizes.cpp is used.

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "api/verify.hpp"
#include "base/random.hpp"
#include "check/all_sizes.hpp"
#include "model/automata.hpp"
#include "paths.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

// ---- words, by brute force

using Tuple = std::vector<std::uint32_t>;

// The product of parts, of which the first has an error state: there it ends.
class Product {
 public:
  explicit Product(const std::vector<const Lts*>& parts) : parts_(parts) {
    for (const Lts* part : parts) alphabet_ = unite(alphabet_, part->alphabet());
    if (std::ranges::any_of(parts, [](const Lts* part) { return part->state_count() == 0; })) return;
    number(Tuple(parts.size(), 0));
    for (std::size_t i = 0; i < tuples_.size(); ++i) expand(i);
    std::vector<std::vector<std::size_t>> before(tuples_.size());
    for (std::size_t i = 0; i < tuples_.size(); ++i)
      for (const auto& [action, to] : steps_[i]) before[to].push_back(i);
    can_fail_.assign(tuples_.size(), false);
    std::vector<std::size_t> todo;
    for (std::size_t i = 0; i < tuples_.size(); ++i)
      if (in_error(i)) todo.push_back(i), can_fail_[i] = true;
    while (!todo.empty()) {
      const std::size_t i = todo.back();
      todo.pop_back();
      for (const std::size_t j : before[i])
        if (!can_fail_[j]) can_fail_[j] = true, todo.push_back(j);
    }
  }

  const Alphabet& alphabet() const { return alphabet_; }
  bool never_fails() const { return tuples_.empty() || !can_fail_[0]; }
  bool can_fail(std::size_t i) const { return can_fail_[i]; }
  bool in_error(std::size_t i) const { return parts_[0]->error() && tuples_[i][0] == parts_[0]->error()->value; }
  const std::vector<std::pair<Action, std::size_t>>& steps(std::size_t i) const { return steps_[i]; }

 private:
  std::size_t number(const Tuple& tuple) {
    const auto [it, fresh] = numbers_.emplace(tuple, tuples_.size());
    if (fresh) tuples_.push_back(tuple), steps_.emplace_back();
    return it->second;
  }

  void expand(std::size_t i) {
    if (in_error(i)) return;
    const Tuple here = tuples_[i];
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const Step& step : parts_[p]->steps(State{here[p]}, kTau)) {
        Tuple next = here;
        next[p] = step.target.value;
        const std::size_t to = number(next);
        steps_[i].emplace_back(kTau, to);
      }
    for (const Action a : alphabet_) {
      std::vector<Tuple> nexts{here};
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        if (!parts_[p]->alphabet().contains(a)) continue;
        std::vector<Tuple> longer;
        for (const Tuple& next : nexts)
          for (const Step& step : parts_[p]->steps(State{here[p]}, a)) {
            longer.push_back(next);
            longer.back()[p] = step.target.value;
          }
        nexts = std::move(longer);
      }
      for (const Tuple& next : nexts) {
        const std::size_t to = number(next);
        steps_[i].emplace_back(a, to);
      }
    }
  }

  const std::vector<const Lts*> parts_;
  Alphabet alphabet_;
  std::map<Tuple, std::size_t> numbers_;
  std::vector<Tuple> tuples_;
  std::vector<std::vector<std::pair<Action, std::size_t>>> steps_;
  std::vector<bool> can_fail_;
};

using Set = std::set<std::uint32_t>;

Set closed(const Lts& w, Set set) {
  std::vector<std::uint32_t> todo(set.begin(), set.end());
  while (!todo.empty()) {
    const State s{todo.back()};
    todo.pop_back();
    for (const Step& step : w.steps(s, kTau))
      if (set.insert(step.target.value).second) todo.push_back(step.target.value);
  }
  return set;
}

Set after(const Lts& w, const Set& set, Action a) {
  Set next;
  for (const std::uint32_t s : set)
    for (const Step& step : w.steps(State{s}, a)) next.insert(step.target.value);
  return closed(w, std::move(next));
}

// Can W fail on every word on which the product can, whatever else happens in between?
bool covers_words(const Lts& w, const Product& product) {
  if (product.never_fails()) return true;
  if (w.state_count() == 0) return false;
  const Alphabet free = subtract(w.alphabet(), product.alphabet());
  std::set<std::pair<std::size_t, Set>> seen;
  std::vector<std::pair<std::size_t, Set>> todo{{0, closed(w, {0})}};
  while (!todo.empty()) {
    const auto [i, set] = todo.back();
    todo.pop_back();
    if (w.error() && set.contains(w.error()->value)) continue;
    if (set.empty() || product.in_error(i)) return false;
    if (!seen.emplace(i, set).second) continue;
    for (const Action a : free) todo.emplace_back(i, after(w, set, a));
    for (const auto& [a, to] : product.steps(i))
      if (product.can_fail(to)) todo.emplace_back(to, a != kTau && w.alphabet().contains(a) ? after(w, set, a) : set);
  }
  return true;
}

// ---- instances, by the names of their components and actions

struct Study {
  const char* file;
  const char* property;
  std::set<std::string> cells;   // processes with one instance for each index
  std::set<std::string> others;  // with actions for every cell
  int reach;                     // numbers in labels of cell t differ from t by at most this, if they have to do with t
};

std::vector<std::string> pieces(std::string_view name) {
  std::vector<std::string> out(1);
  for (const char c : name)
    if (c == '.')
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

// "TASK(7)": TASK, 7
std::pair<std::string, std::optional<int>> split_name(const std::string& name) {
  const auto open = name.find('(');
  if (open == std::string::npos) return {name, std::nullopt};
  return {name.substr(0, open), number(std::string_view(name).substr(open + 1, name.size() - open - 2))};
}

struct Instance {
  int size = 0;
  Lts property;
  std::vector<Component> all;
  std::vector<std::vector<const Lts*>> cells;  // in the middle
  Alphabet ends, said;                         // of the other cells and what is not repeated; of property and hubs
  Alphabet of_cells(std::size_t first, std::size_t last) const {
    Alphabet out;
    for (std::size_t i = first; i < last; ++i)
      for (const Lts* lts : cells[i]) out = unite(out, lts->alphabet());
    return out;
  }
};

class Explicit {
 public:
  Explicit(const Study& study, const api::Source& source, std::shared_ptr<ActionTable> actions, int margin)
      : study_(study), source_(source), actions_(std::move(actions)), margin_(margin), least_(2 * margin + 3) {}

  // "" if every premise holds, or else which one does not.
  std::string wrong(const Induction& proof) {
    if (proof.margin != margin_ || proof.head.size() != proof.order.size()) return "the shape";
    if (proof.rounds.empty() || proof.back >= proof.rounds.size()) return "the shape";
    for (const auto& round : proof.rounds)
      if (round.size() + (&round == &proof.rounds.back() ? 1 : 0) != instance(least_).cells[0].size())
        return "the shape";
    if (static_cast<int>(proof.small.size()) != std::max(0, least_ - proof.from)) return "the number of small sizes";
    for (std::size_t i = 0; i < proof.small.size(); ++i)
      if (!holds(instance(proof.from + static_cast<int>(i)), proof.small[i])) return "a small size";
    for (int cells = 3; cells <= 4; ++cells)
      if (!through_head(proof, cells)) return "the head";
    for (std::size_t k = 0; k < proof.rounds.size(); ++k) {
      const Lts& next = w_of(proof, k + 1 < proof.rounds.size() ? k + 1 : proof.back);
      for (std::size_t place = 0; place < 3; ++place)
        if (!round(w_of(proof, k), next, place)) return "a round";
      for (int cells = 3; cells <= 4; ++cells)
        if (!close(w_of(proof, k), cells)) return "the end";
    }
    return "";
  }

 private:
  const Instance& instance(int size) {
    auto [it, fresh] = instances_.try_emplace(size);
    Instance& out = it->second;
    if (!fresh) return out;
    Budget budget;
    api::Source source = source_;
    source.defines.push_back({"K", size});
    source.actions = actions_;
    const auto model = api::load(source, budget);
    out.size = size;
    out.all = api::safety_network(*model).components;
    for (const Property& p : model->properties)
      if (p.name == study_.property) out.property = p.lts;
    out.cells.resize(static_cast<std::size_t>(std::max(0, size - 2 * margin_)));
    out.said = out.property.alphabet();
    for (const Component& c : out.all) {
      const auto [process, index] = split_name(c.name);
      if (study_.cells.contains(process) && *index > margin_ && *index <= size - margin_)
        out.cells[static_cast<std::size_t>(*index - margin_ - 1)].push_back(&c.lts);
      else if (study_.others.contains(process))
        out.said = unite(out.said, c.lts.alphabet());
      else
        out.ends = unite(out.ends, c.lts.alphabet());
    }
    return out;
  }
  const Instance& with_cells(int cells) { return instance(2 * margin_ + cells); }

  const Lts& w_of(const Induction& proof, std::size_t k) {
    if (k > 0) return proof.rounds[k - 1].back();
    start_ = complete(by_class(instance(least_).property));
    return proof.head.empty() ? start_ : proof.head.back();
  }

  // A small size, by rule minimise.
  bool holds(const Instance& at, const Certificate& certificate) {
    if (certificate.assumptions.size() >= certificate.split.size()) return false;
    Lts w = complete(at.property);
    for (std::size_t i = 0; i <= certificate.assumptions.size(); ++i) {
      std::vector<const Lts*> parts{&w};
      for (const auto& name : certificate.split[i])
        for (const Component& c : at.all)
          if (c.name == name) parts.push_back(&c.lts);
      const bool last = i == certificate.assumptions.size();
      if (!covers_words(last ? Lts() : certificate.assumptions[i], Product(parts))) return false;
      if (!last) w = certificate.assumptions[i];
    }
    return true;
  }

  bool through_head(const Induction& proof, int cells) {
    const Instance& at = with_cells(cells);
    auto& product = heads_[{{proof.order.begin(), proof.order.end()}, cells}];
    if (product) return covers_words(placed(w_of(proof, 0), at, 0), *product);
    std::vector<const Lts*> parts{&properties_.emplace_back(complete(at.property))};
    for (const auto& name : proof.order) {
      // Behind the middle the chain is longer.
      auto [process, index] = split_name(name);
      std::string here = name;
      if (study_.cells.contains(process) && index && *index > least_ - margin_)
        here = process + "(" + std::to_string(*index + at.size - least_) + ")";
      const auto it = std::ranges::find(at.all, here, &Component::name);
      if (it == at.all.end()) return false;
      parts.push_back(&it->lts);
    }
    product = std::make_unique<Product>(parts);
    return covers_words(placed(w_of(proof, 0), at, 0), *product);
  }

  // The next cell is that at `place`.
  bool round(const Lts& w, const Lts& next, std::size_t place) {
    const Instance& at = with_cells(4);
    const Lts before = placed(w, at, place);
    std::vector<const Lts*> parts{&before};
    parts.insert(parts.end(), at.cells[place].begin(), at.cells[place].end());
    return covers_words(placed(next, at, place + 1), Product(parts));
  }

  bool close(const Lts& w, int cells) {
    const Instance& at = with_cells(cells);
    const Lts before = placed(w, at, at.cells.size() - 1);
    std::vector<const Lts*> parts{&before};
    parts.insert(parts.end(), at.cells.back().begin(), at.cells.back().end());
    return Product(parts).never_fails();
  }

  // W after so many cells, with the actions of this instance.
  Lts placed(const Lts& w, const Instance& at, std::size_t taken) {
    const Instance& least = instance(least_);
    const Alphabet left = intersect(least.of_cells(0, 1), least.ends);
    const Alphabet right = intersect(least.of_cells(2, 3), least.ends);
    const Alphabet known = unite(at.ends, at.of_cells(0, taken));
    return renamed(w, [&](Action a) -> std::vector<Action> {
      const std::string name(actions_->name(a));
      if (name.find('*') != std::string::npos) {
        std::vector<Action> out;
        for (const Action b : at.said)
          if (!known.contains(b) && matches(name, b, at.size)) out.push_back(b);
        return out;
      }
      if (common(least).contains(a)) return {a};
      if (left.contains(a)) return {moved(name, static_cast<int>(taken))};
      if (right.contains(a)) return {moved(name, at.size - least_)};
      return {a};
    });
  }

  static Alphabet common(const Instance& at) {
    return intersect(at.of_cells(0, 1), intersect(at.of_cells(1, 2), at.of_cells(2, 3)));
  }

  bool matches(const std::string& its_class, Action action, int size) {
    const auto wanted = pieces(its_class), given = pieces(actions_->name(action));
    if (wanted.size() != given.size()) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto n = number(given[i]);
      if (wanted[i] == "*" ? !n || *n < margin_ + 1 - study_.reach || *n > size - margin_ + study_.reach
                           : wanted[i] != given[i])
        return false;
    }
    return true;
  }

  Action moved(const std::string& name, int by) {
    std::string out;
    for (const auto& piece : pieces(name)) {
      const auto n = number(piece);
      const bool moves = n && *n >= margin_ + 1 - study_.reach && *n <= margin_ + 3 + study_.reach;
      out += (out.empty() ? "" : ".") + (moves ? std::to_string(*n + by) : piece);
    }
    return actions_->intern(out);
  }

  // The property as the first W, if nothing of the head is needed: what it says of cells it says of classes.
  Lts by_class(const Lts& property) {
    const Instance& least = instance(least_);
    return renamed(property, [&](Action a) -> std::vector<Action> {
      if (least.ends.contains(a) || !least.of_cells(0, 3).contains(a)) return {a};
      std::string out;
      for (const auto& piece : pieces(actions_->name(a))) {
        const auto n = number(piece);
        const bool star = n && *n >= margin_ + 1 - study_.reach && *n <= margin_ + 3 + study_.reach;
        out += (out.empty() ? "" : ".") + (star ? "*" : piece);
      }
      return {actions_->intern(out)};
    });
  }

  static Lts renamed(const Lts& w, const std::function<std::vector<Action>(Action)>& images) {
    LtsBuilder builder;
    builder.set_state_count(w.state_count());
    if (w.error()) builder.set_error(*w.error());
    std::map<Action, std::vector<Action>> map{{kTau, {kTau}}};
    for (const Action a : w.alphabet()) builder.add_to_alphabet(Alphabet(map[a] = images(a)));
    for (std::uint32_t s = 0; s < w.state_count(); ++s)
      for (const Step& step : w.steps(State{s}))
        for (const Action a : map[step.action]) builder.add_step(State{s}, a, step.target);
    return builder.build();
  }

  const Study& study_;
  api::Source source_;
  std::shared_ptr<ActionTable> actions_;
  int margin_, least_;
  std::map<int, Instance> instances_;
  std::map<std::pair<std::set<std::string>, int>, std::unique_ptr<Product>> heads_;
  std::deque<Lts> properties_;
  Lts start_;
};

// ---- changes

class Mutator {
 public:
  Mutator(std::uint64_t seed, const Induction& proof) : random_(seed) {
    for (const Lts& w : proof.head) pool_ = unite(pool_, w.alphabet());
    for (const auto& round : proof.rounds)
      for (const Lts& w : round) pool_ = unite(pool_, w.alphabet());
  }

  // Changes one thing, sometimes two. Says what.
  std::string change(Induction& proof) {
    std::string what = change_once(proof);
    if (random_.chance(25)) what += ", " + change_once(proof);
    return what;
  }

 private:
  std::size_t below(std::size_t n) { return random_.below(static_cast<std::uint32_t>(n)); }

  std::string change_once(Induction& proof) {
    if (random_.chance(70)) {
      std::vector<Lts*> ws;
      for (Lts& w : proof.head) ws.push_back(&w);
      for (auto& round : proof.rounds)
        for (Lts& w : round) ws.push_back(&w);
      if (!ws.empty()) return change(*ws[below(ws.size())]);
    }
    switch (random_.below(12)) {
      case 0: return proof.from += random_.chance(50) ? 1 : -1, "from";
      case 1: return proof.margin += random_.chance(50) ? 1 : -1, "margin";
      case 2: return proof.back = below(proof.rounds.size() + 2), "back";
      case 3: return drop(proof.small), "a small size less";
      case 4: return exchange(proof.small), "small sizes exchanged";
      case 5: return change_small(proof);
      case 6: return exchange(proof.order), "order";
      case 7: return exchange(proof.head), "Ws of the head exchanged";
      case 8: {
        if (proof.head.empty()) return "nothing";
        const auto i = static_cast<std::ptrdiff_t>(below(proof.head.size()));
        proof.head.erase(proof.head.begin() + i);
        if (i < static_cast<std::ptrdiff_t>(proof.order.size())) proof.order.erase(proof.order.begin() + i);
        return "a component of the head less";
      }
      case 9: return drop(proof.rounds), "a round less";
      case 10: {
        if (proof.rounds.empty()) return "nothing";
        proof.rounds.insert(proof.rounds.begin(), proof.rounds[below(proof.rounds.size())]);
        return "a round twice";
      }
      default: {
        if (proof.order.empty()) return "nothing";
        auto& name = proof.order[below(proof.order.size())];
        const auto [process, index] = split_name(name);
        if (index) name = process + "(" + std::to_string(*index + (random_.chance(50) ? 1 : -1)) + ")";
        return "another component";
      }
    }
  }

  template <class T>
  void drop(std::vector<T>& list) {
    if (!list.empty()) list.erase(list.begin() + static_cast<std::ptrdiff_t>(below(list.size())));
  }
  template <class T>
  void exchange(std::vector<T>& list) {
    if (list.size() < 2) return;
    const std::size_t i = below(list.size()), j = below(list.size());
    if (i != j) std::swap(list[i], list[j]);
  }

  std::string change_small(Induction& proof) {
    if (proof.small.empty()) return "nothing";
    Certificate& small = proof.small[below(proof.small.size())];
    if (random_.chance(20)) return exchange(small.split), "sides of a small size exchanged";
    if (random_.chance(20)) return drop(small.assumptions), "an assumption of a small size less";
    if (small.assumptions.empty()) return "nothing";
    return "small: " + change(small.assumptions[below(small.assumptions.size())]);
  }

  struct Draft {
    std::uint32_t states = 0;
    std::vector<std::pair<std::uint32_t, Step>> steps;
    std::optional<State> error;
    std::vector<Action> alphabet;
  };

  std::string change(Lts& w) {
    Draft d{w.state_count(), {}, w.error(), {w.alphabet().begin(), w.alphabet().end()}};
    for (std::uint32_t s = 0; s < w.state_count(); ++s)
      for (const Step& step : w.steps(State{s})) d.steps.emplace_back(s, step);
    const std::string what = change(d);
    LtsBuilder builder;
    builder.set_state_count(d.states);
    builder.add_to_alphabet(Alphabet(d.alphabet));
    if (d.error) builder.set_error(*d.error);
    for (const auto& [from, step] : d.steps)
      if (State{from} != d.error) builder.add_step(State{from}, step.action, step.target);
    w = builder.build();
    return what;
  }

  State any_state(const Draft& d) { return State{random_.below(d.states)}; }
  Action any_action(const Draft& d) {
    if (d.alphabet.empty() || random_.chance(5)) return kTau;
    return d.alphabet[below(d.alphabet.size())];
  }

  std::string change(Draft& d) {
    if (d.states == 0) return grow(d);
    switch (random_.below(13)) {
      case 0:
      case 1: return drop(d.steps), "a step less";
      case 2: return d.steps.emplace_back(any_state(d).value, Step{any_action(d), any_state(d)}), "a step more";
      case 3:
        if (!d.steps.empty()) d.steps[below(d.steps.size())].second.target = any_state(d);
        return "another target";
      case 4:
        if (!d.steps.empty()) d.steps[below(d.steps.size())].second.action = any_action(d);
        return "another action";
      case 5:
      case 6: {
        const Action a = any_action(d);
        if (random_.chance(50)) {
          for (auto& [from, step] : d.steps)
            if (step.action == a) step.action = kTau;
        } else {
          std::erase_if(d.steps, [&](const auto& each) { return each.second.action == a && a != kTau; });
        }
        if (random_.chance(70)) std::erase(d.alphabet, a);
        return "an action less";
      }
      case 7: return grow(d);
      case 8: return rename(d, 0, any_state(d).value), "another initial state";
      case 9: d.error = random_.chance(20) ? std::nullopt : std::optional(any_state(d)); return "another error state";
      case 10: {
        const std::uint32_t kept = any_state(d).value, gone = any_state(d).value;
        for (auto& [from, step] : d.steps) {
          if (from == gone) from = kept;
          if (step.target.value == gone) step.target.value = kept;
        }
        if (d.error == State{gone}) d.error = State{kept};
        return "two states are one";
      }
      case 11: {
        const Action a = any_action(d), b = any_action(d);
        for (auto& [from, step] : d.steps) step.action = step.action == a ? b : step.action == b ? a : step.action;
        return "two actions exchanged";
      }
      default:
        if (random_.chance(30)) return d = Draft{0, {}, std::nullopt, d.alphabet}, "no states";
        return d.states += 1, "a state more";
    }
  }

  // One more action, or a first state.
  std::string grow(Draft& d) {
    if (d.states == 0) return d.states = 1, d.error = State{0}, "a state that fails";
    if (pool_.empty()) return "nothing";
    const Action a = pool_[static_cast<std::uint32_t>(below(pool_.size()))];
    d.alphabet.push_back(a);
    for (std::uint32_t s = 0; s < d.states; ++s)
      if (random_.chance(60)) d.steps.emplace_back(s, Step{a, State{s}});
    return "an action more";
  }

  static void rename(Draft& d, std::uint32_t a, std::uint32_t b) {
    const auto image = [&](std::uint32_t s) { return s == a ? b : s == b ? a : s; };
    for (auto& [from, step] : d.steps) from = image(from), step.target.value = image(step.target.value);
    if (d.error) d.error->value = image(d.error->value);
  }

  Random random_;
  Alphabet pool_;
};

// ---- the test

class AllSizesMutants : public testing::TestWithParam<Study> {};

TEST_P(AllSizesMutants, AreProofsIfTheyAreAccepted) {
  const Study& study = GetParam();
  api::Request request;
  request.source.files = {(fs::path(SURETY_EXAMPLES) / study.file).string()};
  request.properties = {study.property};
  request.all_sizes = api::SizesRange{"K", 2};
  const auto report = api::verify(request);
  ASSERT_TRUE(report);
  const auto* holds = std::get_if<Holds>(&report->checks.at(0).verdict);
  ASSERT_NE(holds, nullptr);
  const Induction proof = *holds->certificate.induction;
  Explicit second(study, request.source, report->model.actions, proof.margin);
  ASSERT_EQ(second.wrong(proof), "");

  const char* const more = std::getenv("SURETY_MUTANTS");
  const std::uint64_t mutants = more != nullptr ? std::stoull(more) : 300;
  int accepted = 0, refused = 0, wrong = 0;
  for (std::uint64_t seed = 0; seed < mutants; ++seed) {
    Induction mutant = proof;
    const std::string what = Mutator(seed, proof).change(mutant);
    Certificate certificate{Method::all_sizes, {}, {}};
    certificate.induction = std::make_shared<const Induction>(mutant);
    Budget budget;
    const auto judgement =
        api::recheck_all_sizes(report->model, request.source, study.property, certificate, budget, {});
    if (judgement.kind != certify::Judgement::Kind::accepted) {
      ++refused;
      continue;
    }
    ++accepted;
    const std::string why = second.wrong(mutant);
    EXPECT_EQ(why, "") << "seed " << seed << ": " << what;
    wrong += !why.empty();
    if (wrong > 5) break;
  }
  RecordProperty("accepted", accepted);
  RecordProperty("refused", refused);
  EXPECT_GT(accepted, 5);
  EXPECT_GT(refused, 50);
}

INSTANTIATE_TEST_SUITE_P(
    Examples, AllSizesMutants,
    testing::Values(Study{"relay/relay.lts", "ALWAYS_1_BETWEEN_0", {"TASK"}, {"VARIABLE"}, 1},
                    Study{"philosophers/philosophers.lts", "NEIGHBOURS", {"PHILOSOPHER", "FORK"}, {}, 1},
                    Study{"channel/channel.lts", "ORDER", {"NODE"}, {}, 1},
                    Study{"milner/milner.lts", "ALTERNATE", {"CYCLER"}, {}, 1},
                    Study{"gas_station/gas_station.lts", "PREPAID", {"CUSTOMER"}, {"PUMP", "OPERATOR"}, 0}),
    [](const auto& test) { return fs::path(test.param.file).stem().string(); });

TEST(AllSizesSecondWay, SeesWhatIsNoProof) {
  const Study study{"relay/relay.lts", "ALWAYS_1_BETWEEN_0", {"TASK"}, {"VARIABLE"}, 1};
  api::Request request;
  request.source.files = {(fs::path(SURETY_EXAMPLES) / study.file).string()};
  request.all_sizes = api::SizesRange{"K", 2};
  const auto report = api::verify(request);
  ASSERT_TRUE(report);
  const Induction proof = *std::get<Holds>(report->checks.at(0).verdict).certificate.induction;
  Explicit second(study, request.source, report->model.actions, proof.margin);
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Induction mutant = proof;
    Mutator(seed, proof).change(mutant);
    const std::string why = second.wrong(mutant);
    wrong += why != "" && why != "the shape";
  }
  EXPECT_GT(wrong, 10);
}

}  // namespace
}  // namespace surety
