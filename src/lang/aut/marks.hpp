// How an .aut file says which state is ERROR and which is END: by a loop with a label of its own, as other tools say
// what is special about a state. Nothing else may start there.
//
//   (3, "surety:error", 3)
#pragma once

#include <string_view>

namespace surety {

inline constexpr std::string_view kErrorMark = "surety:error";
inline constexpr std::string_view kEndMark = "surety:end";

}  // namespace surety
