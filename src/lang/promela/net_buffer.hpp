// What is in a buffered channel, and what a touch makes of it.
#pragma once

#include "lang/promela/net_open.hpp"

namespace surety::promela::net {

using Contents = std::vector<Message>;

// The contents afterwards; nothing: the buffer is not as the touch says.
std::optional<Contents> apply(const Touch& touch, Contents contents, std::uint32_t capacity);

}  // namespace surety::promela::net
