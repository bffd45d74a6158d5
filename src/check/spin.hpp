// The real SPIN as the one that checks the triples of a Promela model (--engine spin).
#pragma once

#include <memory>
#include <optional>

#include "check/options.hpp"
#include "load/load.hpp"

namespace surety::api {

// Words that do not exist are refused. Nothing: the native engine.
Outcome<std::optional<spin::Mode>> spin_from_words(const std::string& engine, const std::string& mode);
// Methods that ask more than triples are refused.
Outcome<void> can_ask_spin(const CheckOptions& options);

// `network` has the components that the rules will ask about, and must outlive the checker. `environment`: actions that
// an assumption may have and neither a component nor a property.
Outcome<std::unique_ptr<spin::SpinChecker>> make_spin(spin::Mode mode, const Model& model, const Network& network,
                                                      const Alphabet& environment, Budget& budget);

}  // namespace surety::api
