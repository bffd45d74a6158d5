// What `info` tells of an Ada program.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "load/load.hpp"

namespace surety::api {

// Where a shared variable went.
Json shared_json(const net::SharedVariable& variable);

void add_ada_info(Json& out, const Model& model);             // tasks, variables, objects, events
std::vector<std::string> ada_info_lines(const Model& model);  // the same, for people

}  // namespace surety::api
