#include "serve/gallery.hpp"

#include <algorithm>
#include <chrono>

#include "base/budget.hpp"
#include "base/check.hpp"
#include "base/process.hpp"

namespace surety::serve {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 700ms;  // of who asks for the list
constexpr auto kTimeOfOne = 2s;    // for its constants

bool is_example(const FileEntry& file) {
  return file.language == "fsp" || file.language == "promela" || file.language == "ada";
}

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r*");
  const auto end = text.find_last_not_of(" \t\r");
  return begin == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

// The lines of the first comment, without its marks.
std::vector<std::string> first_comment(std::string_view text) {
  std::vector<std::string> out;
  bool inside = false;  // of /* */
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool opens = line.starts_with("/");
    if (!inside && line.starts_with("/")) inside = text.data()[-1] == '\n' && opens && line.find("/*") == 0;
    if (!inside && !line.starts_with("//") && !line.starts_with("--")) break;
    const bool closes = inside && line.find("*/") != std::string::npos;
    if (closes) line.resize(line.find("*/"));
    const auto begin = line.find_first_not_of("/-* ");
    out.push_back(begin == std::string::npos ? "" : trimmed(line.substr(begin)));
    if (closes) break;
  }
  return out;
}

// Nothing, if the system gives no files for it: then the constants stay unknown.
std::string output_of(const Command& command, Budget& budget) {
  try {
    return run(command, budget).output;
  } catch (const InternalError&) {
    return {};
  }
}

// { "K": 2 }
Json constants_of(const std::string& surety, const Folder& folder, const std::string& path,
                  const std::atomic<bool>& over) {
  Limits limits;
  limits.time = kTimeOfOne;
  Budget budget(limits, &over);
  Command command{{surety, "info", "--json", "--quiet", "--beneath=.", "--time=1s", "--memory=512M", "--", path},
                  folder.path()};
  command.errors_apart = true;
  Json out = Json::object();
  const Json said = Json::parse(output_of(command, budget), nullptr, false);
  if (!said.is_object() || !said.contains("constants")) return out;
  for (const auto& [name, value] : said["constants"].items())
    if (value.is_number()) out[name] = value;
  return out;
}

}  // namespace

About read_about(std::string_view text) {
  About out;
  bool gap = false;
  for (const std::string& line : first_comment(text)) {
    if (out.title.empty()) {
      out.title = line;
    } else if (line.empty()) {
      if (!out.about.empty() || gap) break;
      gap = true;
    } else {
      out.about += (out.about.empty() ? "" : " ") + line;
    }
  }
  return out;
}

// All of them are listed at once; what asks a program of each comes later.
Gallery::Gallery(const Folder* examples, std::string surety) : examples_(examples), surety_(std::move(surety)) {
  if (examples_ == nullptr) return;
  for (const FileEntry& file : examples_->list()) {
    if (!is_example(file)) continue;
    const auto text = examples_->read(file.path);
    if (!text) continue;
    const About about = read_about(*text);
    files_.push_back(file);
    list_.push_back({{"path", "examples:" + file.path},
                     {"title", utf8(about.title)},
                     {"about", utf8(about.about)},
                     {"language", file.language},
                     {"constants", Json::object()}});
  }
}

bool Gallery::look_at_next(const std::atomic<bool>& over) {
  if (next_ >= files_.size()) return false;
  const std::size_t i = next_++;
  if (files_[i].language != "fsp") return true;
  Json constants = constants_of(surety_, *examples_, files_[i].path, over);
  const std::scoped_lock lock(mutex_);
  list_[i]["constants"] = std::move(constants);
  return true;
}

void Gallery::look(const std::atomic<bool>& over) {
  while (!over && look_at_next(over)) {
  }
  const std::scoped_lock lock(mutex_);
  done_ = true;
  ready_.notify_all();
}

Json Gallery::list() const {
  std::unique_lock lock(mutex_);
  ready_.wait_for(lock, kPatience, [this] { return done_; });
  return list_;
}

}  // namespace surety::serve
