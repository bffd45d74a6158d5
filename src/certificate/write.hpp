// Certificates out: JSON files that say what they are about, and the proofs.
#pragma once

#include <string>

#include "base/json.hpp"
#include "certificate/statement.hpp"
#include "check/check.hpp"

namespace surety::api {

std::string tool_name();  // "surety", and the version that CMakeLists.txt has

// What a certificate says of its inputs, as reports about certificates show it too.
Json input_json(const Input& input, const std::string& file);
Json defines_json(const std::vector<FspDefine>& defines);
Json cells_json(const FspCells& cells);
Json cpp_json(const Statement::Cpp& cpp);

// One proof, its LTSs by the packer.
class Packer;
Json proof_json(CheckKind kind, const std::string& property, const Certificate& certificate, Packer& packer);

// The certificate file for all checks of a model that hold. File names are relative to the folder of the certificate,
// so that both can be moved together.
Json certificate_json(const Model& model, const Checks& checks, const std::string& certificate_file);

}  // namespace surety::api
