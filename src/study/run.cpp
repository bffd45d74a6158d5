#include "study/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/check.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "study/owner.hpp"

namespace surety::study {

bool Owner::must_stop() {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (options_.interrupted != nullptr && *options_.interrupted)
    why_ = RunEnd::Why::interrupted;
  else if (options_.budget_s && seconds >= *options_.budget_s)
    why_ = RunEnd::Why::budget;
  return why_ != RunEnd::Why::done || !contradiction_.empty() || !changed_.empty();
}

RunProgress Owner::progress() const {
  RunProgress out;
  out.workers = crew_.size();
  out.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  out.since_start = done_now_;
  for (const Item& item : study_.items) {
    if (!is_wanted(item) && !item.is_finished()) continue;
    ++out.all;
    if (!item.is_finished()) {
      out.left_s += item.expected;
      continue;
    }
    ++out.done;
    out.done_s += item.result ? item.result->time_s : 0;
    out.over_limit += item.status == Status::over_limit ? 1 : 0;
    out.worse += item.status == Status::worse ? 1 : 0;
    out.crashed += item.status == Status::crashed ? 1 : 0;
  }
  for (const Busy& busy : busy_) {
    if (busy.ids.empty()) continue;
    const Running& running = running_.at(busy.ids.front());
    const double seconds = std::chrono::duration<double>(Clock::now() - running.since).count();
    const std::string what =
        running.task.kind == Job::Kind::describe
            ? fmt::format("{} at size {}", study_.systems[running.task.track.system].definition.name, running.task.size)
            : study_.key(study_.items[running.task.item]);
    out.running.push_back({what, seconds});
  }
  std::ranges::sort(out.running, std::greater(), &RunProgress::Running::seconds);
  return out;
}

void Owner::tell() {
  if (!options_.progress || Clock::now() - told_ < std::chrono::milliseconds(500)) return;
  told_ = Clock::now();
  options_.progress(progress());
}

api::Outcome<RunEnd> Owner::run() {
  if (auto ok = can_run(store_, study_); !ok) return tl::unexpected(std::move(ok.error()));
  store_.begin();
  reopen();
  plan_all();
  store_.commit();
  while (!must_stop()) {
    hand_out();
    if (running_.empty()) break;
    for (const Crew::News& news : crew_.wait(std::chrono::milliseconds(200))) hear(news);
    if (store_.is_due()) store_.commit();
    tell();
  }
  // What is still running stays open.
  store_.begin();
  for (const auto& [id, running] : running_)
    if (running.task.kind == Job::Kind::run) {
      Item& item = study_.items[running.task.item];
      item.status = Status::open;
      store_.save_status(item);
    }
  store_.commit();
  check(contradiction_.empty(), contradiction_.c_str());
  if (!changed_.empty()) return api::bad_input({changed_model(changed_)});
  return RunEnd{why_, progress()};
}

Diagnostic changed_model(const std::string& file) {
  return file_error(file, "this model has changed since the study was made",
                    "surety study create --renew starts its runs again");
}

api::Outcome<void> can_run(const Store& store, const Study& study) {
  Diagnostics wrong;
  std::set<std::string> looked_at;
  for (const ModelRow& model : study.models) {
    if (!is_there(model.engine)) {
      wrong.push_back(file_error(study.file, why_not_there(model.engine)));
      break;
    }
    if (model.sha256.empty() || !looked_at.insert(model.file + file_sha256(model)).second) continue;
    const std::string file = store.usable_name(model.file);
    const auto text = read_file(file);
    if (!text)
      wrong.insert(wrong.end(), text.error().begin(), text.error().end());
    else if (sha256_hex(*text) != file_sha256(model))
      wrong.push_back(changed_model(file));
  }
  if (!wrong.empty()) return api::bad_input(std::move(wrong));
  return {};
}

api::Outcome<RunEnd> run_study(Store& store, Crew& crew, const RunOptions& options) {
  return guarded(store.file(), [&]() -> api::Outcome<RunEnd> {
    Owner owner(store, crew, options);
    return owner.run();
  });
}

}  // namespace surety::study
