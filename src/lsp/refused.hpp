// Why a question is not answered, as the protocol numbers it.
#pragma once

#include <stdexcept>
#include <string>

#include "base/budget.hpp"

namespace surety::lsp {

enum Error {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kUnknownMethod = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kCancelled = -32800,
  kRequestFailed = -32803
};

struct Refused : std::runtime_error {
  Refused(int error, const std::string& message) : std::runtime_error(message), code(error) {}
  int code;
};

// It takes more than a question may; the command has no such limit.
Refused too_much(Stop why, const std::string& command);

}  // namespace surety::lsp
