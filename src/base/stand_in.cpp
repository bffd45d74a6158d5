#include "base/stand_in.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>

namespace surety {
namespace {

std::mutex mutex;
std::set<std::string> asked;

}  // namespace

std::string one_path(const std::string& path) {
  std::error_code none;
  const auto known = std::filesystem::weakly_canonical(path, none);
  return none ? std::filesystem::path(path).lexically_normal().string() : known.string();
}

const std::string* stand_in(const std::map<std::string, std::string>& texts, const std::string& file) {
  if (texts.empty()) return nullptr;
  const std::string path = one_path(file);
  {
    const std::scoped_lock lock(mutex);
    asked.insert(path);
  }
  auto known = texts.find(file);
  if (known == texts.end())
    known = std::ranges::find_if(texts, [&](const auto& text) { return one_path(text.first) == path; });
  return known == texts.end() ? nullptr : &known->second;
}

std::set<std::string> take_asked_files() {
  const std::scoped_lock lock(mutex);
  return std::exchange(asked, {});
}

}  // namespace surety
