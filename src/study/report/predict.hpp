// Can good splits be predicted? (STUDY 10)
#pragma once

#include <string>

#include "base/json.hpp"
#include "study/store.hpp"

namespace surety::study {

struct Prediction {
  std::string text;
  Json json;
};
api::Outcome<Prediction> predict(const Store& store, const Study& study);

}  // namespace surety::study
