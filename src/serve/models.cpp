#include "serve/models.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <functional>
#include <thread>

namespace surety::serve {
namespace {

constexpr std::uint64_t kAddresses = 2ULL << 30;  // of a language process; it ends questions at 512 MiB itself
constexpr std::size_t kMostReply = 64 << 20;
constexpr std::chrono::milliseconds kLookForRoom{5};
constexpr std::chrono::milliseconds kLookForEnd{200};  // of the server

std::string flat(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string framed(const Json& message) {
  const std::string text = flat(message);
  return fmt::format("Content-Length: {}\r\n\r\n{}", text.size(), text);
}

// What editors would ask; who opens and closes is the server.
bool may_be_asked(const std::string& method) {
  return (method.starts_with("textDocument/") && !method.starts_with("textDocument/did")) ||
         method.starts_with("surety/");
}

std::string uri_of(const std::string& path) {
  std::string out = "file://";
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("/._-~", c) != nullptr;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace

// A model and its process, if it has one. One question after the other.
class Model {
 public:
  Model(Nursery& nursery, std::string surety, std::string folder, Models::State& state)
      : nursery_(nursery), surety_(std::move(surety)), folder_(std::move(folder)), state_(state) {}
  ~Model() { end(); }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  std::string id, path, text, language;
  Json options = Json::object();

  std::string uri() const { return uri_of(folder_ + "/" + path); }
  // It counts among the processes from when one may be started for it until that one is ended.
  void take_place() {
    place_ = true;
    ++state_.processes;
  }

  // `room`: gives it a place, if there is one.
  Or<std::string> ask(const Json& request, const std::function<bool()>& room) {
    const std::scoped_lock lock(mutex_);
    const std::string method = request.value("method", "");
    if (!may_be_asked(method)) return bad_request(fmt::format("'{}' cannot be asked from here", method));
    Json params = request.value("params", Json::object());
    if (!params.is_object()) return bad_request("'params' is an object");
    params["textDocument"] = {{"uri", uri()}};
    if (!alive_ && !room()) return trouble(503, "busy", "all language processes are busy", "try again");
    std::string out;
    try {
      if (!alive_) out = begin();
    } catch (...) {  // no more files can be opened
      end();
      throw;
    }
    if (changed_)
      out += framed(telling("textDocument/didChange", {{"textDocument", {{"uri", uri()}, {"version", ++version_}}},
                                                       {"contentChanges", {{{"text", text}}}}}));
    changed_ = false;
    const std::uint64_t number = ++asked_;
    out += framed({{"jsonrpc", "2.0"}, {"id", number}, {"method", method}, {"params", std::move(params)}});
    auto rest = exchange(out, number);
    if (!rest) {
      end();
      return rest;
    }
    return fmt::format(R"({{"jsonrpc":"2.0","id":{},{})", flat(request.contains("id") ? request["id"] : Json()), *rest);
  }

  void change(std::string now) {
    const std::scoped_lock lock(mutex_);
    text = std::move(now);
    changed_ = alive_;
  }

  // Only between two questions, not if it is busy, or about to be.
  void put_to_sleep() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock && alive_) end();
  }

 private:
  static Json telling(const char* method, Json params) {
    return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
  }

  // Starts a process; what it has to be told first.
  std::string begin() {
    Pipe in = make_pipe(), out = make_pipe();
    to_ = std::move(in.to);
    from_ = std::move(out.from);
    ::fcntl(to_.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(from_.get(), F_SETFL, O_NONBLOCK);
    std::vector<Fd> handed;
    handed.push_back(std::move(in.from));
    handed.push_back(std::move(out.to));
    handed.emplace_back(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    Program program{{surety_, "lsp", "--beneath=."}, folder_, {}, kAddresses, 1 << 20};
    for (int i = 0; i < 3; ++i) program.opened.emplace_back(handed[static_cast<std::size_t>(i)].get(), i);
    child_ = nursery_.raise(std::move(program), std::move(handed), Fd(), {}, [](const Ended&) {});
    alive_ = true;
    changed_ = false;
    rest_.clear();
    return framed({{"jsonrpc", "2.0"},
                   {"id", 0},
                   {"method", "initialize"},
                   {"params",
                    {{"processId", nullptr},
                     {"rootUri", nullptr},
                     {"capabilities", Json::object()},
                     {"initializationOptions", options}}}}) +
           framed(telling("initialized", Json::object())) +
           framed(telling("textDocument/didOpen",
                          {{"textDocument",
                            {{"uri", uri()}, {"languageId", language}, {"version", ++version_}, {"text", text}}}}));
  }

  void end() {
    if (std::exchange(place_, false)) --state_.processes;
    if (!alive_) return;
    to_.reset();
    from_.reset();
    nursery_.kill(child_);
    alive_ = false;
  }

  // Writes and reads at once, so that neither side waits for the other. Until the reply to this question has come.
  Or<std::string> exchange(const std::string& out, std::uint64_t number) {
    const auto deadline = std::chrono::steady_clock::now() + Models::kPatience;
    std::size_t written = 0;
    while (true) {
      if (auto reply = take_reply(number); !reply || !reply->empty()) return reply;
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      if (state_.over) return trouble(503, "ending", "the server ends");
      if (left.count() <= 0) return trouble(504, "late", "the language process took too long, and was ended");
      pollfd wait[] = {{from_.get(), POLLIN, 0}, {written < out.size() ? to_.get() : -1, POLLOUT, 0}};
      ::poll(wait, 2, static_cast<int>(std::min(left, kLookForEnd).count()));
      if (wait[1].revents != 0) {
        const ssize_t n = ::write(to_.get(), out.data() + written, out.size() - written);
        if (n > 0) written += static_cast<std::size_t>(n);
        if (n < 0 && errno != EAGAIN && errno != EINTR) return died();
      }
      if (wait[0].revents != 0) {
        char buffer[65536];
        // It does not wait, and a process has one question at a time.
        // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection)
        const ssize_t n = ::read(from_.get(), buffer, sizeof buffer);
        if (n > 0) rest_.append(buffer, static_cast<std::size_t>(n));
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return died();
        if (rest_.size() > kMostReply) return trouble(502, "size", "the answer is too long");
      }
    }
  }

  static tl::unexpected<Trouble> died() {
    return trouble(502, "died", "the language process died, and will be started again",
                   "the model may be too large for it: run a check instead");
  }

  // The reply, if it is there, without its beginning up to the number; other messages are dropped. Empty: not yet. It
  // is not parsed: a machine of a megabyte would take twenty, and our own program writes its replies in this one way.
  Or<std::string> take_reply(std::uint64_t number) {
    constexpr std::string_view kLength = "Content-Length: ";
    const std::string begin = fmt::format(R"({{"jsonrpc":"2.0","id":{},)", number);
    while (true) {
      const auto end = rest_.find("\r\n\r\n");
      if (end == std::string::npos) return "";
      std::size_t length = 0;
      const char* const digits = rest_.data() + kLength.size();
      if (!rest_.starts_with(kLength) || std::from_chars(digits, rest_.data() + end, length).ec != std::errc() ||
          length > kMostReply)
        return trouble(502, "died", "the language process answers nonsense");
      if (rest_.size() < end + 4 + length) return "";
      const std::string_view message = std::string_view(rest_).substr(end + 4, length);
      std::string reply(message.starts_with(begin) ? message.substr(begin.size()) : "");
      rest_.erase(0, end + 4 + length);
      if (rest_.empty()) rest_.shrink_to_fit();
      if (!reply.empty()) return reply;
    }
  }

  Nursery& nursery_;
  const std::string surety_, folder_;
  std::mutex mutex_;
  Models::State& state_;
  bool place_ = false, alive_ = false, changed_ = false;
  Nursery::Id child_ = 0;
  Fd to_, from_;
  std::string rest_;
  std::uint64_t asked_ = 0, version_ = 0;
};

Models::Models(Nursery& nursery, std::string surety, const Places& places)
    : nursery_(nursery), surety_(std::move(surety)), places_(places) {}
Models::~Models() = default;

Or<Json> Models::open(const Json& asked) {
  const std::string path = asked.value("path", "");
  const auto where = places_.find(path);
  if (!where) return tl::unexpected(where.error());
  const auto model = std::make_shared<Model>(nursery_, surety_, where->folder->path(), state_);
  model->path = where->path;
  model->language = asked.value("language", language_of(path));
  if (language_of(where->path).empty() || where->path.find("..") != std::string::npos || where->path.starts_with('/'))
    return trouble(403, "outside", "this is no model of the folder");
  if (asked.contains("text")) {
    model->text = asked["text"];
  } else {
    auto there = places_.read(path);
    if (!there) return tl::unexpected(there.error());
    model->text = std::move(*there);
  }
  for (const char* name : {"define", "system", "cells"})
    if (asked.contains(name) && !asked[name].is_null()) model->options[name] = asked[name];
  const std::scoped_lock lock(mutex_);
  model->id = fmt::format("m{}", next_++);
  models_.push_front(model);
  if (models_.size() > kMostModels) models_.pop_back();
  return Json{{"model", model->id}, {"uri", model->uri()}};
}

Or<std::shared_ptr<Model>> Models::find(const std::string& id) {
  const auto it = std::ranges::find(models_, id, [](const auto& model) { return model->id; });
  if (it == models_.end()) return trouble(404, "missing", "this model is not open, or no longer", "open it again");
  models_.splice(models_.begin(), models_, it);
  return models_.front();
}

// A place for the process of this model. Who is answering is left alone, and waited for.
bool Models::make_room(Model& model) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience + kPatience / 2;
  while (true) {
    {
      const std::scoped_lock lock(mutex_);
      for (auto it = models_.rbegin(); it != models_.rend() && state_.processes >= kMostProcesses; ++it)
        (*it)->put_to_sleep();
      if (state_.processes < kMostProcesses) {
        model.take_place();
        return true;
      }
    }
    if (state_.over || std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(kLookForRoom);
  }
}

Or<std::string> Models::ask(const std::string& id, const Json& request) {
  std::shared_ptr<Model> model;
  {
    const std::scoped_lock lock(mutex_);
    auto found = find(id);
    if (!found) return tl::unexpected(found.error());
    model = *found;
  }
  return model->ask(request, [&] { return make_room(*model); });
}

Or<void> Models::change(const std::string& id, std::string text) {
  std::shared_ptr<Model> model;
  {
    const std::scoped_lock lock(mutex_);
    auto found = find(id);
    if (!found) return tl::unexpected(found.error());
    model = *found;
  }
  model->change(std::move(text));
  return {};
}

Or<void> Models::close(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  const auto found = find(id);
  if (!found) return tl::unexpected(found.error());
  models_.remove(*found);
  return {};
}

void Models::end_questions() { state_.over = true; }

void Models::close_all() {
  const std::scoped_lock lock(mutex_);
  models_.clear();
}

}  // namespace surety::serve
