// The reserved words of Ada, for editors.
#pragma once

#include <string_view>
#include <vector>

namespace surety::ada {

std::vector<std::string_view> keywords();

}  // namespace surety::ada
