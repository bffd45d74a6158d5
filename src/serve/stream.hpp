// The events of a job as a stream of server-sent events, as they come, until the job is over.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "serve/http.hpp"
#include "serve/jobs.hpp"

namespace surety::serve {

// `after`: the number of the last event that is known already.
void send_events(Jobs& jobs, const std::shared_ptr<Job>& job, const std::string& after, const std::atomic<bool>& over,
                 Http::Response& response);

}  // namespace surety::serve
