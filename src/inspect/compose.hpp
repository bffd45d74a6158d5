// A system as one LTS.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "load/load.hpp"

namespace surety::api {

inline const std::vector<std::string> kMinimisations = {"weak", "strong", "trace", "ltsa"};

struct ComposeRequest {
  Source source;
  std::string minimise;  // one of kMinimisations, or empty
  Limits limits;
  const std::atomic<bool>* interrupted = nullptr;
  Progress* progress = nullptr;
  std::function<void(const Model&)> loaded = {};  // told when the files have been read; may be empty
};
struct Composition {
  Model model;
  std::optional<Lts> lts;  // nothing: the budget ended
  Stop why = Stop::none;
  // Counted without the error state, steps into it included (doc/semantics.md#fsp-composites).
  std::uint64_t states = 0, transitions = 0, deadlocks = 0;
};
// The product of all files, with every property in it as P_err; or an FSP composite as it says.
Outcome<Composition> compose_files(const ComposeRequest& request);

// The same of a model that has been read; nothing: the budget ended. `tuples`: by state, those of the components and
// the properties, each in their order; none: it is a program, or was determinised or minimised. Of the error state: no
// tuple.
using StateTuples = std::vector<std::vector<State>>;
Outcome<std::optional<Lts>> composed(const Model& model, Budget& budget, StateTuples* tuples = nullptr);
// By one of kMinimisations, or as it is if there is no name. The result is void if the budget ended meanwhile.
Lts minimised(const Lts& lts, const std::string& how, Budget& budget);

}  // namespace surety::api
