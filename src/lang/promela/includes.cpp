// Found without running cpp, so by a rule that is stricter than cpp's own: whatever looks like an #include counts as
// one, in a comment or in a branch that is not taken, too; and its file has to be written there, not made by macros. So
// all files that cpp might come to are known, and each of them can be opened below the folder before cpp is.

#include "lang/promela/includes.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <optional>
#include <set>
#include <vector>

#include "base/file.hpp"

namespace surety::promela {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBlanks("\0 \t\r\f\v", 6);  // cpp takes a byte 0 for a blank
constexpr std::size_t kMostFiles = 1'000;

// The text without what joins lines, and where each character of it was.
struct Spliced {
  std::string text;
  std::vector<std::size_t> from;
};

Spliced splice(std::string_view text) {
  Spliced out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      const auto end = text.find_first_not_of(kBlanks, i + 1);
      if (end != std::string_view::npos && text[end] == '\n') {
        i = end;
        continue;
      }
    }
    out.text += text[i];
    out.from.push_back(i);
  }
  out.from.push_back(text.size());
  return out;
}

// Behind blanks and comments, which may have several lines.
std::size_t behind_blanks(std::string_view text, std::size_t at) {
  while (true) {
    at = std::min(text.find_first_not_of(kBlanks, at), text.size());
    if (!text.substr(at).starts_with("/*")) return at;
    at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
  }
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
  return text.substr(at, end - at);
}

struct Include {
  std::size_t offset = 0, length = 1;
  bool plain = false;   // the file is written there
  bool system = false;  // <file>
  std::string file;
};

// What is included behind a # at this place.
std::optional<Include> include_at(const Spliced& spliced, std::size_t hash, std::size_t behind) {
  const std::string_view text = spliced.text;
  std::size_t at = behind_blanks(text, behind);
  const auto word = word_at(text, at);
  if (word != "include" && word != "include_next" && word != "import") return std::nullopt;
  at = behind_blanks(text, at + word.size());
  Include out;
  out.offset = spliced.from[hash];
  out.length = spliced.from[at] - out.offset;
  const char open = at < text.size() ? text[at] : '\n';
  const auto close = open == '"' || open == '<' ? text.find(open == '"' ? '"' : '>', at + 1) : std::string_view::npos;
  if (close == std::string_view::npos || text.find('\n', at) < close) return out;
  out.length = spliced.from[close] + 1 - out.offset;
  out.plain = true;
  out.system = open == '<';
  out.file = text.substr(at + 1, close - at - 1);
  return out;
}

std::vector<Include> includes_of(std::string_view text) {
  const Spliced spliced = splice(text);
  std::vector<Include> out;
  for (std::size_t i = 0; i < spliced.text.size(); ++i) {
    const std::string_view rest = std::string_view(spliced.text).substr(i);
    const std::size_t length = rest.starts_with('#') ? 1 : rest.starts_with("%:") ? 2 : 0;  // %: is another # of C
    if (length == 0) continue;
    if (auto include = include_at(spliced, i, i + length)) out.push_back(std::move(*include));
  }
  return out;
}

bool leads_up(const std::string& file) {
  if (fs::path(file).is_absolute()) return true;
  for (const auto& part : fs::path(file))
    if (part == "..") return true;
  return false;
}

class Follower {
 public:
  explicit Follower(const std::string& file) : folder_(fs::path(file).parent_path()) {}

  void follow(std::string_view text, const std::string& file) {
    for (const Include& include : includes_of(text)) {
      if (const std::string why = wrong(include, file); !why.empty())
        out_.push_back(error_at(file, text, include.offset, include.length, why,
                                "only files below the folder of the models can be included"));
    }
  }
  Diagnostics take() { return std::move(out_); }

 private:
  // Beside the file that includes it, or beside the first one: wherever cpp may find it.
  std::string wrong(const Include& include, const std::string& file) {
    if (!include.plain) return "the name of the file that is included has to be written here";
    if (leads_up(include.file)) return fmt::format("'{}' may lead out of the folder", include.file);
    if (include.system) return {};
    for (const fs::path& beside : {fs::path(file).parent_path(), folder_}) {
      const std::string there = (beside / include.file).string();
      std::error_code none;
      if (seen_.contains(there) || !fs::exists(there, none)) continue;
      if (seen_.size() >= kMostFiles) return "too many files are included";
      seen_.insert(there);
      const auto text = read_file(there);
      if (!text) return fmt::format("'{}' cannot be read: {}", include.file, text.error()[0].message);
      follow(*text, there);
    }
    return {};
  }

  fs::path folder_;
  std::set<std::string> seen_;
  Diagnostics out_;
};

}  // namespace

Diagnostics includes_that_lead_out(std::string_view text, const std::string& file) {
  Follower follower(file);
  follower.follow(text, file);
  return follower.take();
}

}  // namespace surety::promela
