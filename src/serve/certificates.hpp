// The certificate of a job as a file beside what it is about.
//
// The program has written it in the private folder of the job, and names of files in it are relative to that. Here they
// become what they are from the folder of the models, or from wherever it is saved. Only the beginning is read, which
// has the names; the proofs behind it may be large.
#pragma once

#include <string>
#include <vector>

#include "serve/job_words.hpp"

namespace surety::serve {

// `from`: the folder that its names are relative to; `to`: the one that they are to be; both whole.
Or<std::string> moved_certificate(const std::string& text, const std::string& from, const std::string& to);

// What it was made from, as far as it still is what it was: what is in no overlay already. Names are relative to the
// folder, and so are those of the certificate.
std::vector<Overlay> texts_of_certificate(const std::string& text, const Folder& folder,
                                          const std::vector<Overlay>& known);

}  // namespace surety::serve
