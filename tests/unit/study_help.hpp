// A folder of its own, and a small study in it, for the tests of src/study.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "paths.hpp"
#include "study/create.hpp"
#include "study/run.hpp"

namespace surety::study {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "surety-study-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

inline std::string example(const std::string& name) { return std::string(SURETY_EXAMPLES) + "/" + name; }

inline Definition small_definition() {
  Definition out;
#ifdef __SANITIZE_ADDRESS__  // then a program of tests has more than that by itself
  constexpr std::uint64_t kMegabytes = 4000;
#else
  constexpr std::uint64_t kMegabytes = 200;
#endif
  out.limits = {2, 10, kMegabytes << 20};
  DefinedSystem relay;
  relay.name = "Relay";
  relay.models[Engine::exact] = {example("relay/relay.lts"), "", "TASK", {}};
  relay.all = {2, 3};
  relay.scale = Range{2, 4};
  out.systems = {relay};
  return out;
}

inline void create_small(const std::string& file) {
  const auto created = create({file, small_definition(), "", {}, false, nullptr});
  ASSERT_TRUE(created) << render(created.error().diagnostics[0]);
  EXPECT_EQ(created->items, 6U + 14 + 2);
}

inline Study run_with(const std::string& file, std::size_t workers, const Hands& hands) {
  const auto crew = make_local_crew(workers, hands);
  auto store = Store::open(file, Database::Mode::write);
  RunOptions options;
  options.bound = Bound::none;
  const auto end = run_study(*store, *crew, options);
  EXPECT_TRUE(end && end->why == RunEnd::Why::done);
  return store->read();
}

}  // namespace surety::study
