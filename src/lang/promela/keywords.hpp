// The reserved words of Promela, for editors.
#pragma once

#include <string_view>
#include <vector>

namespace surety::promela {

std::vector<std::string_view> keywords();

}  // namespace surety::promela
