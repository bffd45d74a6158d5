// The standard units that a program may name although their text is not read, and the unit Report of the conformance
// tests (ACATS): Report.Failed is the event `failed`, Report.Ident_Int (X) is X.
#pragma once

#include <string>
#include <string_view>

#include "lang/ada/tree.hpp"

namespace surety::ada {

bool is_known_unit(std::string_view unit);                         // ada.text_io; also ada, and children of known ones
bool is_known_name(std::string_view unit, std::string_view name);  // that a use clause makes visible
bool is_refused_unit(std::string_view unit);                       // interfaces.c

std::string_view symbol_of(Operator op);  // as in the name of a function: "+", "and"

}  // namespace surety::ada
