// A primitive process becomes an LTS.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "lang/fsp/front/label.hpp"
#include "lang/fsp/front/missing.hpp"
#include "lang/fsp/front/types.hpp"
#include "model/lts.hpp"

namespace surety::fsp {

struct CompiledProcess {
  std::string name;
  Lts lts;
  bool property = false;
  Alphabet extension;                  // what +{..} added, as it is named in the end
  std::vector<std::string> sequenced;  // the instances with parameters that stand before a ';' in it
  Diagnostics warnings;
};

// Gives the machine that a call in a sequence P(1);Q;R stands for, or nothing after an error.
using Supplier = std::function<const Lts*(const Call& call, const std::vector<Value>& values)>;

std::optional<CompiledProcess> compile_process(const ProcessDefinition& definition, const std::vector<Value>& values,
                                               Place call, Evaluator& evaluator, ActionTable& actions,
                                               const Supplier& supplier, MissingLabels* missing = nullptr);

// The names of the states that the same call of compile_process gives; none if they are not those of the text any more:
// of properties and minimal or deterministic processes.
std::optional<FspStateNames> state_names(const ProcessDefinition& definition, const std::vector<Value>& values,
                                         Place call, Evaluator& evaluator, ActionTable& actions,
                                         const Supplier& supplier, const Source& source);

// Weak-bisimulation minimal and deterministic, unless it is deterministic already (doc/semantics.md#minimising).
Lts deterministic_form(const Lts& lts, Budget* budget = nullptr);

}  // namespace surety::fsp
