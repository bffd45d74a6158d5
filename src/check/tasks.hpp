// From what is to be checked to the searches that answer it, in the order of the report.
#pragma once

#include "check/session.hpp"
#include "check/subject.hpp"

namespace surety::api {

// Of a network. Of a program that was taken apart, what its parts cannot answer is asked of the whole program. All that
// is given must outlive the jobs.
Outcome<std::vector<Job>> network_jobs(const Session& session, const Subjects& subjects);

// Of a program as a whole.
std::vector<Job> program_jobs(const CheckOptions& options, const Model& model, const Subjects& subjects);

// Do the parts of a program answer this?
bool is_by_parts(const Model& model, const Subject& subject);

}  // namespace surety::api
