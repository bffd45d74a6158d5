#include "agreement/spin.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>

#include "base/file.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
  std::string out;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> buffer{};
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) out.append(buffer.data(), n);
  pclose(pipe);
  return out;
}

bool has(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "surety_spin_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const char* file) const { return (path_ / file).string(); }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

// "errors: 0": the search is done. Without it pan has refused to begin, or was stopped.
bool finished(const std::string& pan) { return has(pan, "errors: ") && !has(pan, "search depth too small"); }

// tcc takes a twentieth of the time, and the programs are small.
const char* compiler() {
  static const bool tiny = std::system("tcc -v >/dev/null 2>&1") == 0;
  return tiny ? "tcc" : "gcc -O0";
}

// What pan prints; nothing: it is not made, or does not finish.
std::optional<std::string> pan_of(const std::string& text, const char* compile, const std::string& run) {
  const Folder folder;
  if (!write_file(folder / "p.pml", text)) return {};
  output_of(fmt::format("cd {} && spin -a -o1 -o2 -o3 p.pml", folder.path()));
  output_of(fmt::format("cd {} && {} -w -DNOREDUCE{} -o pan pan.c", folder.path(), compiler(), compile));
  if (!fs::exists(folder / "pan")) return {};
  std::string pan = output_of(fmt::format("cd {} && timeout 100 ./pan -m100000 -w18 {}", folder.path(), run));
  return finished(pan) ? std::optional(std::move(pan)) : std::nullopt;
}

}  // namespace

std::optional<bool> ask_spin_for_formula(const std::string& text, const std::string& name) {
  const auto pan = pan_of(text, "", fmt::format("-a -E -N {}", name));
  const bool asked = pan && has(*pan, fmt::format("({})", name).c_str());  // spin drops a formula now and then
  return asked ? std::optional(!has(*pan, "errors: 0")) : std::nullopt;
}

std::optional<bool> ask_spin_for_cycles(const std::string& text, bool progress) {
  const auto said = pan_of(text, progress ? " -DNP" : "", progress ? "-A -E -l" : "-A -E -a");
  if (!said) return {};
  const std::string& pan = *said;
  return has(pan, progress ? "non-progress cycle (" : "acceptance cycle (") || has(pan, "accept stutter (");
}

SpinFacts spin_facts(const std::string& text) {
  SpinFacts out;
  const auto pan = pan_of(text, " -DSAFETY -DNOCLAIM", "-c0 -n");
  if (!pan) return out;
  out.accepted = true;
  out.assertion = has(*pan, "assertion violated") || has(*pan, "rv-attempt in d_step");
  out.trace = has(*pan, "event_trace error");
  out.invalid_end = has(*pan, "invalid end state (at");
  std::smatch match;
  if (std::regex_search(*pan, match, std::regex("([0-9]+) states, stored"))) out.states = std::stoull(match[1]);
  return out;
}

bool spin_is_there() {
  static const bool there = std::system("spin -V >/dev/null 2>&1 && gcc --version >/dev/null 2>&1") == 0;
  return there;
}

SpinAnswer ask_spin(const std::string& text, const std::vector<std::string>& defines) {
  const Folder folder;
  SpinAnswer answer;
  if (!write_file(folder / "p.pml", text)) return answer;
  std::string options;
  for (const auto& define : defines) options += " -D" + define;
  answer.output = output_of(fmt::format("cd {} && spin -a -o1 -o2 -o3{} p.pml", folder.path(), options));
  if (has(answer.output, "Error") || !fs::exists(folder / "pan.c")) return answer;
  const std::string compiled =
      output_of(fmt::format("cd {} && {} -w -DSAFETY -DNOREDUCE -o pan pan.c", folder.path(), compiler()));
  if (!fs::exists(folder / "pan")) return answer.output = compiled, answer;
  const std::string asserts = output_of(fmt::format("cd {} && timeout 100 ./pan -m1000000 -E", folder.path()));
  const std::string ends = output_of(fmt::format("cd {} && timeout 100 ./pan -m1000000 -A", folder.path()));
  answer.accepted = finished(asserts) && finished(ends);
  answer.output = asserts + ends;
  answer.assertion = has(asserts, "assertion violated") || has(asserts, "event_trace error");
  answer.invalid_end = has(ends, "invalid end state (");
  std::smatch m;
  if (std::regex_search(ends, m, std::regex("([0-9]+) states, stored"))) answer.states = std::stoull(m[1]);
  return answer;
}

}  // namespace surety
