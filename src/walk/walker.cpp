#include "walk/walker.hpp"

#include <fmt/format.h>

namespace surety::api {

std::string Walker::name(const Choice& choice) const {
  return choice.action == kTau ? "tau" : std::string(model_.actions->name(choice.action));
}

std::string shown_state(const Model& model, std::size_t component, State state) {
  const Lts& lts = model.network.components[component].lts;
  if (lts.error() == state) return "ERROR";
  if (lts.end() == state) return "END";
  const auto name = state_name(model, component, state);
  return name ? name->text : std::to_string(state.value);
}

std::string who_does_what(const TraceStep& step) {
  std::string out;
  for (const ShownStep& s : step.parts)
    out +=
        fmt::format("{}{}{} {}{}", out.empty() ? "" : " with ", s.process, s.line > 0 ? fmt::format(":{}", s.line) : "",
                    s.statement, s.note.empty() ? "" : " (" + s.note + ")");
  return out;
}

Outcome<std::unique_ptr<Walker>> make_walker(Model model) {
  if (model.promela) return program_walker(std::move(model));
  return network_walker(std::move(model));
}

}  // namespace surety::api
