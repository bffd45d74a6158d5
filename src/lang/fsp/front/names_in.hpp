// The names that an expression, a label or a body looks at, rather too many than too few; and those that it binds.
#pragma once

#include <set>
#include <string_view>

#include "lang/fsp/front/tree.hpp"

namespace surety::fsp {

using Names = std::set<std::string_view>;

void names_in(const Expression& e, Names& out);
void names_in(const Index& index, Names& out);
void names_in(const Label& label, Names& out);
void names_in(const Choice& choice, std::size_t position, Names& out);  // from the label there on
void names_in(const Body& body, Names& out);

// The first index that binds a variable which an index before it, in the same label or list, has bound already. The
// later one counts. Nothing: all are different.
const Index* bound_again(const Label& label);
const Index* bound_again(const std::vector<Index>& indices);

template <class Part>
Names names_in(const Part& part) {
  Names out;
  names_in(part, out);
  return out;
}

}  // namespace surety::fsp
