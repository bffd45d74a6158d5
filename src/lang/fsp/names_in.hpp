// The names that an expression, a label or a body looks at; rather too many than too few.
#pragma once

#include <set>
#include <string_view>

#include "lang/fsp/tree.hpp"

namespace surety::fsp {

using Names = std::set<std::string_view>;

void names_in(const Expression& e, Names& out);
void names_in(const Index& index, Names& out);
void names_in(const Label& label, Names& out);
void names_in(const Choice& choice, std::size_t position, Names& out);  // from the label there on
void names_in(const Body& body, Names& out);

template <class Part>
Names names_in(const Part& part) {
  Names out;
  names_in(part, out);
  return out;
}

}  // namespace surety::fsp
