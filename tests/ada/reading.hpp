// What is said about an Ada program when it is read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/ada/network/network.hpp"

namespace surety {

struct AdaReading {
  std::vector<std::string> errors, warnings;
};
inline AdaReading reading(const std::string& text) {
  AdaReading out;
  const auto read = [&](const std::string& file) { return file == "test.adb" ? std::optional(text) : std::nullopt; };
  const auto messages = [](const Diagnostics& from) {
    std::vector<std::string> all;
    for (const Diagnostic& d : from) all.push_back(d.message);
    return all;
  };
  auto program = read_ada({"test.adb"}, read, {}, {});
  if (!program) return {messages(program.error()), {}};
  ActionTable actions;
  Budget budget;
  const auto network = ada_network(*program, actions, budget);
  if (!network) return {{network.error().message}, {}};
  out.warnings = messages(program->warnings);
  for (std::string& more : messages(network->warnings)) out.warnings.push_back(std::move(more));
  return out;
}

// Why it is refused: the first message.
inline std::string refusal(const std::string& text) {
  const AdaReading all = reading(text);
  return all.errors.empty() ? "it is read" : all.errors[0];
}

}  // namespace surety
