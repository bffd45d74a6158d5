// What the tests of Promela share: programs from files and from text, and the real SPIN.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "engine/machine/search.hpp"
#include "lang/promela/machine/machine.hpp"
#include "lang/promela/printer.hpp"
#include "paths.hpp"

namespace surety::promela_test {

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

inline std::vector<std::string> files_in(const char* folder) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(SURETY_SOURCE_DIR) / folder))
    if (entry.path().extension() == ".pml") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

inline std::string stem(const std::string& file) { return std::filesystem::path(file).stem().string(); }

inline std::string rendered(const Diagnostics& errors) {
  std::string out;
  for (const auto& e : errors) out += render(e);
  return out;
}

// The program as a machine; throws what is wrong with it.
struct Program {
  explicit Program(const std::string& text, const std::string& name = "test.pml") {
    auto read = read_promela(text, name);
    if (!read) throw std::runtime_error(rendered(read.error()));
    file = *read;
    machine = make();
  }
  std::unique_ptr<PromelaMachine> make(std::uint32_t watch = UINT32_MAX) {
    auto made = PromelaMachine::make(file, actions, {watch});
    if (!made) throw std::runtime_error(rendered(made.error()));
    return std::move(*made);
  }
  PromelaFile file;
  ActionTable actions;
  std::unique_ptr<PromelaMachine> machine;
};

// Everything is searched, whatever is found: a goal that nothing reaches keeps it going.
struct Facts {
  std::uint64_t states = 0;
  bool fault = false, invalid_end = false;
  friend bool operator==(const Facts&, const Facts&) = default;
};
inline Facts facts(PromelaMachine& machine) {
  Budget budget;
  const auto search =
      search_machine(machine, bit(MachineGoal::fault) | bit(MachineGoal::invalid_end) | kToTheEnd, budget);
  return {search.states, search.found[0].has_value(), search.found[2].has_value()};
}
inline void PrintTo(const Facts& f, std::ostream* out) {
  *out << f.states << " states" << (f.fault ? ", an assertion fails" : "") << (f.invalid_end ? ", invalid end" : "");
}

// ---- the real SPIN

inline std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) out.append(buffer.data(), n);
  pclose(pipe);
  return out;
}

inline bool has_spin() {
  static const bool has = std::system("command -v spin >/dev/null 2>&1 && command -v gcc >/dev/null 2>&1") == 0;
  return has;
}

// tcc takes a twentieth of the time, and the programs are small.
inline std::string compiler() {
  static const bool tiny = std::system("command -v tcc >/dev/null 2>&1") == 0;
  return tiny ? "tcc" : "gcc -O0";
}

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "surety-spin-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Compiles pan from a text and runs it: `flags` for the compiler, `options` for pan. Without the optimisations that
// leave out states: statement merging (-o3), resetting dead variables (-o1), hiding write-only ones (-o2).
class Pan {
 public:
  Pan(const std::string& text, const std::string& flags) {
    std::ofstream(folder_.path() / "m.pml") << text;
    log_ = output_of("cd " + folder_.path().string() + " && spin -o1 -o2 -o3 -a m.pml 2>&1 && " + compiler() +
                     " -w -DNOREDUCE -DVECTORSZ=4096 " + flags + " -o pan pan.c 2>&1");
  }
  bool made() const { return std::filesystem::exists(folder_.path() / "pan"); }
  const std::string& log() const { return log_; }
  std::string run(const std::string& options) const { return run_with_unreached("-n " + options); }
  std::string run_with_unreached(const std::string& options) const {  // these are listed last
    return output_of("cd " + folder_.path().string() + " && timeout 60 ./pan -m100000 " + options + " 2>&1");
  }

 private:
  Folder folder_;
  std::string log_;
};

inline Facts facts(const std::string& pan_output) {
  Facts out;
  std::smatch match;
  if (std::regex_search(pan_output, match, std::regex("(\\d+) states, stored"))) out.states = std::stoull(match[1]);
  for (const char* fault : {"assertion violated", "rv-attempt in d_step"})
    out.fault = out.fault || pan_output.find(fault) != std::string::npos;
  out.invalid_end = pan_output.find("invalid end state (at") != std::string::npos;
  return out;
}

}  // namespace surety::promela_test
