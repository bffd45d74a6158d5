// The value of an expression in a state.
//
// The code of an expression (code.hpp) runs on the stack of the memory. What is wrong
// with it ends up in Memory::why; the value means nothing then.
#pragma once

#include "lang/promela/machine/memory.hpp"

namespace surety::promela {

// `process`: whose locals are meant. The stack is free from `top` on.
std::int32_t evaluate(Memory& m, const Code& code, std::uint32_t process, std::int32_t* top);

inline std::int32_t evaluate(Memory& m, const Code& code, std::uint32_t process) {
  return evaluate(m, code, process, m.stack.data());
}

void assign(Memory& m, const Target& target, std::int32_t value, std::uint32_t process);

}  // namespace surety::promela
