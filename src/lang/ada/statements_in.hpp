// All statements of a text, however deep.
#pragma once

#include <functional>

#include "lang/ada/tree.hpp"

namespace surety::ada {

void for_statements(const Declaration& declaration, const std::function<void(const Statement&)>& visit);

}  // namespace surety::ada
