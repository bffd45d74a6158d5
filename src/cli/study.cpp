#include "cli/study.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <iostream>
#include <thread>

#include "api/json.hpp"
#include "base/check.hpp"
#include "base/file.hpp"
#include "cli/commands.hpp"
#include "cli/text_lines.hpp"
#include "cli/text_study.hpp"
#include "load/split.hpp"
#include "study/report/predict.hpp"
#include "study/report/report.hpp"
#include "study/shard.hpp"

namespace surety::cli {
namespace {

namespace fs = std::filesystem;
using api::Failure;
using study::Database;
using study::Store;

void print(const std::string& text) { std::cout << text << std::flush; }

Failure wrong(const std::string& option, const std::string& value, const std::string& hint) {
  return api::usage(fmt::format("{} cannot be '{}'", option, value), hint).value();
}

api::Outcome<void> takes_files(const Options& options, std::size_t least, std::size_t most, const char* what) {
  if (options.files.size() >= least && options.files.size() <= most) return {};
  return api::usage(what);
}

// --- create -------------------------------------------------------------------------

api::Outcome<std::set<study::Engine>> engines_of(const Options& options) {
  std::set<study::Engine> out;
  std::vector<std::string> names;
  for (const study::Engine engine : study::kEngines) names.emplace_back(name_of(engine));
  for (const auto& word : api::split_names(options.study_engines)) {
    const auto engine = study::engine_from_name(word);
    if (!engine)
      return api::usage(fmt::format("there is no engine '{}'", word), did_you_mean(word, names, "there are"));
    out.insert(*engine);
  }
  return out;
}

// What the options say instead of a file, or beside one.
api::Outcome<void> add_limits(const Options& options, study::Definition& out) {
  if (!options.limit.empty()) {
    const auto time = parse_time(options.limit);
    if (!time || time->count() <= 0)
      return tl::unexpected(wrong("--limit", options.limit, "for example 60s, 500ms, 2m"));
    out.limits.time_s = std::chrono::duration<double>(*time).count();
  }
  if (!options.study_memory.empty()) {
    const auto memory = parse_size(options.study_memory);
    if (!memory || *memory == 0) return tl::unexpected(wrong("--memory", options.study_memory, "for example 200M, 2G"));
    out.limits.memory = *memory;
  }
  if (!options.limit_factor.empty()) {
    const char* const end = options.limit_factor.data() + options.limit_factor.size();
    const auto read = std::from_chars(options.limit_factor.data(), end, out.limits.factor);
    if (read.ec != std::errc() || read.ptr != end || out.limits.factor < 0)
      return tl::unexpected(wrong("--limit-factor", options.limit_factor, "for example 10"));
  }
  if (!options.study_methods.empty()) out.methods = api::split_names(options.study_methods);
  if (!options.study_alphabets.empty()) out.alphabets = api::split_names(options.study_alphabets);
  if (!options.study_learner.empty()) out.learner = options.study_learner;
  const auto methods = study::methods_for_studies();
  for (const auto& method : out.methods)
    if (std::ranges::find(methods, method) == methods.end())
      return api::usage(fmt::format("there is no method '{}' for a study", method),
                        did_you_mean(method, methods, "there are"));
  for (const auto& alphabet : out.alphabets)
    if (alphabet != "full" && alphabet != "refine")
      return api::usage(fmt::format("there is no alphabet mode '{}'", alphabet), "there are: full, refine");
  const auto learners = study::learners_for_studies();
  if (std::ranges::find(learners, out.learner) == learners.end())
    return api::usage(fmt::format("there is no learner '{}'", out.learner),
                      did_you_mean(out.learner, learners, "there are"));
  return {};
}

api::Outcome<study::Definition> definition_of(const Options& options, const std::set<study::Engine>& engines) {
  study::Definition out;
  if (options.study_system.empty()) {
    auto read = study::read_definition(options.files[1]);
    if (!read) return api::bad_input(std::move(read.error()));
    out = std::move(*read);
    if (!options.sizes.empty() || !options.scale.empty() || !options.repeated.empty() || !options.properties.empty() ||
        !options.parameter.empty())
      return api::usage("--sizes, --scale, --repeated, --parameter and --property go with --system",
                        "the definition has them for each of its systems");
  } else {
    study::DefinedSystem system;
    system.name = fs::path(options.study_system).stem().string();
    if (!options.parameter.empty()) system.parameter = options.parameter;
    const study::DefinedModel model{options.study_system, "", options.repeated, options.properties};
    for (const study::Engine engine : study::kEngines)
      if (engines.contains(engine) || (engines.empty() && engine == study::Engine::exact))
        system.models[engine] = model;
    for (const auto& [text, name] : {std::pair(&options.sizes, "--sizes"), std::pair(&options.scale, "--scale")}) {
      if (text->empty()) continue;
      const auto range = study::parse_range(*text);
      if (!range) return tl::unexpected(wrong(name, *text, "for example 2..4"));
      if (text == &options.scale && range->from != 2)
        return tl::unexpected(wrong(name, *text, "it begins at 2, where the best decomposition is taken from"));
      (text == &options.sizes ? system.all : system.scale.emplace()) = *range;
    }
    out.systems = {std::move(system)};
  }
  if (auto ok = add_limits(options, out); !ok) return tl::unexpected(std::move(ok.error()));
  return out;
}

int create_command(const Options& options, const std::atomic<bool>& interrupted) {
  const std::size_t files = options.study_system.empty() ? 2 : 1;
  if (auto ok = takes_files(options, files, files,
                            files == 2 ? "create takes a study and its definition, or a study and --system"
                                       : "create with --system takes the study alone");
      !ok)
    return fail(ok.error(), options.json);
  const auto engines = engines_of(options);
  if (!engines) return fail(engines.error(), options.json);
  auto definition = definition_of(options, *engines);
  if (!definition) return fail(definition.error(), options.json);
  study::CreateOptions request;
  request.file = options.files[0];
  request.definition = std::move(*definition);
  request.definition_file = options.study_system.empty() ? options.files[1] : "";
  request.engines = *engines;
  request.renew = options.renew;
  request.interrupted = &interrupted;
  const auto created = study::create(request);
  if (!created) return fail(created.error(), options.json);
  print(options.json ? dump({{"schema", 1},
                             {"file", options.files[0]},
                             {"systems", created->systems},
                             {"instances", created->instances},
                             {"runs", created->items},
                             {"all_runs", created->all_items}})
                     : to_text(*created, options.files[0]));
  return 0;
}

// --- run ------------------------------------------------------------------------------

// On a terminal a bar that is redrawn, otherwise one line per minute.
class Display {
 public:
  explicit Display(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}
  ~Display() { clear(); }
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  void show(const study::RunProgress& progress) {
    if (quiet_) return;
    if (terminal_) {
      winsize size{};
      const int columns = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
      const std::string text = bar(progress, columns);
      clear();
      std::cerr << text << std::flush;
      lines_ = 1 + static_cast<std::size_t>(std::ranges::count(text, '\n'));
    } else if (progress.seconds - told_ >= 60) {
      told_ = progress.seconds;
      std::cerr << line_of(progress) << "\n";
    }
  }

 private:
  void clear() {
    for (std::size_t i = 0; i < lines_; ++i) std::cerr << (i == 0 ? "\r\033[K" : "\033[A\033[K");
    if (lines_ > 0) std::cerr << std::flush;
    lines_ = 0;
  }
  bool quiet_, terminal_;
  std::size_t lines_ = 0;
  double told_ = 0;
};

std::optional<study::Shard> parse_shard(const std::string& text) {
  study::Shard out;
  const char* const end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, out.number);
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != '/') return std::nullopt;
  read = std::from_chars(read.ptr + 1, end, out.count);
  if (read.ec != std::errc() || read.ptr != end || out.number >= out.count) return std::nullopt;
  return out;
}

api::Outcome<study::RunOptions> run_options(const Options& options) {
  study::RunOptions out;
  if (options.bound == "none") out.bound = study::Bound::none;
  if (options.bound == "mono") out.bound = study::Bound::mono;
  if (options.bound == "best") out.bound = study::Bound::best;
  if (options.orbits) out.orbits = true;
  if (!options.run_time.empty()) {
    const auto time = parse_time(options.run_time);
    if (!time) return tl::unexpected(wrong("--budget", options.run_time, "for example 8h, 30m, 90s"));
    out.budget_s = std::chrono::duration<double>(*time).count();
  }
  const auto colon = options.only.find(':');
  out.only_system = options.only.substr(0, colon);
  if (colon != std::string::npos) out.only_property = options.only.substr(colon + 1);
  return out;
}

// Names that the study does not have would run nothing.
api::Outcome<void> knows(const std::string& file, const study::RunOptions& options) {
  if (options.only_system.empty() && options.only_property.empty()) return {};
  auto store = Store::open(file, Database::Mode::read);
  if (!store) return tl::unexpected(std::move(store.error()));
  return study::guarded(file, [&]() -> api::Outcome<void> {
    std::vector<std::string> systems, properties;
    const study::Study known = store->read();
    for (const auto& track : known.tracks()) {
      const auto& name = known.systems[track.system].definition.name;
      systems.push_back(name);
      if (name == options.only_system) properties.push_back(track.property);
    }
    const auto has = [](const auto& list, const auto& name) { return std::ranges::find(list, name) != list.end(); };
    if (!has(systems, options.only_system))
      return api::usage(fmt::format("the study has no system '{}'", options.only_system),
                        did_you_mean(options.only_system, systems, "there are"));
    if (!options.only_property.empty() && !has(properties, options.only_property))
      return api::usage(fmt::format("{} has no property '{}'", options.only_system, options.only_property),
                        did_you_mean(options.only_property, properties, "there are"));
    return {};
  });
}

// The program that has MPI becomes this one. Does not come back, unless there is none.
api::Outcome<void> become_mpi_program() {
  std::error_code none;
  const fs::path self = fs::read_symlink("/proc/self/exe", none);
  for (const fs::path& other : {self.parent_path() / "surety-mpi", self.parent_path() / "../lib/surety/surety-mpi"}) {
    if (!fs::exists(other, none)) continue;
    const auto text = read_file("/proc/self/cmdline");
    if (!text) break;
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text->size(); at = text->find('\0', at) + 1) words.emplace_back(text->c_str() + at);
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(other.c_str(), pointers.data());
  }
  return api::usage("this surety was built without MPI", "build it where libopenmpi-dev is installed, or use --shard");
}

struct Target {
  std::string file;
  bool shard = false;
};
api::Outcome<Target> target_of(const Options& options) {
  if (options.shard.empty()) {
    if (!options.output.empty()) return api::usage("--output goes with --shard");
    return Target{options.files[0]};
  }
  const auto shard = parse_shard(options.shard);
  if (!shard) return tl::unexpected(wrong("--shard", options.shard, "for example 0/5 … 4/5"));
  if (options.output.empty())
    return api::usage("--shard needs a database for its results", "for example: -o part.0.db");
  if (auto made = study::prepare_shard(options.files[0], options.output, *shard); !made)
    return tl::unexpected(std::move(made.error()));
  return Target{options.output, true};
}

int run_command(const Options& options, const std::atomic<bool>& interrupted) {
  if (auto ok = takes_files(options, 1, 1, "run takes one study"); !ok) return fail(ok.error(), options.json);
  auto request = run_options(options);
  if (!request) return fail(request.error(), options.json);
  if (options.mpi && study::join_mpi == nullptr) return fail(become_mpi_program().error(), options.json);
  // Workers are started before the database is opened: what is open is theirs, too.
  std::unique_ptr<study::Crew> crew;
  if (options.mpi) {
    if (!options.shard.empty()) return fail(api::usage("--mpi goes with no --shard").value(), options.json);
    study::MpiCrew joined = study::join_mpi();
    if (!joined.is_owner) return 0;
    if (!joined.crew)
      return fail(api::usage("--mpi needs two ranks at least", "mpirun -n 17 surety study run FILE.db --mpi").value(),
                  options.json);
    crew = std::move(joined.crew);
  }
  if (auto ok = knows(options.files[0], *request); !ok) return fail(ok.error(), options.json);
  const auto target = target_of(options);
  if (!target) return fail(target.error(), options.json);
  if (!crew) {
    if (auto there = Store::open(target->file, Database::Mode::read); !there) return fail(there.error(), options.json);
    crew = study::make_local_crew(options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency()));
  }
  auto store = Store::open(target->file, Database::Mode::write);
  if (!store) return fail(store.error(), options.json);
  const auto lock = study::WriterLock::take(target->file);
  if (!lock) return fail(lock.error(), options.json);
  request->first_phases_only = target->shard;
  request->interrupted = &interrupted;
  const auto end = [&] {
    Display display(options.quiet || options.json);
    request->progress = [&](const study::RunProgress& progress) { display.show(progress); };
    return study::run_study(*store, *crew, *request);
  }();
  if (!end) return fail(end.error(), options.json);
  const auto& p = end->progress;
  if (options.json)
    print(dump({{"schema", 1},
                {"ended", end->why == study::RunEnd::Why::done     ? "done"
                          : end->why == study::RunEnd::Why::budget ? "budget"
                                                                   : "signal"},
                {"runs", p.all},
                {"done", p.done},
                {"now", p.since_start},
                {"over_limit", p.over_limit},
                {"worse", p.worse},
                {"crashed", p.crashed},
                {"time_s", p.seconds}}));
  else if (!options.quiet)
    print(to_text(*end));
  return end->why == study::RunEnd::Why::done ? 0 : 2;
}

// --- the others -------------------------------------------------------------------------

template <class Use>
int with_study(const Options& options, std::size_t files, const char* usage, Use use) {
  if (auto ok = takes_files(options, files, files, usage); !ok) return fail(ok.error(), options.json);
  auto store = Store::open(options.files[0], Database::Mode::read);
  if (!store) return fail(store.error(), options.json);
  auto read = study::guarded(options.files[0], [&]() -> api::Outcome<study::Study> { return store->read(); });
  if (!read) return fail(read.error(), options.json);
  return use(*store, *read);
}

int status_command(const Options& options) {
  return with_study(options, 1, "status takes one study", [&](const Store&, const study::Study& read) {
    const auto standing = study::standing_of(read);
    print(options.json ? dump(to_json(standing)) : to_text(standing));
    return 0;
  });
}

int show_command(const Options& options) {
  return with_study(options, 2, "show takes a study and a run", [&](const Store& store, const study::Study& read) {
    const auto shown = study::show(store, read, options.files[1]);
    if (!shown) return fail(shown.error(), options.json);
    print(options.json ? dump(to_json(*shown)) : to_text(*shown));
    return 0;
  });
}

int report_command(const Options& options) {
  return with_study(options, 1, "report takes one study", [&](const Store&, const study::Study& read) {
    const auto report = study::make_report(read);
    if (!options.output.empty())
      if (auto written = study::write_report(report, options.output); !written)
        return fail(written.error(), options.json);
    if (options.json)
      print(dump(report.json));
    else if (options.output.empty())
      print(report.text);
    else if (!options.quiet)
      print(fmt::format("wrote {} and {}\n", (fs::path(options.output) / "report.md").string(),
                        plural(report.files.size(), "other file")));
    return 0;
  });
}

int predict_command(const Options& options) {
  return with_study(options, 1, "predict takes one study", [&](const Store& store, const study::Study& read) {
    const auto prediction = study::predict(store, read);
    if (!prediction) return fail(prediction.error(), options.json);
    print(options.json ? dump(prediction->json) : prediction->text);
    return 0;
  });
}

int merge_command(const Options& options) {
  if (options.files.size() < 2) return fail(api::usage("merge takes a study and its shards").value(), options.json);
  const auto merged = study::merge(options.files[0], {options.files.begin() + 1, options.files.end()});
  if (!merged) return fail(merged.error(), options.json);
  print(options.json ? dump({{"schema", 1},
                             {"parts", merged->parts},
                             {"taken", merged->taken},
                             {"known", merged->known},
                             {"left_out", merged->left_out}})
                     : to_text(*merged));
  return 0;
}

int diff_command(const Options& options) {
  if (auto ok = takes_files(options, 2, 2, "diff takes two studies"); !ok) return fail(ok.error(), options.json);
  const auto found = study::diff(options.files[0], options.files[1]);
  if (!found) return fail(found.error(), options.json);
  print(options.json ? dump({{"schema", 1},
                             {"equal", found->none()},
                             {"runs", found->equal},
                             {"contradictions", found->contradictions},
                             {"first_only", found->first_only},
                             {"second_only", found->second_only},
                             {"within_limits", found->within_limits}})
                     : to_text(*found));
  return found->none() ? 0 : 1;
}

}  // namespace

int study_command(const std::string& verb, const Options& options, const std::atomic<bool>& interrupted) {
  if (verb == "create") return create_command(options, interrupted);
  if (verb == "run") return run_command(options, interrupted);
  if (verb == "status") return status_command(options);
  if (verb == "merge") return merge_command(options);
  if (verb == "report") return report_command(options);
  if (verb == "show") return show_command(options);
  if (verb == "predict") return predict_command(options);
  check(verb == "diff", "every command of the table is known");
  return diff_command(options);
}

}  // namespace surety::cli
