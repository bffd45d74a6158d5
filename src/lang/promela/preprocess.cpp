#include "lang/promela/preprocess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>

#include "base/beneath.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "lang/promela/includes.hpp"

namespace surety::promela {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

bool is_directive(std::string_view line) { return without_blanks(line).starts_with('#'); }

// The name that a line #defines as a plain constant; empty if it does no such thing.
std::string_view defined_by(std::string_view line) {
  if (!is_directive(line)) return {};
  line = without_blanks(without_blanks(line).substr(1));
  if (!line.starts_with("define") || line.size() == 6 || is_name(line[6])) return {};
  line = without_blanks(line.substr(6));
  const auto length = static_cast<std::size_t>(std::ranges::find_if_not(line, is_name) - line.begin());
  if (length < line.size() && line[length] == '(') return {};
  return line.substr(0, length);
}

bool occurs(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !is_name(text[at - 1])) && (end == text.size() || !is_name(text[end]))) return true;
  }
  return false;
}

// Without the #defines that the command line overrides. Their lines stay, empty.
std::string with_defines_removed(std::string_view text, const std::vector<Define>& defines) {
  std::string out;
  bool removing = false;
  for (const auto line : lines_of(text)) {
    const auto name = defined_by(line);
    removing = removing || (!name.empty() && std::ranges::find(defines, name, &Define::name) != defines.end());
    out += removing ? "\n" : line;
    const auto last = line.find_last_not_of("\r\n");
    removing = removing && last != std::string_view::npos && line[last] == '\\';
  }
  return out;
}

// ---- running cpp

constexpr std::uint64_t kLeastMemory = std::uint64_t{256} << 20;  // addresses, of which cpp uses few
constexpr std::size_t kMostText = std::size_t{64} << 20;          // that the includes may come to

// cpp looks beside the file that includes, and of a text on standard input this is the folder it runs in.
std::string folder_of(const std::string& file) {
  std::string folder = std::filesystem::path(file).parent_path().string();
  return folder == "." ? "" : folder;
}

// A file as cpp calls it, which runs in that folder.
std::string named(const std::string& folder, std::string_view name) {
  return folder.empty() || name.starts_with('/') || name.starts_with('<')
             ? std::string(name)
             : (std::filesystem::path(folder) / name).string();
}

Ran run_cpp(std::vector<std::string> words, const std::string& folder, std::string_view input, Budget& budget) {
  const auto program = find_program(words[0]);
  if (!program) return {};
  words[0] = *program;
  Command command{std::move(words)};
  std::error_code none;
  if (!folder.empty()) command.folder = std::filesystem::is_directory(folder, none) ? folder : "/";
  command.input = input;
  command.errors_apart = true;
  command.memory = std::max(kLeastMemory, budget.memory_left());
  command.keep = kMostText;
  command.ends_when_full = true;
  return run(command, budget);
}

// `# 12 "file" flags`: what follows is line 12 of that file.
bool marker(std::string_view line, std::uint32_t& number, std::string& file) {
  if (!line.starts_with("# ") && !line.starts_with("#line ")) return false;
  line = without_blanks(line.substr(line.find(' ')));
  const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc()) return false;
  const auto open = line.find('"'), close = line.rfind('"');
  if (open == std::string_view::npos || close <= open) return false;
  file = std::string(line.substr(open + 1, close - open - 1));
  return true;
}

class Reader {
 public:
  Reader(std::string_view original, const std::string& file) : source_(file, original), folder_(folder_of(file)) {
    source_.text.clear();
    source_.lines.clear();
  }

  Source read(std::string_view output) {
    std::uint32_t file = 0, number = 1;
    std::string name;
    for (const auto line : lines_of(output)) {
      std::uint32_t next = 0;
      if (marker(line, next, name)) {
        number = next;
        file = index_of(name);
      } else {
        source_.lines.push_back({source_.text.size(), file, number++});
        if (!line.starts_with('#')) source_.text += line;  // else a #pragma: not ours
        if (!source_.text.ends_with('\n')) source_.text += '\n';
      }
    }
    if (source_.lines.empty()) source_.lines.push_back({0, 0, 1});
    return std::move(source_);
  }

  std::uint32_t index_of(const std::string& included) {
    if (included.starts_with('<')) return 0;  // <stdin>, and what is built in
    const std::string name = named(folder_, included);
    const auto found = std::ranges::find(source_.files, name, &Source::File::name);
    if (found == source_.files.end()) {
      std::error_code none;  // a device or a pipe would not say the same again
      const bool plain = std::filesystem::is_regular_file(name, none);
      source_.files.push_back({name, plain ? read_file(name).value_or("") : ""});
      return static_cast<std::uint32_t>(source_.files.size() - 1);
    }
    return static_cast<std::uint32_t>(found - source_.files.begin());
  }

 private:
  Source source_;
  std::string folder_;
};

// `<stdin>:3:10: fatal error: x.h: No such file or directory`, and the like.
Diagnostics complaints(std::string_view err, std::string_view text, const std::string& file) {
  Diagnostics out;
  for (auto line : lines_of(err)) {
    const auto error = line.find("error: ");
    if (error == std::string_view::npos || out.size() >= 20) continue;
    std::string message(line.substr(error + 7, line.find_last_not_of("\r\n") + 1 - error - 7));
    std::uint32_t number = 0;
    constexpr std::string_view kHere = "<stdin>:";
    if (line.starts_with(kHere)) std::from_chars(line.data() + kHere.size(), line.data() + error, number);
    if (number == 0) {
      out.push_back(file_error(file, named(folder_of(file), line.substr(0, line.find_last_not_of("\r\n") + 1))));
      continue;
    }
    const auto lines = lines_of(text);
    const auto* begin = number <= lines.size() ? lines[number - 1].data() : text.data() + text.size();
    const std::size_t length = number <= lines.size() ? lines[number - 1].find_last_not_of("\r\n") + 1 : 1;
    out.push_back(error_at(file, text, static_cast<std::size_t>(begin - text.data()), length, message));
  }
  if (out.empty()) out.push_back(file_error(file, "the preprocessor cpp failed"));
  return out;
}

// From a file that is included, unlike our own, we cannot take a #define away: it would win over the command line.
// `output` is that of cpp -dD, which shows the #defines that are done.
Diagnostics defines_that_win(std::string_view output, const Source& source, const std::vector<Define>& defines) {
  Diagnostics out;
  std::uint32_t number = 0;
  const std::string folder = folder_of(source.file());
  std::string file;
  for (const auto line : lines_of(output)) {
    if (marker(line, number, file) || file.starts_with('<')) continue;
    const std::string path = named(folder, file);
    const auto name = defined_by(line);
    if (name.empty() || std::ranges::find(defines, name, &Define::name) == defines.end()) continue;
    const auto included = std::ranges::find(source.files, path, &Source::File::name);
    const std::string_view text = included == source.files.end() ? std::string_view() : included->text;
    std::size_t offset = 0;
    for (const auto there : lines_of(text))
      if (defined_by(there) == name) offset = static_cast<std::size_t>(there.data() - text.data());
    out.push_back(error_at(path, text, offset, 1,
                           fmt::format("--define {} has no effect on the #define of an included file", name),
                           fmt::format("put #ifndef {} and #endif around it", name)));
  }
  return out;
}

std::vector<std::string> cpp(const std::vector<Define>& defines) {
  std::vector<std::string> command = {"cpp", "-std=gnu99", "-w", "-iquote", "."};
  command.emplace_back("-ffreestanding");  // no header of its own that would look like one of the user's
  command.emplace_back("-DSURETY");        // so that a file can tell us from SPIN
  for (const Define& d : defines) command.push_back(fmt::format("-D{}={}", d.name, d.value));
  command.emplace_back("-");
  return command;
}

// The number that a line #defines `name` as; empty: it is none.
std::string_view number_of(std::string_view line, std::string_view name) {
  const auto value = without_blanks(line.substr(static_cast<std::size_t>(name.data() + name.size() - line.data())));
  std::int32_t number = 0;
  const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const std::string_view rest(stop, static_cast<std::size_t>(value.data() + value.size() - stop));
  if (error != std::errc() || rest.find_first_not_of("\r\n") != std::string_view::npos) return {};
  return value.substr(0, value.size() - rest.size());
}

}  // namespace

Result<Source> preprocess(std::string_view text, const std::string& file, const std::vector<Define>& defines,
                          Budget& budget) {
  const auto lines = lines_of(text);
  if (defines.empty() && std::ranges::none_of(lines, is_directive)) return Source(file, text);
  if (stays_beneath())
    if (auto outside = includes_that_lead_out(text, file); !outside.empty()) return tl::unexpected(std::move(outside));
  const std::string folder = folder_of(file);
  std::vector<std::string> command = cpp(defines);
  const std::string input = with_defines_removed(text, defines);
  const Ran result = run_cpp(command, folder, input, budget);
  if (result.end == Ran::End::not_started)
    return fail(file_error(file, "this file needs the C preprocessor, and there is no program 'cpp'",
                           "install cpp (the package of that name), or write the model without # lines"));
  if (result.cut)
    return fail(file_error(file, fmt::format("with all that it includes the file has more than {} MB", kMostText >> 20),
                           "does a file include itself?"));
  if (result.end == Ran::End::stopped) return fail(file_error(file, "the budget ended in the preprocessor"));
  if (!result.fine()) return tl::unexpected(complaints(result.errors, text, file));
  Source source = Reader(text, file).read(result.output);
  source.by_cpp = true;
  if (defines.empty() || source.files.size() == 1) return source;
  command.insert(command.end() - 1, "-dD");
  if (auto win = defines_that_win(run_cpp(command, folder, input, budget).output, source, defines); !win.empty())
    return tl::unexpected(std::move(win));
  return source;
}

Preprocessor preprocessor(Budget& budget) {
  Preprocessor out;
  const Ran version = run_cpp({"cpp", "--version"}, {}, {}, budget);
  if (version.fine()) out.version = version.output.substr(0, version.output.find('\n'));
  std::vector<std::string> command = cpp({});
  command.insert(command.end() - 1, "-dM");
  out.macros = run_cpp(command, {}, {}, budget).output;
  return out;
}

Diagnostics unknown_defines(const Source& source, const std::vector<Define>& defines) {
  const std::vector<Source::File>& files = source.files;
  std::vector<std::string> known;
  for (const Source::File& file : files)
    for (const auto line : lines_of(file.text))
      if (const auto name = defined_by(line); !name.empty()) known.emplace_back(name);
  Diagnostics out;
  for (const Define& d : defines) {
    if (std::ranges::any_of(files, [&](const Source::File& file) { return occurs(file.text, d.name); })) continue;
    out.push_back(file_error(files[0].name, fmt::format("there is no #define '{}' to override", d.name),
                             known.empty() ? "the file has no #define" : did_you_mean(d.name, known, "it has")));
  }
  return out;
}

std::vector<Define> constants_of(const Source& source, const std::vector<Define>& defines, Budget& budget) {
  std::vector<std::string_view> names;
  for (const Source::File& file : source.files)
    for (const auto line : lines_of(file.text))
      if (const auto name = defined_by(line); !name.empty() && std::ranges::find(names, name) == names.end())
        names.push_back(name);
  if (names.empty()) return {};
  const Source::File& own = source.files[0];
  std::vector<std::string> command = cpp(defines);
  command.insert(command.end() - 1, "-dM");  // all that is #defined at the end, and nothing else
  const std::string all = run_cpp(command, folder_of(own.name), with_defines_removed(own.text, defines), budget).output;
  std::vector<Define> out;
  for (const auto name : names)
    for (const auto line : lines_of(all))
      if (const auto defined = defined_by(line); defined == name)
        if (const auto number = number_of(line, defined); !number.empty())
          out.push_back({std::string(name), std::string(number)});
  return out;
}

}  // namespace surety::promela
