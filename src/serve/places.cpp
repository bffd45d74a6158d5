#include "serve/places.hpp"

namespace surety::serve {

constexpr std::string_view kExamples = "examples:";

Or<Places> Places::open(const std::string& folder, const std::string& examples, bool read_only) {
  auto own = Folder::open(folder);
  if (!own) return tl::unexpected(own.error());
  Places out(std::move(*own), read_only);
  if (examples.empty()) return out;
  auto second = Folder::open(examples);
  if (!second) return tl::unexpected(second.error());
  out.examples_ = std::move(*second);
  return out;
}

Or<Places::Where> Places::find(const std::string& path) const {
  if (!path.starts_with(kExamples)) return Where{&own_, path, read_only_};
  if (!examples_) return trouble(404, "missing", "there are no examples here");
  return Where{&*examples_, path.substr(kExamples.size()), true};
}

Or<std::string> Places::read(const std::string& path) const {
  const auto where = find(path);
  if (!where) return tl::unexpected(where.error());
  return where->folder->read(where->path);
}

Or<std::string> Places::write(const std::string& path, std::string_view text, const std::string& if_sha256,
                              std::uint64_t most) const {
  const auto where = find(path);
  if (!where) return tl::unexpected(where.error());
  if (where->read_only)
    return read_only_ ? trouble(403, "read-only", "nothing can be saved: this server was started with --read-only")
                      : trouble(403, "read-only", "the examples cannot be changed", "save it under another name");
  return where->folder->write(where->path, text, if_sha256, most);
}

}  // namespace surety::serve
