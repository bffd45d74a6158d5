// What a certificate says that it is about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "load/load.hpp"

namespace surety::api {

struct Statement {
  struct File {
    std::string file, sha256;
  };
  struct Cpp {
    std::string version, macros, text;  // the last two are hashes: of its own macros, of what it made of the program
  };
  std::string system;
  std::vector<Input> inputs;  // properties last; names of files as they are to be opened
  std::vector<File> read;     // what these import or include
  std::optional<Cpp> cpp;
  std::vector<FspDefine> defines;
  std::optional<FspCells> cells;
  bool grouped = false;  // an Ada program, whose variables are in groups where that is smaller

  std::string language() const;  // of the inputs; empty: by their endings
};

const char* role_name(Input::Role role);  // in certificates

// What cpp added to a program that it has read. Good for nothing if the budget ended meanwhile.
Statement::Cpp preprocessed(const promela::Source& source, Budget& budget);

}  // namespace surety::api
