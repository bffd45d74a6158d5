// An FSP text beside that of the system: an assumption, one side of a comparison, the properties of an Ada program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lang/fsp/fsp.hpp"

namespace surety::api {

// As read_fsp; what it imports may be one of the texts (base/stand_in.hpp).
Result<FspFile> read_fsp_beside(const std::string& text, const std::string& file, ActionTable& actions,
                                const std::vector<FspDefine>& defines, const std::map<std::string, std::string>& texts,
                                const FspLimits& limits = {}, FileLog* imported = nullptr);

}  // namespace surety::api
