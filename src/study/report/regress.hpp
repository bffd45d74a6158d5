// Two plain ways to predict a number from features: a linear model (least squares with a little ridge), and a small
// decision tree that people can read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "study/report/features.hpp"

namespace surety::study {

struct Sample {
  Features features;
  double target = 0;
};

class LinearModel {
 public:
  explicit LinearModel(const std::vector<Sample>& samples);
  double predict(const Features& features) const;
  const Features& weights() const { return weights_; }  // of features with mean 0 and variance 1

 private:
  Features mean_{}, scale_{}, weights_{};
  double constant_ = 0;
};

class DecisionTree {
 public:
  DecisionTree(const std::vector<Sample>& samples, int depth);
  double predict(const Features& features) const;
  std::string text() const;

 private:
  struct Node {
    double value = 0;  // the mean of its samples
    std::size_t samples = 0;
    std::size_t feature = 0;
    double threshold = 0;
    std::unique_ptr<Node> less, more;  // null: a leaf
  };
  static std::unique_ptr<Node> grow(std::vector<const Sample*> samples, int depth);
  static void show(const Node& node, int indent, std::string& out);
  std::unique_ptr<Node> root_;
};

}  // namespace surety::study
