// The reserved words of FSP, for editors.
#pragma once

#include <string_view>
#include <vector>

namespace surety::fsp {

std::vector<std::string_view> keywords();

}  // namespace surety::fsp
