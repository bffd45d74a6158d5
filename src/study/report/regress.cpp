#include "study/report/regress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace surety::study {
namespace {

constexpr std::size_t kCount = kFeatures.size();

// Solves a x = b for a symmetric positive definite a, by elimination.
Features solve(std::array<Features, kCount> a, Features b) {
  for (std::size_t i = 0; i < kCount; ++i)
    for (std::size_t j = i + 1; j < kCount; ++j) {
      const double factor = a[j][i] / a[i][i];
      for (std::size_t k = i; k < kCount; ++k) a[j][k] -= factor * a[i][k];
      b[j] -= factor * b[i];
    }
  for (std::size_t i = kCount; i-- > 0;) {
    for (std::size_t k = i + 1; k < kCount; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

double mean_of(const std::vector<const Sample*>& samples) {
  double sum = 0;
  for (const Sample* s : samples) sum += s->target;
  return samples.empty() ? 0 : sum / static_cast<double>(samples.size());
}

// The question that leaves least variance.
struct Question {
  std::size_t feature = 0;
  double threshold = 0, error = 0;
  bool found = false;
};
Question best_question(std::vector<const Sample*>& samples, std::size_t least) {
  Question best;
  for (std::size_t f = 0; f < kCount; ++f) {
    std::ranges::sort(samples, {}, [&](const Sample* s) { return s->features[f]; });
    double left = 0, left_squares = 0, all = 0, all_squares = 0;
    for (const Sample* s : samples) {
      all += s->target;
      all_squares += s->target * s->target;
    }
    for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
      left += samples[i]->target;
      left_squares += samples[i]->target * samples[i]->target;
      const auto n = static_cast<double>(i + 1), m = static_cast<double>(samples.size() - i - 1);
      if (i + 1 < least || samples.size() - i - 1 < least) continue;
      if (samples[i]->features[f] == samples[i + 1]->features[f]) continue;
      const double right = all - left;
      const double error = left_squares - left * left / n + (all_squares - left_squares) - right * right / m;
      if (!best.found || error < best.error - 1e-12)
        best = {f, (samples[i]->features[f] + samples[i + 1]->features[f]) / 2, error, true};
    }
  }
  return best;
}

}  // namespace

LinearModel::LinearModel(const std::vector<Sample>& samples) {
  const auto n = static_cast<double>(std::max<std::size_t>(1, samples.size()));
  for (const Sample& s : samples) {
    constant_ += s.target / n;
    for (std::size_t f = 0; f < kCount; ++f) mean_[f] += s.features[f] / n;
  }
  for (const Sample& s : samples)
    for (std::size_t f = 0; f < kCount; ++f) scale_[f] += (s.features[f] - mean_[f]) * (s.features[f] - mean_[f]) / n;
  for (double& scale : scale_) scale = scale > 1e-12 ? std::sqrt(scale) : 1;
  std::array<Features, kCount> a{};
  Features b{};
  for (const Sample& s : samples) {
    Features x;
    for (std::size_t f = 0; f < kCount; ++f) x[f] = (s.features[f] - mean_[f]) / scale_[f];
    for (std::size_t i = 0; i < kCount; ++i) {
      for (std::size_t j = 0; j < kCount; ++j) a[i][j] += x[i] * x[j];
      b[i] += x[i] * (s.target - constant_);
    }
  }
  for (std::size_t i = 0; i < kCount; ++i) a[i][i] += 0.01 * n + 1e-9;
  weights_ = solve(a, b);
}

double LinearModel::predict(const Features& features) const {
  double out = constant_;
  for (std::size_t f = 0; f < kCount; ++f) out += weights_[f] * (features[f] - mean_[f]) / scale_[f];
  return out;
}

DecisionTree::DecisionTree(const std::vector<Sample>& samples, int depth) {
  std::vector<const Sample*> all;
  for (const Sample& s : samples) all.push_back(&s);
  root_ = grow(std::move(all), depth);
}

std::unique_ptr<DecisionTree::Node> DecisionTree::grow(std::vector<const Sample*> samples, int depth) {
  auto out = std::make_unique<Node>();
  out->value = mean_of(samples);
  out->samples = samples.size();
  if (depth == 0 || samples.size() < 20) return out;
  const Question question = best_question(samples, std::max<std::size_t>(5, samples.size() / 50));
  if (!question.found) return out;
  out->feature = question.feature;
  out->threshold = question.threshold;
  std::vector<const Sample*> sides[2];
  for (const Sample* s : samples) sides[s->features[question.feature] > question.threshold ? 1 : 0].push_back(s);
  out->less = grow(std::move(sides[0]), depth - 1);
  out->more = grow(std::move(sides[1]), depth - 1);
  return out;
}

double DecisionTree::predict(const Features& features) const {
  const Node* node = root_.get();
  while (node->less) node = features[node->feature] > node->threshold ? node->more.get() : node->less.get();
  return node->value;
}

void DecisionTree::show(const Node& node, int indent, std::string& out) {
  const std::string blanks(static_cast<std::size_t>(indent), ' ');
  if (!node.less) {
    out += fmt::format("{}ratio about {:.2f} ({} splits)\n", blanks, std::exp(node.value), node.samples);
    return;
  }
  out += fmt::format("{}if {} <= {:.3g}\n", blanks, kFeatures[node.feature], node.threshold);
  show(*node.less, indent + 2, out);
  out += blanks + "else\n";
  show(*node.more, indent + 2, out);
}

std::string DecisionTree::text() const {
  std::string out;
  show(*root_, 0, out);
  return out;
}

}  // namespace surety::study
