// The page: index.html and what it loads, from the binary, or while one works on it from a folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "serve/trouble.hpp"

namespace surety::serve {

// What was built in (cmake/page.cmake); the names have no folder but "assets/".
struct BuiltIn {
  const char* name;
  const char* hash;  // of what is in it
  bool gzipped;
  const char *begin, *end;
};
const std::vector<BuiltIn>& built_in_page();

struct Asset {
  std::string_view bytes;  // of what is built in
  std::string text;        // of a folder
  std::string type;
  std::string tag;  // for the browser's cache; empty: not to be kept
  bool gzipped = false;
};

class Assets {
 public:
  explicit Assets(std::string folder) : folder_(std::move(folder)) {}  // empty: what is built in

  // "index.html", "licences.txt", "assets/page-ABC.js"
  Or<Asset> find(const std::string& name) const;

 private:
  std::string folder_;
};

}  // namespace surety::serve
