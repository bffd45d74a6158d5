// The messages of a client as they come: their framing, and what lies behind the one whose turn it is.
//
// Questions are answered one after the other, and one may take two seconds. So what has come meanwhile is looked at
// first: of a text that has changed again nothing is told yet, and a question that was taken back is not answered.
#pragma once

#include <deque>
#include <functional>
#include <istream>
#include <optional>
#include <string>

#include "base/json.hpp"

namespace surety::lsp {

struct Message {
  std::string text;
  std::string wrong;  // there is none that could be read, for this reason
};

class Inbox {
 public:
  // `is_there`: whether more can be read without waiting.
  Inbox(std::istream& in, std::function<bool()> is_there) : in_(in), is_there_(std::move(is_there)) {}

  std::optional<Message> next();  // nothing: the input has ended

  // Of the message that next() gave last: a later one changes the same document, or takes the question back.
  bool changes_again();
  bool is_taken_back();

 private:
  // What of a message matters to those before it.
  struct Gist {
    std::string changed;  // the document whose text it gives
    Json taken_back;      // the id of a question; null: none
    Json id;              // its own
  };
  struct Waiting {
    Message message;
    std::optional<Gist> gist = {};
  };
  static Gist gist_of(const Message& message);
  const Gist& gist(Waiting& waiting);
  void take_what_is_there();
  bool read_one();

  std::istream& in_;
  std::function<bool()> is_there_;
  std::deque<Waiting> waiting_;
  std::size_t bytes_ = 0;  // of those
  Waiting last_;
};

// Nothing that is asked is nested so deeply, and copies of it would need a large stack; nor has any object so many
// members, each of which is compared with all before it. Null: it is not too much.
const char* too_much_of(const std::string& message);

}  // namespace surety::lsp
