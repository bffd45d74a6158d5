// Small helpers for the tests of lang/fsp: models are text, answers are text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lang/fsp/fsp.hpp"

namespace surety {

inline std::string rendered(const Diagnostics& diagnostics) {
  std::string out;
  for (const auto& d : diagnostics) out += render(d);
  return out;
}

struct FspModel {
  ActionTable actions;
  Result<FspFile> file;

  explicit FspModel(std::string_view text, const std::vector<FspDefine>& defines = {}, const FspLimits& limits = {})
      : file(read_fsp(text, "m.lts", actions, defines, limits)) {}

  std::string errors() const { return file ? "" : rendered(file.error()); }

  // "0 a 1, 1 b ERROR": the steps, states numbered breadth first, actions in the order of the text.
  std::string steps(const Lts& lts) const {
    std::string out;
    for (std::uint32_t s = 0; s < lts.state_count(); ++s)
      for (const Step& step : lts.steps(State{s})) {
        const std::string to = step.target == lts.error() ? "ERROR"
                               : step.target == lts.end() ? "END"
                                                          : std::to_string(step.target.value);
        out += (out.empty() ? "" : ", ") + std::to_string(s) + " " +
               (step.action == kTau ? "tau" : std::string(actions.name(step.action))) + " " + to;
      }
    return out;
  }

  std::string alphabet(const Lts& lts) const {
    std::string out;
    for (const auto& name : sorted_names(actions, lts.alphabet())) out += (out.empty() ? "" : " ") + name;
    return out;
  }

  std::string process(std::string_view name) const {
    if (!file) return errors();
    const auto p = file->process(name);
    return p ? steps(p->lts) : rendered(p.error());
  }
  std::string process_alphabet(std::string_view name) const {
    if (!file) return errors();
    const auto p = file->process(name);
    return p ? alphabet(p->lts) : rendered(p.error());
  }
  std::string process_warnings(std::string_view name) const {
    const auto p = file->process(name);
    return p ? rendered(p->warnings) : rendered(p.error());
  }

  // The composite as one LTS.
  std::string composite(std::string_view name) const {
    if (!file) return errors();
    Budget budget;
    const auto c = file->composite(name, budget);
    return c ? steps(*compose_fsp(*c, budget)) : rendered(c.error());
  }
  std::string composite_alphabet(std::string_view name) const {
    if (!file) return errors();
    Budget budget;
    const auto c = file->composite(name, budget);
    return c ? alphabet(*compose_fsp(*c, budget)) : rendered(c.error());
  }
  std::string machines(std::string_view name) const {
    if (!file) return errors();
    Budget budget;
    const auto c = file->composite(name, budget);
    if (!c) return rendered(c.error());
    std::string out;
    for (const auto& m : c->machines) out += (out.empty() ? "" : " ") + m.name;
    return out;
  }
};

inline std::string process_of(std::string_view text, std::string_view name = "P") {
  return FspModel(text).process(name);
}
inline std::string composite_of(std::string_view text, std::string_view name = "S") {
  return FspModel(text).composite(name);
}
inline std::string errors_of(std::string_view text) { return FspModel(text).errors(); }

}  // namespace surety
