#include "engine/product/stubborn.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>

namespace surety {
namespace {

// A part gets cells if they are not too many, and its graph can be walked once for each of its actions.
constexpr std::uint64_t kMostCells = 1ULL << 18, kMostWork = 1ULL << 24;
constexpr std::size_t kMostAround = 32;           // states that are looked at for what is in the way of one action
constexpr std::uint64_t kMostLooks = 1ULL << 22;  // for the whole of a part
constexpr std::uint32_t kEnabledCost = 1024;      // an action that has to be tried against one that cannot happen yet
constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kError = kFar;  // in the place of a joint action

using Locals = std::vector<std::uint32_t>;  // actions of one part: places in its alphabet, tau after the last

// One part as a graph of codes. The error state comes after the last code.
struct Graph {
  struct Edge {
    std::uint32_t local, to;
  };
  std::uint32_t codes = 0, locals = 0;  // tau is one of the locals: the last
  std::vector<std::uint32_t> first;     // by code * locals + local
  std::vector<Edge> edges;
  std::vector<std::uint32_t> first_move;
  std::vector<Edge> moves;  // of each code: the edges that do not lead to error
  std::vector<std::uint32_t> first_back;
  std::vector<Edge> back;  // of each code and of error: where its edges come from

  Graph() = default;
  Graph(const Product& product, const Part& part, std::uint32_t index);

  std::uint32_t error() const { return codes; }
  std::span<const Edge> of(std::uint32_t code) const {
    const std::uint32_t* at = first.data() + static_cast<std::size_t>(code) * locals;
    return {edges.data() + at[0], edges.data() + at[locals]};
  }
  std::span<const Edge> of(std::uint32_t code, std::uint32_t local) const {
    const std::uint32_t* at = first.data() + static_cast<std::size_t>(code) * locals + local;
    return {edges.data() + at[0], edges.data() + at[1]};
  }
  bool has(std::uint32_t code, std::uint32_t local, std::uint32_t to) const {
    const auto some = of(code, local);
    return std::any_of(some.begin(), some.end(), [&](const Edge& e) { return e.to == to; });
  }
  std::span<const Edge> moves_of(std::uint32_t code) const {
    return {moves.data() + first_move[code], moves.data() + first_move[code + 1ULL]};
  }
  std::span<const Edge> into(std::uint32_t code) const {
    return {back.data() + first_back[code], back.data() + first_back[code + 1ULL]};
  }
};

Graph::Graph(const Product& product, const Part& part, std::uint32_t index)
    : codes(static_cast<std::uint32_t>(product.states(index).size())),
      locals(static_cast<std::uint32_t>(part.lts->alphabet().size()) + 1) {
  const Lts& lts = *part.lts;
  std::vector<std::uint32_t> code_of(lts.state_count(), error());  // only error is reached and has no code
  for (std::uint32_t c = 0; c < codes; ++c) code_of[product.states(index)[c].value] = c;
  first.push_back(0);
  first.reserve(static_cast<std::size_t>(codes) * locals + 1);
  for (const State s : product.states(index)) {
    for (std::uint32_t local = 0; local < locals; ++local) {
      const Action a = local + 1 == locals ? kTau : lts.alphabet()[local];
      const auto steps = lts.steps(s, a);
      for (const Step& step : steps) edges.push_back({local, code_of[step.target.value]});
      if (steps.empty() && part.role == Role::watch && a != kTau) edges.push_back({local, error()});
      first.push_back(static_cast<std::uint32_t>(edges.size()));
    }
  }
  for (std::uint32_t c = 0; c < codes; ++c) {
    first_move.push_back(static_cast<std::uint32_t>(moves.size()));
    for (const Edge& e : of(c))
      if (e.to != error()) moves.push_back(e);
  }
  first_move.push_back(static_cast<std::uint32_t>(moves.size()));
  first_back.assign(codes + 2ULL, 0);
  for (const Edge& e : edges) ++first_back[e.to + 1ULL];
  std::partial_sum(first_back.begin(), first_back.end(), first_back.begin());
  back.resize(edges.size());
  auto place = first_back;
  for (std::uint32_t c = 0; c < codes; ++c)
    for (const Edge& e : of(c)) back[place[e.to]++] = {e.local, c};
}

}  // namespace

// Fills the tables of one part.
class PartTables {
 public:
  PartTables(Stubborn& all, const Product& product, const Part& part, std::uint32_t index, Budget& budget)
      : all_(all),
        product_(product),
        part_(part),
        index_(index),
        budget_(budget),
        tau_(static_cast<std::uint32_t>(part.lts->alphabet().size())) {}

  void fill() {
    auto& table = all_.tables_[index_];
    table.field = product_.field(index_);
    table.watch = part_.role == Role::watch;
    table.aim = all_.aim_ == Stubborn::Aim::violation && part_.error_counts && (table.watch || part_.lts->error());
    table.width = tau_ + 2;
    const std::uint64_t codes = product_.states(index_).size();
    table.sparse = codes * table.width > kMostCells || part_.lts->transition_count() * table.width > kMostWork;
    table.base = table.sparse ? all_.rows_.size() : all_.cells_.size();
    if (table.sparse) return fill_rows();
    graph_ = Graph(product_, part_, index_);
    all_.cells_.resize(all_.cells_.size() + codes * table.width);
    for (std::uint32_t code = 0; code < codes && budget_.go_on(); ++code)
      for (std::uint32_t local = 0; local <= tau_; ++local)
        if (!graph_.of(code, local).empty()) set(code, local, true, {in_the_way(code, local)});
    for (std::uint32_t local = 0; local <= tau_ && budget_.go_on(); ++local)
      if (!table.watch || local == tau_) fill_cuts(local);
    if (table.aim) fill_cuts(tau_ + 1);
  }

 private:
  // A big part: all that it can do in a state, whatever the question is. Nothing else can move it.
  void fill_rows() {
    for (const State s : product_.states(index_)) {
      Locals row;
      if (part_.role == Role::watch) {
        row.resize(tau_);
        std::iota(row.begin(), row.end(), 0);
      } else {
        Action last = kTau;
        for (const Step& step : part_.lts->steps(s))
          if (step.action != last) row.push_back(*part_.lts->alphabet().index(last = step.action));
      }
      if (!part_.lts->steps(s, kTau).empty()) row.push_back(tau_);
      all_.rows_.push_back(list(row));
    }
  }

  // Which b may come before a in a way that cannot be turned round? All states count that are reached from this one
  // by actions that can be turned round.
  Locals in_the_way(std::uint32_t code, std::uint32_t a) {
    std::vector<bool> bad(graph_.locals, false), met(graph_.locals, false);
    bool near = look_around(code, a, bad, [&](std::uint32_t r, const Graph::Edge& b) {
      if (!bad[b.local]) bad[b.local] = !can_turn_round(r, b, a);
    });
    // Some may have been followed before they were found to be bad: what lies behind them does not count.
    near = near && look_around(code, a, bad, [&](std::uint32_t, const Graph::Edge& b) { met[b.local] = true; });
    Locals out;
    for (std::uint32_t local = 0; local < graph_.locals; ++local)
      if (near ? bad[local] && met[local] : local != a && !graph_.of(code, local).empty()) out.push_back(local);
    return out;
  }

  // Looks at the edges of all states that are reached without a and without bad actions. False: too many.
  template <class Look>
  bool look_around(std::uint32_t code, std::uint32_t a, const std::vector<bool>& bad, Look look) {
    std::vector<std::uint32_t> around{code};
    for (std::size_t i = 0; i < around.size(); ++i)
      for (const auto& e : graph_.moves_of(around[i])) {
        if (e.local == a) continue;
        look(around[i], e);
        if (bad[e.local] || std::find(around.begin(), around.end(), e.to) != around.end()) continue;
        if (around.size() == kMostAround || ++looks_ > kMostLooks) return false;
        around.push_back(e.to);
      }
    return true;
  }

  // From r, b and then a: is it the same to do a and then b?
  bool can_turn_round(std::uint32_t r, const Graph::Edge& b, std::uint32_t a) {
    const auto after = graph_.of(b.to, a), before = graph_.of(r, a);
    if (all_.aim_ == Stubborn::Aim::deadlock && after.empty()) return false;  // b takes a away
    return std::all_of(after.begin(), after.end(), [&](const Graph::Edge& n) {
      looks_ += before.size();
      if (n.to == graph_.error()) return part_.error_counts ? graph_.has(r, a, n.to) : !before.empty();
      return std::any_of(before.begin(), before.end(), [&](const Graph::Edge& m) {
        return m.to != graph_.error() && graph_.has(m.to, b.local, n.to);
      });
    });
  }

  // Sets of actions one of which must come before the part can do the action (or reach error), by state.
  void fill_cuts(std::uint32_t aim) {
    const auto distance = distances(aim);
    std::vector<Locals> layer;  // layer[k]: what leads from distance k + 1 to k
    for (std::uint32_t c = 0; c < graph_.codes; ++c)
      for (const auto& e : graph_.of(c)) {
        if (distance[c] == kFar || distance[c] != distance[e.to] + 1ULL) continue;
        layer.resize(std::max<std::size_t>(layer.size(), distance[c]));
        layer[distance[e.to]].push_back(e.local);
      }
    std::vector<std::uint32_t> smallest{0};  // of the first layers
    for (std::size_t k = 0; k < layer.size(); ++k) {
      std::sort(layer[k].begin(), layer[k].end());
      layer[k].erase(std::unique(layer[k].begin(), layer[k].end()), layer[k].end());
      const auto last = smallest.back();
      smallest.push_back(layer[k].size() < layer[last].size() ? static_cast<std::uint32_t>(k) : last);
    }
    for (std::uint32_t c = 0; c < graph_.codes; ++c) {
      if (distance[c] == 0) continue;
      std::vector<Locals> ways;
      if (distance[c] == kFar)
        ways = {{}};
      else
        ways = {layer[0], layer[smallest[distance[c]]], leaving(c, distance)};
      std::sort(ways.begin(), ways.end(),
                [](auto& a, auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
      ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
      set(c, aim, false, ways);
    }
  }

  // How far each code is from one that can do the action, or from error; error itself may be passed only then.
  std::vector<std::uint32_t> distances(std::uint32_t aim) const {
    std::vector<std::uint32_t> distance(graph_.codes + 1ULL, kFar), queue;
    const auto reach = [&](std::uint32_t c, std::uint32_t d) {
      if (distance[c] != kFar) return;
      distance[c] = d;
      queue.push_back(c);
    };
    if (aim == graph_.locals) reach(graph_.error(), 0);
    for (std::uint32_t c = 0; c < graph_.codes && aim != graph_.locals; ++c)
      if (!graph_.of(c, aim).empty()) reach(c, 0);
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const auto& e : graph_.into(queue[i])) reach(e.to, distance[queue[i]] + 1);
    return distance;
  }

  Locals leaving(std::uint32_t code, const std::vector<std::uint32_t>& distance) const {
    Locals out;
    for (const auto& e : graph_.of(code))
      if (e.to != code && distance[e.to] != kFar && (out.empty() || out.back() != e.local)) out.push_back(e.local);
    return out;
  }

  void set(std::uint32_t code, std::uint32_t local, bool able, const std::vector<Locals>& ways) {
    auto& cell = all_.cells_[all_.tables_[index_].base + static_cast<std::size_t>(code) * (tau_ + 2) + local];
    cell = {static_cast<std::uint32_t>(all_.ways_.size()), static_cast<std::uint16_t>(ways.size()), able};
    for (const auto& way : ways) all_.ways_.push_back(list(way));
  }

  Stubborn::List list(const Locals& locals) {
    const auto [it, fresh] = known_.try_emplace(locals);
    if (!fresh) return it->second;
    it->second.begin = static_cast<std::uint32_t>(all_.items_.size());
    for (const std::uint32_t local : locals)
      all_.items_.push_back(local == tau_ ? index_ : product_.joint_of(index_, local));
    it->second.end = static_cast<std::uint32_t>(all_.items_.size());
    std::sort(all_.items_.begin() + it->second.begin, all_.items_.end());
    return it->second;
  }

  Stubborn& all_;
  const Product& product_;
  const Part& part_;
  std::uint32_t index_;
  Budget& budget_;
  const std::uint32_t tau_;  // its place among the actions
  Graph graph_;
  std::map<Locals, Stubborn::List> known_;
  std::uint64_t looks_ = 0;
};

Stubborn::Stubborn(const Product& product, const std::vector<Part>& parts, Aim aim, Budget& budget) : aim_(aim) {
  std::vector<std::vector<Participant>> by_joint(product.joints());
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    const auto tau = static_cast<std::uint32_t>(parts[p].lts->alphabet().size());
    by_joint[p].push_back({p, tau});
    for (std::uint32_t local = 0; local < tau; ++local) by_joint[product.joint_of(p, local)].push_back({p, local});
  }
  first_participant_.push_back(0);
  for (const auto& each : by_joint) {
    participants_.insert(participants_.end(), each.begin(), each.end());
    first_participant_.push_back(static_cast<std::uint32_t>(participants_.size()));
  }
  keys_.resize(product.joints());
  std::iota(keys_.begin(), keys_.end(), 0);
  std::stable_sort(keys_.begin(), keys_.end(), [&](auto a, auto b) { return by_joint[a].size() < by_joint[b].size(); });
  tables_.resize(parts.size());
  for (std::uint32_t p = 0; p < parts.size() && budget.go_on(); ++p)
    PartTables(*this, product, parts[p], p, budget).fill();
}

std::uint64_t Stubborn::bytes() const {
  return tables_.size() * sizeof(Table) + first_participant_.size() * 4 + participants_.size() * sizeof(Participant) +
         cells_.size() * sizeof(Cell) + (rows_.size() + ways_.size()) * sizeof(List) + items_.size() * 4;
}

// --- One state.

StubbornSet::StubbornSet(const Stubborn& tables)
    : tables_(tables),
      code_(tables.tables_.size()),
      enabled_(tables.first_participant_.size() - 1, Able::unknown),
      mark_(enabled_.size(), 0) {}

template <class F>
void StubbornSet::for_each_way(const Stubborn::Participant& participant, F f) const {
  const auto& table = tables_.tables_[participant.part];
  if (table.sparse) return f(tables_.items(tables_.rows_[table.base + code_[participant.part]]));
  const auto& c = cell(participant);
  for (std::uint32_t w = c.first; w < c.first + c.ways; ++w) f(tables_.items(tables_.ways_[w]));
}

void StubbornSet::choose(const std::uint64_t* state) {
  for (const std::uint32_t joint : looked_up_) enabled_[joint] = Able::unknown;
  looked_up_.clear();
  for (std::size_t p = 0; p < code_.size(); ++p) code_[p] = tables_.tables_[p].field.code(state);
  best_size_ = kFar;
  best_.clear();
  if (tables_.aim_ == Stubborn::Aim::violation)
    choose_for_violation();
  else
    choose_for_deadlock();
  begin();
  for (const std::uint32_t joint : best_) mark_[joint] = now_;
}

// Every way to a violation has an action of this set: a part that gets to error must cross a cut before it.
void StubbornSet::choose_for_violation() {
  begin();
  for (std::uint32_t p = 0; p < code_.size(); ++p)
    if (tables_.tables_[p].aim)
      add_cheapest(kError, std::array{Stubborn::Participant{p, tables_.tables_[p].width - 1}});
  if (close()) best_ = members_;
}

// Every way to a deadlock has an action of this set: as long as none happens, the first one can. Small sets are looked
// for first: they are found soon, and attempts that will not give one are soon given up.
void StubbornSet::choose_for_deadlock() {
  keys_.clear();
  for (const std::uint32_t joint : tables_.keys_)
    if (enabled(joint)) keys_.push_back(joint);
  for (const std::uint32_t below : {3U, 9U, kFar}) {
    best_size_ = below;
    for (const std::uint32_t key : keys_) {
      begin();
      add(key);
      if (!close()) continue;
      best_size_ = members_.size();
      best_ = members_;
      if (best_size_ == 1) return;
    }
    if (!best_.empty()) return;
  }
}

void StubbornSet::begin() {
  ++now_;
  members_.clear();
  able_.clear();
  unable_.clear();
}

// False: the set becomes no smaller than the best one.
bool StubbornSet::close() {
  while (members_.size() < best_size_) {
    if (!able_.empty()) {
      const std::uint32_t joint = able_.back();
      able_.pop_back();
      for (const auto& participant : tables_.participants(joint))
        for_each_way(participant, [&](auto way) { add_all(way); });
    } else if (!unable_.empty()) {
      const std::uint32_t joint = unable_.back();
      unable_.pop_back();
      add_cheapest(joint, tables_.participants(joint));
    } else {
      return true;
    }
  }
  return false;
}

void StubbornSet::add(std::uint32_t joint) {
  if (mark_[joint] == now_) return;
  mark_[joint] = now_;
  if (!enabled(joint)) return unable_.push_back(joint);
  able_.push_back(joint);
  members_.push_back(joint);
}

void StubbornSet::add_all(std::span<const std::uint32_t> joints) {
  for (const std::uint32_t joint : joints) add(joint);
}

// The action cannot happen: one cut of one participant that is unable to do it is enough, and the cheapest is taken.
void StubbornSet::add_cheapest(std::uint32_t joint, std::span<const Stubborn::Participant> participants) {
  std::span<const std::uint32_t> cheapest;
  std::uint32_t least = kFar;
  for (const auto& participant : participants) {
    if (able(joint, participant)) continue;
    for_each_way(participant, [&](auto way) {
      if (const std::uint32_t c = cost(way, least); c < least) least = c, cheapest = way;
    });
    if (least == 0) return;
  }
  add_all(cheapest);
}

std::uint32_t StubbornSet::cost(std::span<const std::uint32_t> joints, std::uint32_t below) {
  std::uint32_t sum = 0;
  for (const std::uint32_t joint : joints) {
    if (mark_[joint] != now_) sum += enabled(joint) ? kEnabledCost : 1;
    if (sum >= below) break;
  }
  return sum;
}

bool StubbornSet::enabled(std::uint32_t joint) {
  Able& known = enabled_[joint];
  if (known == Able::unknown) {
    const auto all = tables_.participants(joint);
    known = std::all_of(all.begin(), all.end(), [&](const auto& participant) { return able(joint, participant); })
                ? Able::yes
                : Able::no;
    if (all.empty()) known = Able::no;
    looked_up_.push_back(joint);
  }
  return known == Able::yes;
}

bool StubbornSet::able(std::uint32_t joint, const Stubborn::Participant& participant) const {
  const auto& table = tables_.tables_[participant.part];
  if (!table.sparse) return cell(participant).able;
  const auto row = tables_.items(tables_.rows_[table.base + code_[participant.part]]);
  return std::binary_search(row.begin(), row.end(), joint);
}

}  // namespace surety
