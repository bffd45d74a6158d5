// The checks that the labels accept... and progress... of processes stand for, in a program without a claim.
//
// SPIN looks for two kinds of runs (pan -a; pan -l). An acceptance cycle is an infinite run
// in which some process is at a label accept... infinitely often; a run that ends while a
// process is at such a label counts as one, too. A non-progress cycle is an infinite run in
// which processes are at labels progress... only finitely often; a run that ends is none.
// Each is checked by a claim of ours (machine/label_claim.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/promela/tree.hpp"

namespace surety::promela {

// The first label of a proctype or init that starts with this word; null: there is none.
const Label* find_label(const Program& program, std::string_view word);
bool has_label(const Program& program, std::string_view word);

// Which of the checks the program has: "accept" if a process has such a label and there is no never claim (with one,
// the labels are a part of the check of the claim); "progress" if a process has such a label.
std::vector<std::string> label_checks(const Program& program);

}  // namespace surety::promela
