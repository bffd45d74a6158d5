#include "check/error_property.hpp"

#include "model/transform.hpp"

namespace surety::api {

ErrorProperty error_property(const Model& model) {
  ErrorProperty out{model.network, {"no ERROR", {}}};
  const Alphabet taken = alphabet_of(model.network);
  LtsBuilder never;
  never.set_state_count(1);
  for (auto& component : out.network.components) {
    if (!component.lts.error()) continue;
    std::string name = "ERROR." + component.name;
    while (taken.contains(model.actions->intern(name))) name += "'";
    const Action wrong = model.actions->intern(name);
    component.lts = with_error_action(component.lts, wrong);
    never.add_to_alphabet(Alphabet({wrong}));
  }
  out.property.lts = never.build();
  return out;
}

Trace until_error(const Model& model, const Trace& trace) {
  const Alphabet known = alphabet_of(model.network);
  Trace prefix;
  for (std::size_t i = 0; i < trace.size() && certify::replay_error(model.network, prefix); ++i) {
    if (trace[i] != kTau && !known.contains(trace[i])) continue;  // ERROR.NAME: no component is in ERROR before it
    prefix.push_back(trace[i]);
  }
  return prefix;
}

certify::Judgement certify_no_error(const Model& model, const Certificate& certificate, Budget& budget,
                                    const Teller& tell) {
  if (certificate.rule == Method::monolithic)
    return certify::check_error_free(model.network, certificate, budget, tell);
  const ErrorProperty question = error_property(model);
  return certify::check_safety(question.network, {&question.property}, certificate, budget, tell);
}

}  // namespace surety::api
