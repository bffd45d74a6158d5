// How large an LTS may be that reports show with all of its steps.
#pragma once

#include <cstdint>

namespace surety::api {

constexpr std::uint64_t kShownSteps = 2'000;

}  // namespace surety::api
