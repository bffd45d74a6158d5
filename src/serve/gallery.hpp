// The examples as a page shows them: what each is about, and its constants.
//
// The title and the words about it are the comment that the file begins with. The constants come from the program
// itself (`surety info`), in the background, because no more than one reader of a language is wanted.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>

#include "base/json.hpp"
#include "serve/places.hpp"

namespace surety::serve {

class Gallery {
 public:
  explicit Gallery(const Folder* examples, std::string surety);

  // To be called once, by a thread that has time. `over`: the server ends.
  void look(const std::atomic<bool>& over);

  // [{ path, title, about, constants }]; waits for a little while until the constants are known.
  Json list() const;

 private:
  bool look_at_next(const std::atomic<bool>& over);

  const Folder* examples_;
  const std::string surety_;
  std::vector<FileEntry> files_;
  mutable std::mutex mutex_;
  mutable std::condition_variable ready_;
  Json list_ = Json::array();
  std::size_t next_ = 0;
  bool done_ = false;
};

// The comment that a text begins with: its first sentence or line, and the rest of that paragraph and the next.
struct About {
  std::string title, about;
};
About read_about(std::string_view text);

}  // namespace surety::serve
