#include "serve/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/process.hpp"
#include "base/units.hpp"

namespace surety::serve {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Diagnostics> wrong(std::string message, std::string hint = {}) {
  return fail(file_error({}, std::move(message), std::move(hint)));
}

std::optional<unsigned> number(const std::string& text, unsigned most) {
  unsigned n = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, n);
  return read.ec == std::errc() && read.ptr == end && n <= most ? std::optional(n) : std::nullopt;
}

unsigned cores() { return std::max(1U, std::thread::hardware_concurrency()); }

// What programs can still have, in bytes.
std::uint64_t free_memory() {
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("MemAvailable:"))
      return std::strtoull(line.c_str() + line.find_first_of("0123456789"), nullptr, 10) << 10;
  return std::uint64_t{2} << 30;
}

Result<void> take_option(Settings& out, const std::string& word) {
  const auto equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
  const auto bad = [&](const char* hint) { return wrong(fmt::format("{} cannot be '{}'", name, value), hint); };
  if (name == "--no-open") {
    out.open = false;
  } else if (name == "--read-only") {
    out.read_only = true;
  } else if (name == "--allow-spin") {
    out.spin = true;
  } else if (name == "--port") {
    const auto n = number(value, 65535);
    if (!n) return bad("a number up to 65535; 0 is any free port");
    out.port = static_cast<int>(*n);
  } else if (name == "--jobs") {
    const auto n = number(value, 64);
    if (!n || *n == 0) return bad("a number from 1 to 64");
    out.jobs = *n;
  } else if (name == "--memory") {
    const auto size = parse_size(value);
    if (!size || *size == 0) return bad("for example 200M, 2G");
    out.memory = *size;
  } else if (name == "--time") {
    const auto time = parse_time(value);
    if (!time || *time < std::chrono::seconds(1)) return bad("for example 60s, 10m");
    out.time = std::chrono::duration_cast<std::chrono::seconds>(*time);
  } else if (name == "--surety") {
    out.surety = value;
  } else if (name == "--assets") {
    out.assets = value;
  } else if (name == "--examples") {
    out.examples = value;
  } else {
    return wrong(fmt::format("there is no option '{}'", name), "see: surety serve --help");
  }
  return {};
}

Result<void> take_place(Settings& out, const std::string& place) {
  std::error_code none;
  const fs::path whole = fs::canonical(place, none);
  if (none) return fail(file_error(place, none.message(), "is the name spelt right?"));
  if (fs::is_directory(whole)) {
    out.folder = whole;
  } else {
    out.folder = whole.parent_path();
    out.file = whole.filename();
  }
  return {};
}

// Beside this program in a build tree; else PREFIX/libexec/surety/surety-serve has PREFIX/bin/surety.
std::string find_surety(const fs::path& folder) {
  for (const fs::path& there : {folder / "surety", folder / "../../bin/surety"})
    if (const auto found = find_program(there.string())) return fs::canonical(*found);
  return find_program("surety").value_or("");
}

// Installed beside the program; of a build tree, in the sources, whose place its cache knows.
std::string find_examples(const fs::path& surety) {
  std::error_code none;
  std::ifstream cache(surety.parent_path() / "CMakeCache.txt");
  constexpr std::string_view kSource = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  fs::path there = surety.parent_path() / "../share/surety/examples";
  for (std::string line; std::getline(cache, line);)
    if (line.starts_with(kSource)) there = fs::path(line.substr(kSource.size())) / "examples";
  there = fs::weakly_canonical(there, none);
  return fs::is_directory(there, none) ? there.string() : "";
}

}  // namespace

Result<Settings> read_settings(const std::vector<std::string>& words, const std::string& self) {
  Settings out;
  out.jobs = std::clamp(cores() / 2, 1U, 4U);
  std::vector<std::string> places;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (*word == "--") {
      places.insert(places.end(), word + 1, words.end());
      break;
    }
    if (!word->starts_with("--"))
      places.push_back(*word);
    else if (auto taken = take_option(out, *word); !taken)
      return tl::unexpected(taken.error());
  }
  if (places.size() > 1) return wrong("serve takes one folder or file");
  if (auto taken = take_place(out, places.empty() ? "." : places[0]); !taken) return tl::unexpected(taken.error());
  if (out.memory == 0) out.memory = std::max<std::uint64_t>(free_memory() / 10 * 8 / out.jobs, 64 << 20);
  if (out.surety.empty()) out.surety = find_surety(fs::path(self).parent_path());
  if (out.surety.empty()) return wrong("there is no program surety", "start the server by: surety serve");
  if (out.examples.empty()) out.examples = find_examples(out.surety);
  return out;
}

}  // namespace surety::serve
