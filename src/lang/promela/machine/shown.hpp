// A state as a person reads it: where the processes are, what is in the variables and channels, what is printed.
#pragma once

#include <string>
#include <vector>

#include "lang/promela/machine/machine.hpp"
#include "lang/promela/machine/memory.hpp"

namespace surety::promela {

std::vector<PromelaStand::At> statements_at(const Memory& memory, std::uint32_t process);

// Of the state that is open: globals, variables of each process, contents of channels with a buffer. `names`: of the
// processes.
std::vector<PromelaValue> values_of(const Memory& memory, const Program& program,
                                    const std::vector<std::string>& names);

// The constant that a value of this expression stands for; empty: none.
std::string mtype_name(const Program& program, const Expression& expression, std::int32_t value);

// Of a printf with these values; `text` with its quotes, as in the source.
std::string formatted(const std::string& text, const std::vector<std::int32_t>& values,
                      const std::vector<std::string>& mtypes);

}  // namespace surety::promela
