// What should stand in place of the words that a message underlines: the quick fix of an editor.
#pragma once

#include <string>

#include "base/diagnostics.hpp"

namespace surety {

// Of a message with a place whose hint is one of did_you_mean(), if it underlines the name and nothing else; otherwise
// empty.
std::string replacement_of(const Diagnostic& diagnostic);

}  // namespace surety
