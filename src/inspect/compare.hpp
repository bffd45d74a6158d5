// Two systems compared: by traces, weakly, strongly.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "load/load.hpp"
#include "model/equivalence.hpp"

namespace surety::api {

struct Comparison {
  struct Line {
    Equivalence equivalence;
    std::optional<Difference> difference;
  };
  std::shared_ptr<ActionTable> actions = std::make_shared<ActionTable>();
  std::array<std::string, 2> names;
  std::vector<Line> lines;
  Stop why = Stop::none;    // what stopped it before it was done
  bool equivalent() const;  // in the sense asked for; by traces if none was
};
struct CompareRequest {
  std::array<std::string, 2> files;  // FILE.aut, FILE.lts, or FILE.lts:NAME for a composite or process in it
  std::string equivalence;           // "trace", "weak", "strong", or empty for all three
  std::string language;
  std::vector<FspDefine> defines;
  std::map<std::string, std::string> texts = {};  // by file: what is taken for its content, instead of reading it
  Limits limits;
  const std::atomic<bool>* interrupted = nullptr;
};
Outcome<Comparison> compare(const CompareRequest& request);
std::string equivalence_name(Equivalence equivalence);

}  // namespace surety::api
