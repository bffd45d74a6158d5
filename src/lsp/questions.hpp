// The questions of surety's own about an open model: `surety/system`, `surety/machine`, `surety/moves`, ... They are
// for pages and editors that draw machines and walk through systems (doc/manual.md#lsp).
#pragma once

#include "lsp/document.hpp"

namespace surety::lsp {

Json ask_of_model(const std::string& question, Document& document, const Json& parameters);

// The model of the text. Without one, the question is refused.
const api::Model& model_of(Document& document);

// What is in the system (system.cpp).
Json ask_system(Document& document, const Json& parameters);

// Its machines (machines.cpp).
Json ask_machine(Document& document, const Json& parameters);
Json ask_near(Document& document, const Json& parameters);
Json ask_path(Document& document, const Json& parameters);

// Walks through it (walks.cpp).
Json ask_moves(Document& document, const Json& parameters);
Json ask_walk(Document& document, const Json& parameters);
Json ask_follow(Document& document, const Json& parameters);

}  // namespace surety::lsp
