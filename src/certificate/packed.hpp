// LTSs in certificates: readable, or packed where a proof is large.
//
// Readable they are as lang/aut/json.cpp writes them, one line per step, with its names. The proof of a large system
// has a million steps, and then names and blanks are nearly all of the file. Packed, an LTS is
//
//   { "schema": 2, "states": 2, "alphabet": [1, 2], "steps": [1, 2, 1, 1, 1, 0] }
//
// State 0 is the initial one; "error" and "end" are there if it has them. The steps of a state are how many they are,
// and then the action and the target of each. Actions are numbers in the list "actions" of the certificate, where tau
// is the first. A certificate with packed LTSs has schema 2, so that older readers refuse it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/diagnostics.hpp"
#include "base/json.hpp"
#include "model/proof.hpp"

namespace surety::api {

class Packer {
 public:
  Packer(const ActionTable& actions, bool packed) : actions_(actions), packed_(packed), used_{kTau} {}

  Json lts(const Lts& lts);
  Json all(const std::vector<Lts>& list);
  Json names() const;  // of the actions that were used so far, for the list of the certificate

 private:
  std::uint32_t number(Action action);
  Json packed(const Lts& lts);

  const ActionTable& actions_;
  bool packed_;
  std::vector<Action> used_;            // by number
  std::vector<std::uint32_t> numbers_;  // by action; 0: none yet
};

// A certificate may come from anywhere: nothing is believed that was not looked at.
class Unpacker {
 public:
  Unpacker(std::string file, ActionTable& actions) : file_(std::move(file)), actions_(actions) {}

  Result<void> read_names(const nlohmann::json& list);  // the list "actions" of the certificate
  Result<Lts> lts(const nlohmann::json& entry) const;

 private:
  std::string file_;
  ActionTable& actions_;
  std::vector<Action> numbered_;  // by number
};

// Steps of all LTSs of a proof.
std::uint64_t transition_count(const Certificate& certificate);

}  // namespace surety::api
