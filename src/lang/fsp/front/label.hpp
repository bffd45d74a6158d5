// What a label with ranges and sets in it stands for: a list of plain labels.
//
// a[i:0..1].{b,c} is a.0.b, a.0.c, a.1.b, a.1.c, in this order; while each of them
// is looked at, i is bound.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lang/fsp/front/expression.hpp"

namespace surety::fsp {

// Calls `visit` for each label, in order, with the label's variables bound in `scope`.
void for_each_label(const Label& label, Scope& scope, Evaluator& evaluator,
                    const std::function<void(const std::string&)>& visit);

// Calls `visit` for each combination of index values, with the variables bound; the suffix is ".0.1" or the like.
void for_each_index(const std::vector<Index>& indices, Scope& scope, Evaluator& evaluator,
                    const std::function<void(const std::string&)>& visit);

// How many combinations of index values there are at least, found without going through them.
std::uint64_t count_indices(const std::vector<Index>& indices, const Scope& scope, Evaluator& evaluator);

// All labels in order; repeated ones are kept.
std::vector<std::string> all_labels(const Label& label, const Scope& scope, Evaluator& evaluator);

// All labels in the order of their first appearance.
std::vector<std::string> distinct_labels(const Label& label, const Scope& scope, Evaluator& evaluator);

// NAME(1,a), or just NAME without values.
std::string instance_name(std::string_view name, const std::vector<Value>& values);

// A scope with the parameters bound to the values, or to their defaults if there are none.
Scope bind_parameters(const std::vector<Parameter>& parameters, const std::vector<Value>& values, Place call,
                      std::string_view callee, Evaluator& evaluator);

}  // namespace surety::fsp
