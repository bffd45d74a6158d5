// The real SPIN as the one who checks the triples of a Promela model (--engine spin).
#pragma once

#include <memory>

#include "api/verify.hpp"
#include "spin/checker.hpp"

namespace surety::api {

// Words that do not exist, and methods that ask more than triples, are refused.
Outcome<void> check_engine(const Request& request);

// `network` has the components that the rules will ask about, and must outlive the checker.
Outcome<std::unique_ptr<spin::SpinChecker>> make_spin(const Request& request, const Model& model,
                                                      const Network& network, Budget& budget);

}  // namespace surety::api
