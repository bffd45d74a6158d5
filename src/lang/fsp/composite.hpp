// A composite process becomes a list of machines.
#pragma once

#include <optional>

#include "lang/fsp/elaborator.hpp"

namespace surety::fsp {

std::optional<FspComposite> elaborate_composite(const CompositeDefinition& definition, const std::vector<Value>& values,
                                                Place call, Elaborator& elaborator, Report& report, Budget& budget);

}  // namespace surety::fsp
