// What `surety serve` was told on its command line, which hands it on (src/cli/serve.cpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.hpp"

namespace surety::serve {

struct Settings {
  std::string folder = ".";  // what can be opened and saved
  std::string file;          // in it: opened first
  std::string examples;      // the second folder; empty: there is none
  std::string surety;        // the program that answers
  std::string assets;        // a folder with the page, instead of what is built in
  std::optional<int> port;   // none: the usual one, or else any
  bool open = true;          // a browser
  bool read_only = false;    //
  bool spin = false;         // jobs may use it
  unsigned jobs = 1;         // at once
  std::uint64_t memory = 0;  // that a job may ask for, in bytes
  std::chrono::seconds time{600};
};

// `self`: where this program lies, in a build tree or installed.
Result<Settings> read_settings(const std::vector<std::string>& words, const std::string& self);

}  // namespace surety::serve
