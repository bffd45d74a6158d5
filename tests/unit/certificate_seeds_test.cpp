// The seeds of the fuzz target for certificates are real ones, and so are accepted: changed bytes then get far.

#include <gtest/gtest.h>

#include <filesystem>

#include "api/commands.hpp"
#include "paths.hpp"

namespace surety::api {
namespace {

namespace fs = std::filesystem;

TEST(CertificateSeeds, AreAccepted) {
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(SURETY_SOURCE_DIR) / "tests/fuzz/seeds/certificate")) {
    const auto result = certify_file({entry.path().string()});
    ASSERT_TRUE(result) << entry.path() << render(result.error().diagnostics[0]);
    EXPECT_TRUE(result->accepted()) << entry.path() << result->refused;
    for (const auto& line : result->lines) EXPECT_TRUE(line.accepted) << entry.path() << line.reason;
    ++seen;
  }
  EXPECT_GT(seen, 15);
}

}  // namespace
}  // namespace surety::api
