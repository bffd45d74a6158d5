// Definitions that nothing refers to: perhaps a slip of the pen, perhaps a property that is never checked.
#pragma once

#include "lang/fsp/front/tree.hpp"

namespace surety::fsp {

void warn_about_unused(const Tree& tree, Report& report);

// Of these only the warning that this process or property is part of no composite, if it is not.
void warn_if_outside(const Tree& tree, std::string_view name, Report& report);

}  // namespace surety::fsp
