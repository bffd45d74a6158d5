// What the labels accept... and progress... of processes ask for by themselves, without a claim in the program.
//
// SPIN looks for two kinds of endless runs (pan -a; pan -l). An acceptance cycle passes
// a label accept... again and again; a run that ends where a process stands at one counts
// too. A non-progress cycle passes a label progress... only finitely often; here a run
// that ends does not count. Both are claims (machine/label_claim.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/promela/tree.hpp"

namespace surety::promela {

// The first label of a proctype or init that starts with this word; null: there is none.
const Label* find_label(const Program& program, std::string_view word);
bool has_label(const Program& program, std::string_view word);

// What can be asked: "accept" if a process has such a label and there is no never claim, which else decides together
// with it; "progress" if one has such a label.
std::vector<std::string> label_checks(const Program& program);

}  // namespace surety::promela
