#include "ada/running.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "base/file.hpp"
#include "paths.hpp"

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

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// The main procedure: which program, which seed, how patient.
std::string driver(const std::vector<RunningPrograms::Source>& programs) {
  std::string out = "with Ada.Command_Line; use Ada.Command_Line;\nwith Gate;\n";
  for (const auto& p : programs) out += fmt::format("with {}_Run;\n", p.name);
  out +=
      "procedure Driver is\n   Seed : constant Natural := Natural'Value (Argument (2));\n"
      "   Patience : constant Duration := Duration'Value (Argument (3));\nbegin\n   case Natural'Value (Argument (1)) "
      "is\n";
  for (std::size_t i = 0; i < programs.size(); ++i)
    out += fmt::format("      when {} =>\n         Gate.Start (\"{}\", Seed, Patience);\n         {}_Run;\n", i,
                       lower(programs[i].name), programs[i].name);
  return out + "      when others => null;\n   end case;\n   Gate.Finish (\"end\");\nend Driver;\n";
}

}  // namespace

bool gnat_is_there() {
  static const bool there = std::system("gnatmake --version >/dev/null 2>&1") == 0;
  return there;
}

RunningPrograms::RunningPrograms(const std::vector<Source>& programs) {
  std::string name = (fs::temp_directory_path() / "surety_ada_XXXXXX").string();
  folder_ = mkdtemp(name.data());
  for (const Source& p : programs) (void)write_file((folder_ / (lower(p.name) + "_run.adb")).string(), p.gated);
  (void)write_file((folder_ / "driver.adb").string(), driver(programs));
  trouble_ =
      output_of(fmt::format("cd {} && gnatmake -q -j{} -O0 -gnata -gnatws '-I{}/tests/ada/gate' driver.adb",
                            folder_.string(), std::max(1U, std::thread::hardware_concurrency()), SURETY_SOURCE_DIR));
  if (fs::exists(folder_ / "driver")) trouble_.clear();
}

RunningPrograms::~RunningPrograms() { fs::remove_all(folder_); }

Observed RunningPrograms::run(std::size_t program, std::uint64_t seed, double patience) const {
  return observed(output_of(
      fmt::format("timeout 30 {} {} {} {}", (folder_ / "driver").string(), program, seed % 1'000'000'000, patience)));
}

}  // namespace surety
