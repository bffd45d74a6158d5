// The files and units of a program.
//
// A unit that a file names in a with clause is looked for among the files that were given, then beside the file that
// asks for it (GNAT's names: a.b is in a-b.ads and a-b.adb), then among the units that are known (known_units.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.hpp"
#include "lang/ada/tree.hpp"

namespace surety::ada {

// The content of a file, or nothing: there is no such file.
using FileReader = std::function<std::optional<std::string>(const std::string& file)>;

struct Library {
  std::shared_ptr<Source> source;
  std::vector<std::unique_ptr<Unit>> units;  // in the order in which they were read
  const Unit* main = nullptr;

  const Unit* specification(const std::string& name) const;  // or a subprogram body without one
  const Unit* body(const std::string& name) const;
  const Unit* subunit(const std::string& parent, const std::string& name) const;
};

// `system`: the name of the main procedure, or empty.
Library read_library(const std::vector<std::string>& files, const FileReader& read, const std::string& system,
                     Report& report, Source& source);

}  // namespace surety::ada
