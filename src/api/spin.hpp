// The real SPIN as the one who checks the triples of a Promela model (--engine spin).
#pragma once

#include <memory>

#include "api/verify.hpp"
#include "spin/checker.hpp"

namespace surety::api {

// Words that do not exist, and methods that ask more than triples, are refused.
Outcome<void> check_engine_words(const std::string& engine, const std::string& spin_mode);
Outcome<void> check_engine(const Request& request);

// `network` has the components that the rules will ask about, and must outlive the checker. `environment`: actions that
// an assumption may have and neither a component nor a property.
Outcome<std::unique_ptr<spin::SpinChecker>> make_spin(const std::string& spin_mode, const Model& model,
                                                      const Network& network, const Alphabet& environment,
                                                      Budget& budget);

}  // namespace surety::api
