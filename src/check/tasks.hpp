// From what is to be checked to the searches that answer it, in the order of the report.
#pragma once

#include "check/session.hpp"
#include "check/subject.hpp"

namespace surety::api {

// The note of a check that SPIN has no part in, though it was asked for.
inline constexpr const char* kNotSpin = "SPIN was asked about properties only; this is the native engine's answer";

// Of a network. Of a program that was taken apart, what its parts cannot answer is asked of the whole program. All that
// is given must outlive the jobs.
Outcome<std::vector<Job>> network_jobs(const Session& session, const Subjects& subjects);

// Of a program as a whole.
std::vector<Job> program_jobs(const CheckOptions& options, const Model& model, const Subjects& subjects);

// Do the parts of a program answer this?
bool is_by_parts(const Model& model, const Subject& subject);

}  // namespace surety::api
