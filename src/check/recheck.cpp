#include "check/recheck.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/all_sizes.hpp"
#include "check/error_property.hpp"
#include "check/machine_check.hpp"
#include "load/apart.hpp"

namespace surety::api {
namespace {

// Of a rule that proves several properties together the certificate has their names, and this is one of them.
certify::Judgement recheck_safety(const Model& model, const Subject& subject, const Certificate& certificate,
                                  Budget& budget, const Teller& tell) {
  std::vector<const Property*> properties;
  if (certificate.properties.empty()) {
    properties = {property_of(model, subject)};
    if (properties[0] == nullptr)
      return refuse(fmt::format("'{}' is no property that is proved by parts", subject.name));
  } else if (std::ranges::find(certificate.properties, subject.name) == certificate.properties.end()) {
    return refuse(fmt::format("'{}' is none of the properties that are proved together", subject.name));
  }
  for (const auto& name : certificate.properties) {
    const auto same = [&](const Property& p) { return p.name == name; };
    const auto it = std::ranges::find_if(model.properties, same);
    if (it == model.properties.end() || std::ranges::count_if(model.properties, same) > 1)
      return refuse(fmt::format("'{}' is no property that is proved by parts", name));
    properties.push_back(&*it);
  }
  return certify::check_safety(safety_network(model), properties, certificate, budget, tell);
}

certify::Judgement recheck_error(const Model& model, const Certificate& certificate, Budget& budget,
                                 const Teller& tell) {
  if (!model.promela && !model.ada) return certify_no_error(model, certificate, budget, tell);
  const Property* assertions = model.assertions();
  if (assertions == nullptr) return refuse("the program asserts nothing");
  return certify::check_safety(safety_network(model), {assertions}, certificate, budget, tell);
}

certify::Judgement recheck_program(const Model& model, const Subject& subject, const Certificate& certificate,
                                   Budget& budget, const Teller& tell) {
  if (certificate.rule != Method::monolithic)
    return refuse(fmt::format("there is no rule '{}' for a whole program", name_of(certificate.rule)));
  return recheck_on_machine(model, subject, budget, tell);
}

}  // namespace

certify::Judgement refuse(std::string reason) { return {certify::Judgement::Kind::refused, std::move(reason), {}, 0}; }

const Property* property_of(const Model& model, const Subject& subject) {
  if (const auto* property = std::get_if<const Property*>(&subject.object)) return *property;
  for (const Property& property : model.properties)
    if (model.parts && property.name == subject.name && kind_of(model, property) == subject.kind) return &property;
  return nullptr;
}

certify::Judgement recheck(const Model& model, const Source* source, const Subject& subject,
                           const Certificate& certificate, Budget& budget, const Teller& tell) {
  if (model.promela && certificate.split.empty()) return recheck_program(model, subject, certificate, budget, tell);
  if (subject.kind == CheckKind::deadlock)
    return certify::check_deadlock_free(whole_network(model), certificate, budget, tell);
  if (subject.kind == CheckKind::error) return recheck_error(model, certificate, budget, tell);
  if (certificate.rule == Method::all_sizes && source != nullptr)
    return recheck_all_sizes(model, *source, subject.name, certificate, budget, tell);
  return recheck_safety(model, subject, certificate, budget, tell);
}

}  // namespace surety::api
