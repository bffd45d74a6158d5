// All ways to the answers about a Promela program: the machine as a whole, its parts by plain search, its parts by a
// method of the tool.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/product/search.hpp"

namespace surety {

// A program in a file of its own, as long as it lives.
class ProgramFile {
 public:
  explicit ProgramFile(const std::string& text);
  ~ProgramFile();
  ProgramFile(const ProgramFile&) = delete;
  ProgramFile& operator=(const ProgramFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Answers {
  std::map<std::string, std::string> verdicts;  // of "assert", "deadlock" and the properties, by name
  std::vector<std::string> safety;              // properties that the parts know
  std::uint64_t states = 0;                     // of the largest search
  bool apart = false;
  std::string why_not_apart;
  std::string trouble;  // what was refused, or went wrong inside; there are no verdicts then
};

struct Way {
  std::string method = "monolithic";
  std::string learner = "lstar", alphabet = "refine";
  std::vector<std::string> properties = {};  // none: all
  std::uint64_t states = 200'000;
  double seconds = 5;
};

// Through api::verify, so that every proof is checked and every counterexample replayed.
Answers ask(const std::string& file, const Way& way);
// The network of the parts, searched as a whole; every proof checked and every counterexample replayed. The time is for
// taking it apart, and for each search.
Answers search_parts(const std::string& file, Reduction reduction, std::uint64_t states, double seconds);

// The next method for a program of which the parts know these properties: all methods, learners and alphabets in turn.
Way way_for(std::uint64_t number, const std::vector<std::string>& safety);

// Nothing: no verdict contradicts another. What is unknown contradicts nothing.
std::string difference(const Answers& whole, const Answers& other);

}  // namespace surety
