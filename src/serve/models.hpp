// Open models: for each a language process (`surety lsp`) that has its text, and answers questions about it.
//
// They are few, because each holds a model in memory: the one that has not been asked for longest goes, and comes back
// with the text of its page when it is asked again. One that takes too long or dies is told of, and started again with
// the next question.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/json.hpp"
#include "serve/nursery.hpp"
#include "serve/places.hpp"

namespace surety::serve {

class Model;

class Models {
 public:
  static constexpr std::size_t kMostProcesses = 8;
  static constexpr std::size_t kMostModels = 64;
  static constexpr std::chrono::seconds kPatience{10};  // with one question; the process itself takes two

  Models(Nursery& nursery, std::string surety, const Places& places);
  ~Models();

  // { path, text?, language?, define?, system?, cells? } → { model, uri }
  Or<Json> open(const Json& asked);
  Or<std::string> ask(const std::string& id, const Json& request);  // the reply, as text
  Or<void> change(const std::string& id, std::string text);
  Or<void> close(const std::string& id);
  void end_questions();  // those that wait for an answer, and all that come
  void close_all();

  // What all models share.
  struct State {
    std::atomic<std::size_t> processes = 0;  // also those of models that have just been closed
    std::atomic<bool> over = false;
  };

 private:
  using Known = std::list<std::shared_ptr<Model>>;  // the one that was asked last is the first

  Or<std::shared_ptr<Model>> find(const std::string& id);
  bool make_room(Model& model);

  Nursery& nursery_;
  const std::string surety_;
  const Places& places_;
  std::mutex mutex_;
  std::uint64_t next_ = 1;
  State state_;
  Known models_;
};

}  // namespace surety::serve
