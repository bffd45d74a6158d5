// From what a page asks to the words of a command line. There is no shell, and only options that are on the list here
// and known to the program get through, always as --name=value, and files after `--`.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "serve/places.hpp"
#include "serve/trouble.hpp"
#include "serve/vocabulary.hpp"

namespace surety::serve {

// What a job may have.
struct Allowance {
  std::chrono::seconds time{600};
  std::uint64_t memory = 0;
  unsigned threads = 1;
  bool spin = false;
};

// A text that a child reads in place of a file.
struct Overlay {
  std::string path, text;
};

// One child of a job.
struct Run {
  std::vector<std::string> words;  // from the command on; without the files, and without what the server adds
  std::uint64_t memory = 0;
  Json point = {};  // of an experiment: which
};

struct Order {
  std::string command;   // of the page
  std::string program;   // the command of the program
  std::string path;      // as it was asked for
  std::string property;  // in words, for a list
  const Folder* folder = nullptr;
  std::vector<std::string> files;
  std::vector<Overlay> overlays;
  std::vector<Run> runs;
  std::string shown;  // to be typed in a terminal
};

Or<Order> read_order(const Json& asked, const Places& places, const Vocabulary& vocabulary, const Allowance& allowance);

// As a shell reads it.
std::string quoted(const std::string& word);

}  // namespace surety::serve
