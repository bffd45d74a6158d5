#include "load/fsp_beside.hpp"

#include "lang/fsp/elaborator.hpp"

namespace surety::api {

Result<FspFile> read_fsp_beside(const std::string& text, const std::string& file, ActionTable& actions,
                                const std::vector<FspDefine>& defines, const std::map<std::string, std::string>& texts,
                                const FspLimits& limits, FileLog* imported) {
  auto out = read_fsp(text, file, actions, defines, limits, imported);
  if (out) out->elaborator().texts = texts;
  return out;
}

}  // namespace surety::api
