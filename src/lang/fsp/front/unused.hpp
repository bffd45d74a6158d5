// Definitions that nothing refers to: perhaps a slip of the pen, perhaps a property that is never checked.
#pragma once

#include "lang/fsp/front/tree.hpp"

namespace surety::fsp {

void warn_about_unused(const Tree& tree, Report& report);

}  // namespace surety::fsp
