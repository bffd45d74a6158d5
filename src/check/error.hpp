// Does a component of the network reach its own ERROR?
#pragma once

#include "check/checkable.hpp"
#include "check/error_property.hpp"
#include "check/session.hpp"

namespace surety::api {

class Error final : public Checkable {
 public:
  Error(const Session& session, Subject subject);

  Outcome<Checks> prove(const Share& share) override;
  std::optional<std::string> replay(const Check& check) override;

 private:
  const Session& session_;
  const Rule& rule_;
};

}  // namespace surety::api
