// Everything a person can see, as JSON (doc/manual.md#json).
#pragma once

#include "api/commands.hpp"
#include "api/verify.hpp"
#include "base/json.hpp"
#include "certificate/write.hpp"

namespace surety::api {

Json to_json(const Failure& failure);
Json to_json(const Report& report);
Json options_json(const Request& request);
Json to_json(const Info& info);
Json to_json(const Composition& composition);
Json to_json(const Assumed& assumed);
Json to_json(const Comparison& comparison);
Json to_json(const Certification& certification);
Json to_json(const Simulation& simulation);

inline Json certificate_json(const Report& report, const std::string& certificate_file) {
  return certificate_json(report.model, report.checks, certificate_file);
}

}  // namespace surety::api
