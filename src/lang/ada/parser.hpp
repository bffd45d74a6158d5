// Text to a tree (tree.hpp): the door of the parser. Nothing is looked up, and what the tool refuses (abort, requeue,
// tagged types) is read like all else, so that it can be refused by its name later.
#pragma once

#include <vector>

#include "lang/ada/tree.hpp"

namespace surety::ada {

// All library units in one file. `source.text` holds the texts of all files of the program one after the other; the
// file to read is text.substr(begin, length) of it, and all places are offsets into the whole text.
std::vector<Unit> parse(const Source& source, std::size_t begin, std::size_t length, Report& report);

}  // namespace surety::ada
