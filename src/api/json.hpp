// Everything a person can see, as JSON (INTERFACE), and certificates, which are JSON files.
#pragma once

#include <string>

#include "api/commands.hpp"
#include "api/verify.hpp"
#include "base/json.hpp"

namespace surety::api {

using surety::dump;
using surety::Json;

std::string tool_name();  // "surety 0.1.0"

Json to_json(const Report& report);
Json to_json(const Info& info);
Json to_json(const Composition& composition);
Json to_json(const Assumed& assumed);
Json to_json(const Comparison& comparison);
Json to_json(const Certification& certification);
Json to_json(const Simulation& simulation);

// The certificate file for all checks of a report that hold. File names are relative to the folder
// of the certificate, so that both can be moved together.
Json certificate_json(const Report& report, const std::string& certificate_file);

}  // namespace surety::api
