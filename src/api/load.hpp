// From file names to a system: which reader, which names, which property.
#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "base/diagnostics.hpp"
#include "model/network.hpp"

namespace surety::api {

// What went wrong before there was an answer. The status is the exit status of INTERFACE.
struct Failure {
  static constexpr int kUsage = 64;
  static constexpr int kInput = 65;
  int status = kInput;
  Diagnostics diagnostics;
};
template <class T>
using Outcome = tl::expected<T, Failure>;

tl::unexpected<Failure> usage(std::string message, std::string hint = {});
tl::unexpected<Failure> bad_input(Diagnostics diagnostics);

struct Input {
  std::string file;
  std::string sha256;
  std::string name;  // of the component or property it became
  bool property = false;
};

struct Model {
  std::shared_ptr<ActionTable> actions = std::make_shared<ActionTable>();
  Network network;
  std::vector<Property> properties;
  std::vector<Input> inputs;
  Diagnostics warnings;
};

// How a file is read; by its ending unless `language` says so ("aut").
bool is_model_file(const std::string& file);

// Files are components of one system, in this order; property_files are properties.
Outcome<Model> load(const std::vector<std::string>& files, const std::vector<std::string>& property_files,
                    const std::string& language);

// Writes an LTS; the ending says how: .aut, .dot or .json.
Outcome<void> save(const Lts& lts, const ActionTable& actions, const std::string& file);
Outcome<void> save_trace(const Trace& trace, const ActionTable& actions, const std::string& file);
// Refuses an ending that save() does not know, before any work is done.
Outcome<void> can_save(const std::string& file);

}  // namespace surety::api
