// Processes and channels are made: when the program starts, and by `run`.
#pragma once

#include "lang/promela/machine/memory.hpp"

namespace surety::promela {

// Makes the initial state.
void start_program(Memory& m, const Program& program);

// Its number. If it cannot be made, Memory::why says so.
std::uint32_t start_process(Memory& m, std::uint32_t type, const std::vector<std::int32_t>& arguments);

}  // namespace surety::promela
