// The law of certificates: what is written is what is read.
#pragma once

#include "check/check.hpp"

namespace surety::api {

// What of a proof would come back differently from a file, readable or packed; empty: nothing, or the proof has more
// than 50,000 steps. Builds for tests ask this of every proof that a run makes.
std::string lost_in_a_file(CheckKind kind, const std::string& property, const Certificate& certificate,
                           ActionTable& actions);
std::string lost_in_a_file(const Checks& checks, ActionTable& actions);

}  // namespace surety::api
