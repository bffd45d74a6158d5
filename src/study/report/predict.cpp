#include "study/report/predict.hpp"
namespace surety::study {
api::Outcome<Prediction> predict(const Store&, const Study&) { return Prediction{}; }
}  // namespace surety::study
