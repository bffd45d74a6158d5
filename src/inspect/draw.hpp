// A picture of an LTS, by Graphviz.
#pragma once

#include <string>

#include "base/budget.hpp"
#include "load/load.hpp"

namespace surety::api {

// The ending of the file says which kind of picture: .svg, .png or .pdf.
Outcome<void> can_draw(const std::string& file);
Outcome<void> draw(const Lts& lts, const ActionTable& actions, const std::string& name, const std::string& file,
                   Budget& budget);

}  // namespace surety::api
