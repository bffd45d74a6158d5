// Reads lists of names: --split "a,b | c", --trace a,b,c.
#pragma once

#include <string>

#include "load/load.hpp"
#include "model/verdict.hpp"

namespace surety::api {

// "a,b | c" with every component exactly once.
Outcome<Split> parse_split(const std::string& text, const Network& network);
// The same, where a program may leave some to us: only tasks and processes have to be named, those of Ada in any case.
// The main task of Ada goes with the last side; a shared variable, buffer or protected object with the first side that
// uses it.
Outcome<Split> parse_split(const std::string& text, const Model& model);

// "a,b": some components, each once, in the order of the network. `option` is for messages.
Outcome<std::vector<std::string>> parse_components(const std::string& option, const std::string& text,
                                                   const Network& network);

// "a, b,c" without the blanks and without empty names.
std::vector<std::string> split_names(const std::string& text);

}  // namespace surety::api
