// Durations and sizes as people write them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace surety {

// "60s", "500ms", "2m", "1h", or seconds. Nothing: not a duration.
std::optional<std::chrono::nanoseconds> parse_time(const std::string& text);
// "200M", "2G", "64K", or bytes. Nothing: not a size.
std::optional<std::uint64_t> parse_size(const std::string& text);

}  // namespace surety
