// Properties from .qre files, for models of every language.
#pragma once

#include "lang/qre/qre.hpp"
#include "load/load.hpp"

namespace surety::api {

// The properties of a text: all of them, or the one that was asked for. A property without a header has the name of
// the file.
Outcome<std::vector<QreProperty>> read_qre_properties(const std::string& text, const std::string& file,
                                                      const std::string& asked, Budget& budget);

// What is said of a property where nothing tells that an execution has ended.
void warn_of_missing_end(Model& model, const QreProperty& property);

}  // namespace surety::api
