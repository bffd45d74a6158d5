// No two properties of a program have one name.
//
// ltl blocks, never claims, and trace and notrace blocks are asked for by their names, and reports tell them apart by
// these. SPIN refuses two claims of one name too (it has one trace block at most). `deadlock` is the name of a check
// that every program has; `accept` and `progress` are those of the labels, where a process has such.
#pragma once

#include "lang/promela/tree.hpp"

namespace surety::promela {

void check_property_names(const Program& program, const Source& source, Report& report);

}  // namespace surety::promela
