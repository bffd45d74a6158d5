// Constraints of a flow analysis that the user gives as files: FILE.aut, FILE.json, FILE.lts:NAME (a process or an FSP
// constraint; the last process if no name is given), FILE.qre or FILE.qre:NAME.
#pragma once

#include <string>

#include "load/load.hpp"

namespace surety::api {

// Deterministic, over actions of the network, which is the model's or one made of it. Labels stand for actions as
// those of the model's properties do.
Outcome<Lts> read_constraint(const std::string& where, const Model& model, const Network& network);

}  // namespace surety::api
