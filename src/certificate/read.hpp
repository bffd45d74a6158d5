// From the text of a certificate to what it says. It may come from anywhere: nothing is believed that was not looked
// at.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "certificate/statement.hpp"
#include "model/check_kind.hpp"
#include "model/proof.hpp"

namespace surety::api {

struct Proof {
  std::string kind_name, rule_name;  // as they are written
  std::string unknown;               // why nothing else was read: there is no such kind, or no such rule
  CheckKind kind = CheckKind::safety;
  std::string property;  // a proof by rule sym-2 has more properties, in its certificate
  Certificate certificate;
};

// The proofs can only be read when the model is known.
struct CertificateText {
  std::string file;
  nlohmann::json root;
  Statement about;

  bool by_parts() const;                      // a proof names components
  std::vector<std::string> formulas() const;  // with which a program was taken apart
};

Outcome<CertificateText> read_certificate(const std::string& text, const std::string& file);
Outcome<std::vector<Proof>> read_proofs(const CertificateText& certificate, ActionTable& actions);

}  // namespace surety::api
