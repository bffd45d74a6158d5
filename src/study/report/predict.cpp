#include "study/report/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "study/describe.hpp"
#include "study/plan.hpp"
#include "study/run.hpp"

namespace surety::study {
namespace {

constexpr int kDepth = 3;  // of the tree
constexpr double kNear = 1.2, kRegret = 1.5, kHits = 0.8;

using Ranking = std::vector<std::size_t>;  // entries, the best first
using Ranker = std::function<Ranking(const Race&)>;

Ranking by(const Race& race, const std::function<double(const Race::Entry&)>& value) {
  Ranking out(race.entries.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = i;
  std::ranges::stable_sort(out, {}, [&](std::size_t i) { return value(race.entries[i]); });
  return out;
}

double regret(const Race& race, const Race::Entry& entry) {
  return static_cast<double>(entry.cost) / static_cast<double>(std::max<std::uint64_t>(1, race.best));
}

double ratio(const Race& race, const Race::Entry& entry) {
  return std::log(static_cast<double>(std::max<std::uint64_t>(1, entry.cost)) /
                  static_cast<double>(std::max<std::uint64_t>(1, race.monolithic)));
}

std::vector<Sample> samples_of(const std::vector<Race>& races, const std::string& left_out) {
  std::vector<Sample> out;
  for (const Race& race : races)
    if (race.system != left_out)
      for (const auto& entry : race.entries) out.push_back({entry.features, ratio(race, entry)});
  return out;
}

class Scorer {
 public:
  explicit Scorer(std::string name) { score_.name = std::move(name); }
  void add(const Race& race, const Ranking& ranking) {
    if (ranking.empty()) return;
    ++score_.races;
    const auto& first = race.entries[ranking.front()];
    regrets_.push_back(regret(race, first));
    const auto near = [&](std::size_t i) {
      return !race.entries[i].at_least && regret(race, race.entries[i]) <= kNear;
    };
    score_.top5 +=
        std::any_of(ranking.begin(),
                    ranking.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(5, ranking.size())), near)
            ? 1
            : 0;
    if (race.best >= race.monolithic) return;
    ++score_.beatable;
    score_.beats += !first.at_least && first.cost < race.monolithic ? 1 : 0;
  }
  Score take() && {
    std::ranges::sort(regrets_);
    if (!regrets_.empty()) {
      score_.median_regret = regrets_[regrets_.size() / 2];
      score_.worst_regret = regrets_.back();
    }
    return std::move(score_);
  }

 private:
  Score score_;
  std::vector<double> regrets_;
};

// The same ranker for all.
Score score(const std::vector<Race>& races, std::string name, const Ranker& rank) {
  Scorer out(std::move(name));
  for (const Race& race : races) out.add(race, rank(race));
  return std::move(out).take();
}

// A ranker for each system, made without it.
Score score_unseen(const std::vector<Race>& races, std::string name,
                   const std::function<Ranker(const std::string& left_out)>& make) {
  std::set<std::string> systems;
  for (const Race& race : races) systems.insert(race.system);
  Scorer out(std::move(name));
  for (const auto& system : systems) {
    const Ranker rank = make(system);
    for (const Race& race : races)
      if (race.system == system) out.add(race, rank(race));
  }
  return std::move(out).take();
}

Ranking only(const Race& race, const Mask& mask) {
  for (std::size_t i = 0; i < race.entries.size(); ++i)
    if (race.entries[i].mask == mask) return {i};
  return {};
}

// A single feature, small or large first, whichever was better on the other systems.
Score single(const std::vector<Race>& races, std::size_t feature) {
  return score_unseen(races, std::string(kFeatures[feature]), [&](const std::string& left_out) -> Ranker {
    std::vector<Race> seen;
    std::ranges::copy_if(races, std::back_inserter(seen), [&](const Race& race) { return race.system != left_out; });
    const auto rank = [feature](double sign) {
      return [=](const Race& race) { return by(race, [=](const auto& e) { return sign * e.features[feature]; }); };
    };
    const double small = score(seen, "", rank(1)).median_regret, large = score(seen, "", rank(-1)).median_regret;
    return rank(large < small ? -1 : 1);
  });
}

// What a mask at random can expect.
Score random_mask(const std::vector<Race>& races) {
  return score(races, "median of all masks", [](const Race& race) {
    const Ranking order = by(race, [](const auto& e) { return static_cast<double>(e.cost); });
    return order.empty() ? order : Ranking{order[order.size() / 2]};
  });
}

}  // namespace

bool Score::is_worth_it() const {
  return races > 0 && median_regret<kRegret&& static_cast<double>(top5)> kHits * static_cast<double>(races);
}

std::vector<Score> scores_of(const std::vector<Race>& races) {
  std::vector<Score> out;
  out.push_back(random_mask(races));
  out.push_back(score(races, "default split", [](const Race& race) { return only(race, race.usual); }));
  out.push_back(
      score(races, "M1 shares actions with P", [](const Race& race) { return only(race, race.of_property); }));
  out.push_back(score(races, "M1 is what refinement wakes", [](const Race& race) { return only(race, race.woken); }));
  out.push_back(score(races, "minimum cut",
                      [](const Race& race) { return by(race, [](const auto& e) { return e.features[8]; }); }));
  for (std::size_t f = 0; f < kFeatures.size(); ++f) out.push_back(single(races, f));
  out.push_back(score_unseen(races, "linear model", [&](const std::string& left_out) -> Ranker {
    auto model = std::make_shared<LinearModel>(samples_of(races, left_out));
    return [model](const Race& race) { return by(race, [&](const auto& e) { return model->predict(e.features); }); };
  }));
  out.push_back(score_unseen(races, "decision tree", [&](const std::string& left_out) -> Ranker {
    auto tree = std::make_shared<DecisionTree>(samples_of(races, left_out), kDepth);
    return [tree](const Race& race) { return by(race, [&](const auto& e) { return tree->predict(e.features); }); };
  }));
  return out;
}

namespace {

// Nothing if a bound has ended runs: all that is known of these is that they are worse than the best, not by how much.
std::optional<Race> race_of(const Study& study, const Instance& instance, const api::Model& model) {
  const Best best = best_of(study, instance, study.way());
  const Item* const mono = study.mono_of(instance);
  if (!best.complete || best.item == nullptr || mono == nullptr || !mono->holds()) return std::nullopt;
  const auto properties = api::find_properties(model, instance.property);
  if (properties.empty()) return std::nullopt;
  const ModelRow& row = study.model_of(instance);
  FeatureFinder finder(model, row.tasks, row.repeated, *properties.front());
  Race out;
  out.system = study.system_of(instance).definition.name;
  out.name = fmt::format("{} {} at size {}", out.system, instance.property, row.size);
  out.best = best.item->cost();
  out.monolithic = mono->cost();
  out.usual = finder.default_mask();
  out.of_property = finder.property_mask();
  out.woken = finder.woken_mask();
  for (const std::size_t place : instance.items) {
    const Item& item = study.items[place];
    if (!item.is_of_all() || item.way != study.way() || !item.mask || !item.result) continue;
    if (item.status == Status::worse) return std::nullopt;
    out.entries.push_back(
        {*item.mask, finder.of(*item.mask), std::max(item.cost(), item.holds() ? 0 : out.best), !item.holds()});
  }
  return out;
}

std::string text_of(const std::vector<Race>& races, const std::vector<Score>& scores) {
  std::set<std::string> systems;
  std::size_t masks = 0;
  for (const Race& race : races) {
    systems.insert(race.system);
    masks += race.entries.size();
  }
  std::string out =
      systems.size() == 1
          ? fmt::format(
                "{} instances of one system, {} splits; there is no other to learn from, so only the first five "
                "rows count\n\n",
                races.size(), masks)
          : fmt::format("{} instances of {} systems, {} splits; each system is predicted from the others\n\n",
                        races.size(), systems.size(), masks);
  out += fmt::format("{:<26} {:>13} {:>12} {:>12} {:>18}\n", "ranked by", "median regret", "worst", "top 5 hits",
                     "beats monolithic");
  for (const Score& s : scores)
    if (s.races == 0)
      out += fmt::format("{:<26} {:>13}\n", s.name, "-");
    else
      out += fmt::format("{:<26} {:>13.2f} {:>12.1f} {:>12} {:>18}{}\n", s.name, s.median_regret, s.worst_regret,
                         fmt::format("{} of {}", s.top5, s.races), fmt::format("{} of {}", s.beats, s.beatable),
                         s.is_worth_it() ? "  *" : "");
  out += fmt::format("\n* median regret under {} and top 5 hits over {:.0f} %, in so many instances as it says\n",
                     kRegret, 100 * kHits);
  const auto all = samples_of(races, "");
  out += "\ndecision tree, from all systems\n" + DecisionTree(all, kDepth).text();
  out += "\nlinear model, from all systems: weight per standard deviation, of the logarithm of the ratio\n";
  const LinearModel model(all);
  for (std::size_t f = 0; f < kFeatures.size(); ++f)
    out += fmt::format("  {:<20} {:>7.3f}\n", kFeatures[f], model.weights()[f]);
  return out;
}

Json json_of(const std::vector<Race>& races, const std::vector<Score>& scores) {
  Json list = Json::array();
  for (const Score& s : scores)
    list.push_back({{"ranked_by", s.name},
                    {"instances", s.races},
                    {"median_regret", s.median_regret},
                    {"worst_regret", s.worst_regret},
                    {"top5", s.top5},
                    {"beatable", s.beatable},
                    {"beats_monolithic", s.beats},
                    {"worth_it", s.is_worth_it()}});
  return {{"schema", 1}, {"instances", races.size()}, {"scores", std::move(list)}};
}

}  // namespace

api::Outcome<Prediction> predict(const Store& store, const Study& study) {
  if (auto ok = can_run(store, study); !ok) return tl::unexpected(std::move(ok.error()));
  std::vector<Race> races;
  for (std::size_t m = 0; m < study.models.size(); ++m) {
    const ModelRow& row = study.models[m];
    const DefinedSystem& system = study.systems[row.system].definition;
    std::optional<api::Model> model;
    for (const Instance& instance : study.instances) {
      if (instance.model != m || !best_of(study, instance, study.way()).complete) continue;
      if (!model) {
        ModelSpec spec{row.engine, system.models.at(row.engine), system.parameter, row.size};
        spec.model.file = store.usable_name(spec.model.file);
        Budget budget;
        auto read = read_model(spec, budget);
        if (!read) return tl::unexpected(std::move(read.error()));
        spec.sha256 = row.sha256;
        if (has_changed(*read, spec)) return api::bad_input({changed_model(spec.model.file)});
        model = std::move(*read);
      }
      if (auto race = race_of(study, instance, *model)) races.push_back(std::move(*race));
    }
  }
  if (races.empty())
    return api::bad_input({file_error(study.file, "no instance has all its decompositions done without a bound",
                                      "surety study run --bound none goes on")});
  const auto scores = scores_of(races);
  return Prediction{text_of(races, scores), json_of(races, scores)};
}

}  // namespace surety::study
