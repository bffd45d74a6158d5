// Everything a person can see, as JSON (doc/manual.md#json).
#pragma once

#include "api/commands.hpp"
#include "api/verify.hpp"
#include "base/json.hpp"
#include "certificate/write.hpp"
#include "load/places.hpp"

namespace surety::api {

Json to_json(const Failure& failure);
Json to_json(const Report& report);
Json check_json(const Check& check, const Model& model);  // an entry of the report
Json place_json(const TextPlace& place);
Json move_json(const Move& move, const Model& model);
Json warnings_json(const Diagnostics& warnings);
Json options_json(const Request& request);
Json to_json(const Info& info, bool steps = false);  // of every machine, if it has few
Json to_json(const Composition& composition);
Json to_json(const Assumed& assumed);
Json to_json(const Comparison& comparison);
Json to_json(const Certification& certification);
Json to_json(const Simulation& simulation);

inline Json certificate_json(const Report& report, const std::string& certificate_file) {
  return certificate_json(report.model, report.checks, certificate_file);
}

}  // namespace surety::api
