// The page as it is built in: what of it a browser keeps, and how it is packed.

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "server.hpp"

namespace surety::serve_test {
namespace {

// What index.html names. Nothing: it was built without the page, and says so.
std::set<std::string> assets_of(const Server& server) {
  const std::string index = server.ask("GET", "/").body;
  const std::regex name("assets/[A-Za-z0-9_.-]+");
  std::set<std::string> out;
  for (std::sregex_iterator it(index.begin(), index.end(), name), end; it != end; ++it) out.insert(it->str());
  EXPECT_EQ(out.empty(), index.find("The page is not in this program") != std::string::npos);
  return out;
}

TEST(Page, IsKeptByTheBrowserButForItsFirstFile) {
  const Server server;
  EXPECT_EQ(server.ask("GET", "/").headers["cache-control"], "no-store");
  for (const std::string& asset : assets_of(server)) {
    const Headers packed = {{"Accept-Encoding", "gzip, deflate, br"}};
    Reply reply = server.ask("GET", "/" + asset, {}, packed);
    EXPECT_EQ(reply.status, 200) << asset;
    EXPECT_EQ(reply.headers["cache-control"], "public, max-age=31536000, immutable") << asset;
    EXPECT_EQ(reply.headers["content-encoding"], "gzip") << asset;
    EXPECT_EQ(reply.headers["x-content-type-options"], "nosniff") << asset;
    EXPECT_EQ(server.ask("GET", "/" + asset).status, 406) << asset;  // it is not kept in another way
    EXPECT_EQ(server.ask("GET", "/" + asset, {}, {packed[0], {"If-None-Match", reply.headers["etag"]}}).status, 304);
  }
}

// Packing is work, and through memory a megabyte goes at once.
TEST(Page, GetsAllElseUnpacked) {
  const Server server;
  server.write("large.lts", std::string(1 << 20, ' '));
  for (const char* target : {"/", "/api/hello", "/api/file?path=large.lts"}) {
    const Reply reply = server.ask("GET", target, {}, {{"Accept-Encoding", "gzip, deflate, br, zstd"}});
    EXPECT_EQ(reply.status, 200) << target;
    EXPECT_FALSE(reply.headers.contains("content-encoding")) << target;
  }
}

}  // namespace
}  // namespace surety::serve_test
