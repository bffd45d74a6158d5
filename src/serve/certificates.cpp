#include "serve/certificates.hpp"

#include <algorithm>
#include <filesystem>

#include "base/hash.hpp"
#include "base/json.hpp"

namespace surety::serve {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLists[] = {"inputs", "read"};  // whose entries name files

// Everything before the proofs, and the proofs.
struct Parts {
  Json head;
  std::string_view proofs;
};

Or<Parts> parts_of(std::string_view text) {
  constexpr std::string_view kProofs = "\n  \"proofs\":";
  const auto middle = text.find(kProofs);
  Parts out;
  if (middle != std::string_view::npos) {
    out.head = Json::parse(std::string(text.substr(0, middle)) + "\n  \"proofs\": []\n}", nullptr, false);
    out.proofs = text.substr(middle + kProofs.size());
  }
  if (!out.head.is_object()) return trouble(500, "certificate", "this is no certificate");
  return out;
}

template <class Each>
void each_file(Json& head, Each each) {
  for (const char* list : kLists)
    if (const auto entries = head.find(list); entries != head.end())
      for (Json& entry : *entries) each(entry);
}

}  // namespace

Or<std::string> moved_certificate(const std::string& text, const std::string& from, const std::string& to) {
  auto parts = parts_of(text);
  if (!parts) return tl::unexpected(parts.error());
  each_file(parts->head, [&](Json& entry) {
    const fs::path whole = (fs::path(from) / entry.at("file").get<std::string>()).lexically_normal();
    entry["file"] = whole.lexically_relative(to).generic_string();
  });
  std::string out = dump(parts->head);
  const auto end = out.rfind("\"proofs\": []");
  out.resize(end);
  out += "\"proofs\":";
  out += parts->proofs;
  return out;
}

std::vector<Overlay> texts_of_certificate(const std::string& text, const Folder& folder,
                                          const std::vector<Overlay>& known) {
  std::vector<Overlay> out;
  auto parts = parts_of(text);
  if (!parts) return out;
  each_file(parts->head, [&](Json& entry) {
    const std::string path = entry.at("file");
    const auto is_it = [&](const Overlay& overlay) { return overlay.path == path; };
    if (std::ranges::any_of(known, is_it) || std::ranges::any_of(out, is_it)) return;
    auto there = folder.read(path);
    if (there && sha256_hex(*there) == entry.value("sha256", "")) out.push_back({path, std::move(*there)});
  });
  return out;
}

}  // namespace surety::serve
