#include "serve/assets.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/file.hpp"

namespace surety::serve {
namespace {

std::string type_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kTypes = {
      {{".html", "text/html; charset=utf-8"},
       {".js", "text/javascript; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".txt", "text/plain; charset=utf-8"},
       {".json", "application/json"},
       {".map", "application/json"},
       {".svg", "image/svg+xml"},
       {".png", "image/png"},
       {".woff2", "font/woff2"},
       {".wasm", "application/wasm"}}};
  for (const auto& [ending, type] : kTypes)
    if (name.ends_with(ending)) return std::string(type);
  return "application/octet-stream";
}

// One folder deep, no way out: names as the bundler makes them.
bool is_name(std::string_view name) {
  if (name.starts_with("assets/")) name.remove_prefix(7);
  return !name.empty() && !name.starts_with('.') && std::ranges::all_of(name, [](unsigned char c) {
    return (std::isalnum(c) != 0 && c < 128) || c == '-' || c == '_' || c == '.';
  });
}

}  // namespace

Or<Asset> Assets::find(const std::string& name) const {
  const auto missing = [] { return trouble(404, "missing", "the page has no such part"); };
  if (!is_name(name)) return missing();
  Asset out;
  out.type = type_of(name);
  if (!folder_.empty()) {
    auto text = read_file(folder_ + "/" + name);
    if (!text) return missing();
    out.text = std::move(*text);
    out.bytes = {};
    return out;
  }
  const auto it = std::ranges::find(built_in_page(), std::string_view(name),
                                    [](const BuiltIn& asset) { return std::string_view(asset.name); });
  if (it == built_in_page().end()) return missing();
  out.bytes = {it->begin, static_cast<std::size_t>(it->end - it->begin)};
  out.tag = it->hash;
  out.gzipped = it->gzipped;
  return out;
}

}  // namespace surety::serve
