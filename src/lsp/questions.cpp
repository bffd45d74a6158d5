#include "lsp/questions.hpp"

#include <fmt/format.h>

#include <map>

#include "lsp/refused.hpp"

namespace surety::lsp {

Json ask_of_model(const std::string& question, Document& document, const Json& parameters) {
  static const std::map<std::string, Json (*)(Document&, const Json&)> kQuestions = {
      {"system", ask_system}, {"machine", ask_machine}, {"near", ask_near},    {"path", ask_path},
      {"moves", ask_moves},   {"walk", ask_walk},       {"follow", ask_follow}};
  const auto found = kQuestions.find(question);
  if (found == kQuestions.end()) throw Refused(kUnknownMethod, fmt::format("there is no method 'surety/{}'", question));
  return found->second(document, parameters);
}

const api::Model& model_of(Document& document) {
  if (document.model() == nullptr) throw without_model(document);
  return *document.model();
}

Refused too_much(Stop why, const std::string& command) {
  return {kRequestFailed, fmt::format("stopped by {}; surety {} has more", describe(why), command)};
}

}  // namespace surety::lsp
