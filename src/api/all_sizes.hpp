// Does a property hold for every size? The text says what repeats, a proof by induction does the rest.
#pragma once

#include <string>

#include "api/verify.hpp"
#include "certify/certify.hpp"

namespace surety::api {

// A request with `all_sizes`.
Outcome<Report> verify_all_sizes(const Request& request);

// Whether a proof of rule all-sizes is one for this source: everything but the proof itself is made anew from the file.
// The LTSs of the certificate have their actions in `actions`.
certify::Judgement judge_all_sizes(const Source& source, const std::shared_ptr<ActionTable>& actions,
                                   const std::string& property, const Certificate& certificate, Budget& budget);

}  // namespace surety::api
