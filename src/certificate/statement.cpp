#include "certificate/statement.hpp"

#include "base/hash.hpp"

namespace surety::api {

std::string Statement::language() const {
  for (const Input& input : inputs)
    if (input.role != Input::Role::property) return input.language;
  return {};
}

Statement::Cpp preprocessed(const promela::Source& source, Budget& budget) {
  const promela::Preprocessor cpp = promela::preprocessor(budget);
  return {cpp.version, sha256_hex(cpp.macros), sha256_hex(source.text)};
}

const char* role_name(Input::Role role) {
  switch (role) {
    case Input::Role::component: return "component";
    case Input::Role::property: return "property";
    case Input::Role::model: return "composite";
  }
  return "?";
}

}  // namespace surety::api
