// What can be read and written: the folder, the examples, and nothing else.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <barrier>
#include <fstream>
#include <thread>

#include "server.hpp"

namespace surety::serve_test {
namespace {

std::string path_query(const std::string& path) {
  std::string out = "/api/file?path=";
  char code[4];
  for (const unsigned char c : path) {
    std::snprintf(code, sizeof code, "%%%02X", c);
    out += code;
  }
  return out;
}

Reply get(const Server& server, const std::string& path) { return server.ask("GET", path_query(path)); }

Reply put(const Server& server, const std::string& path, const std::string& text, const std::string& hash = {}) {
  Json body{{"path", path}, {"text", text}};
  if (!hash.empty()) body["if_sha256"] = hash;
  return server.ask_json("PUT", "/api/file", body);
}

std::vector<std::string> listed(const Server& server) {
  std::vector<std::string> out;
  for (const Json& file : server.ask("GET", "/api/files").json()) out.push_back(file["path"]);
  return out;
}

TEST(Files, AreListedWithTheirLanguages) {
  const Server server;
  server.write("b/deep/x.pml", "active proctype P() { skip }");
  server.write("notes.md", "notes");
  server.write("secret.key", "no");
  server.write(".hidden.lts", "no");
  server.write(".git/config.json", "no");
  EXPECT_EQ(listed(server), (std::vector<std::string>{"b/deep/x.pml", "lights.lts", "notes.md"}));
  const Json first = server.ask("GET", "/api/files").json()[0];
  EXPECT_EQ(first["language"], "promela");
  EXPECT_EQ(first["size"], 28);
  EXPECT_GT(first["modified"].get<double>(), 1.7e9);
}

TEST(Files, AreListedEightLevelsDeepAndThroughNoLinks) {
  const Server server;
  server.write("1/2/3/4/5/6/7/eight.lts", "");
  server.write("1/2/3/4/5/6/7/8/nine.lts", "");
  fs::create_directory_symlink("/", server.folder() / "root");
  fs::create_directory_symlink(".", server.folder() / "again");
  fs::create_symlink("/proc/version", server.folder() / "file.lts");
  EXPECT_EQ(listed(server), (std::vector<std::string>{"1/2/3/4/5/6/7/eight.lts", "lights.lts"}));
}

TEST(Files, AreReadWithTheirHash) {
  const Server server;
  const Json lights = get(server, "lights.lts").json();
  EXPECT_EQ(lights["text"], kLights);
  EXPECT_EQ(lights["sha256"].get<std::string>().size(), 64U);
  EXPECT_EQ(lights["read_only"], false);
  EXPECT_EQ(get(server, "nothing.lts").status, 404);
}

class Outside : public testing::TestWithParam<Server::Kernel> {};

TEST_P(Outside, OfTheFolderNothingCanBeRead) {
  const Server server({}, GetParam());
  const fs::path outside = server.folder().string() + "-outside";
  fs::create_directories(outside);
  std::FILE* file = std::fopen((outside / "secret.lts").c_str(), "w");
  std::fputs("SECRET", file);
  std::fclose(file);
  const std::string name = outside.filename();
  fs::create_symlink(outside / "secret.lts", server.folder() / "link.lts");
  fs::create_symlink("../" + name + "/secret.lts", server.folder() / "relative.lts");
  fs::create_directory_symlink(outside, server.folder() / "folder");
  fs::create_directory_symlink("..", server.folder() / "up");
  fs::create_symlink("/proc/self/cwd", server.folder() / "magic");
  server.write("sub/x.lts", "");
  for (const std::string& path :
       {outside.string() + "/secret.lts", "../" + name + "/secret.lts", "sub/../../" + name + "/secret.lts",
        std::string("link.lts"), std::string("relative.lts"), std::string("folder/secret.lts"),
        "up/" + name + "/secret.lts", "magic/" + outside.string() + "/secret.lts", "./../" + name + "/secret.lts",
        "examples:../../../../../../../../.." + outside.string() + "/secret.lts",
        "examples:" + outside.string() + "/secret.lts"}) {
    const Reply reply = get(server, path);
    EXPECT_GE(reply.status, 400) << path;
    EXPECT_EQ(reply.body.find("SECRET"), std::string::npos) << path;
    EXPECT_GE(put(server, path, "written").status, 400) << path;
    EXPECT_GE(server.ask_json("POST", "/api/models", {{"path", path}}).status, 400) << path;
    const Reply job = server.ask_json("POST", "/api/jobs", {{"command", "check"}, {"path", path}});
    EXPECT_GE(job.status, 400) << path;
  }
  std::FILE* again = std::fopen((outside / "secret.lts").c_str(), "r");
  char text[7] = {};
  ASSERT_EQ(std::fread(text, 1, 6, again), 6U);
  std::fclose(again);
  EXPECT_STREQ(text, "SECRET");
  fs::remove_all(outside);
}

TEST_P(Outside, IsNotBehindALinkThatStaysInside) {
  const Server server({}, GetParam());
  server.write("sub/x.lts", "A = (a -> A).");
  fs::create_symlink("sub/x.lts", server.folder() / "near.lts");
  EXPECT_EQ(get(server, "near.lts").status, 200);
  const std::string job = server.start({{"command", "check"}, {"path", "near.lts"}});
  EXPECT_EQ(server.events(job).back()["status"], 0);
}
INSTANTIATE_TEST_SUITE_P(Files, Outside, testing::Values(Server::Kernel::ours, Server::Kernel::without_openat2),
                         [](const auto& kernel) {
                           return kernel.param == Server::Kernel::ours ? "ByTheKernel" : "ByALook";
                         });

TEST(Files, OfOtherKindsOrHiddenAreNotServed) {
  const Server server;
  server.write("id_rsa", "KEY");
  server.write("x.lts.key", "KEY");
  server.write(".secret.lts", "KEY");
  server.write(".ssh/x.lts", "KEY");
  fs::create_symlink("id_rsa", server.folder() / "innocent.lts");  // inside, and said to be a model: its owner's wish
  for (const char* path : {"id_rsa", "x.lts.key", ".secret.lts", ".ssh/x.lts", "sub/.x.lts", ".lts", ""}) {
    EXPECT_GE(get(server, path).status, 400) << path;
    EXPECT_GE(put(server, path, "text").status, 400) << path;
  }
  EXPECT_EQ(server.read("id_rsa"), "KEY");
  EXPECT_EQ(get(server, std::string("lights.lts\0.lts", 15)).status, 400);
}

TEST(Files, ThatAreNoPlainFilesAreNotRead) {
  const Server server;
  ASSERT_EQ(::mkfifo((server.folder() / "pipe.lts").c_str(), 0600), 0);
  fs::create_directory(server.folder() / "folder.lts");
  EXPECT_EQ(get(server, "pipe.lts").status, 400);  // and nobody waits for a writer
  EXPECT_EQ(get(server, "folder.lts").status, 400);
  server.write("import.lts", "import P = \"pipe.aut\"\n||S = P.\n");
  server.write("include.pml", "#include \"pipe.h\"\nactive proctype P() { skip }\n");
  for (const char* pipe : {"pipe.aut", "pipe.h"}) ASSERT_EQ(::mkfifo((server.folder() / pipe).c_str(), 0600), 0);
  for (const char* model : {"import.lts", "include.pml"}) {
    const std::string job = server.start({{"command", "check"}, {"path", model}});
    EXPECT_EQ(server.events(job).back()["status"], 65) << model;
  }
}

TEST(Files, OfMoreThanTwoMebibytesAreRefused) {
  const Server server;
  server.write("large.lts", std::string((2 << 20) + 1, ' '));
  EXPECT_EQ(get(server, "large.lts").status, 413);
  EXPECT_EQ(put(server, "new.lts", std::string((2 << 20) + 1, ' ')).status, 413);
  EXPECT_EQ(put(server, "new.lts", std::string(2 << 20, ' ')).status, 200);
}

TEST(Files, AreWrittenIfTheyAreAsTheyWereRead) {
  const Server server;
  const std::string old = get(server, "lights.lts").json()["sha256"];
  ::chmod((server.folder() / "lights.lts").c_str(), 0640);
  const Reply saved = put(server, "lights.lts", "A = (a -> A).\n", old);
  ASSERT_EQ(saved.status, 200) << saved.body;
  EXPECT_EQ(server.read("lights.lts"), "A = (a -> A).\n");
  EXPECT_EQ(saved.json()["sha256"], get(server, "lights.lts").json()["sha256"]);
  struct stat info {};
  ::stat((server.folder() / "lights.lts").c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0640U);

  const Reply stale = put(server, "lights.lts", "B = (b -> B).\n", old);
  EXPECT_EQ(stale.status, 409);
  EXPECT_EQ(stale.code(), "stale");
  EXPECT_EQ(stale.json()["error"]["sha256"], saved.json()["sha256"]);
  EXPECT_EQ(put(server, "lights.lts", "B = (b -> B).\n").status, 409);  // it is there already
  EXPECT_EQ(server.read("lights.lts"), "A = (a -> A).\n");
  EXPECT_EQ(put(server, "new.lts", "B = (b -> B).\n").status, 200);
  EXPECT_EQ(put(server, "gone.lts", "B = (b -> B).\n", old).status, 409);
  EXPECT_EQ(put(server, "no/folder.lts", "B = (b -> B).\n").status, 404);
  for (const auto& entry : fs::directory_iterator(server.folder()))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".surety")) << entry.path();
}

// Of several pages that have read the same text one can save, and the others are told.
TEST(Files, AreWrittenByOneOfSeveralAtOnce) {
  const Server server;
  const std::string much(1 << 20, ' ');  // to read and to hash takes a while
  put(server, "lights.lts", much, get(server, "lights.lts").json()["sha256"]);
  std::string hash = get(server, "lights.lts").json()["sha256"];
  constexpr std::size_t kPages = 8;  // half of them replace a file, half of them make a new one
  for (int round = 0; round < 10; ++round) {
    std::vector<std::string> saved(kPages);
    std::barrier all_here(kPages);
    {
      std::vector<std::jthread> pages;
      for (std::size_t i = 0; i < kPages; ++i)
        pages.emplace_back([&, i] {
          const std::string name = i % 2 == 0 ? "lights.lts" : "new" + std::to_string(round) + ".lts";
          const std::string text = "// " + std::to_string(round) + " " + std::to_string(i) + much;
          const std::string body = Json{{"path", name}, {"text", text}, {"if_sha256", i % 2 == 0 ? hash : ""}}.dump();
          Line line(server.port());
          line.send(server.head("PUT", "/api/file", {}, body.size()));
          all_here.arrive_and_wait();
          line.send(body);
          const Reply reply = read_reply(line.rest());
          EXPECT_TRUE(reply.status == 200 || reply.code() == "stale") << reply.body;
          if (reply.status == 200) saved[i] = reply.json()["sha256"];
        });
    }
    for (const std::size_t first : {0, 1}) {
      int times = 0;
      for (std::size_t i = first; i < saved.size(); i += 2) times += saved[i].empty() ? 0 : 1;
      EXPECT_EQ(times, 1) << first;
    }
    hash = get(server, "lights.lts").json()["sha256"];
  }
}

// Whoever has the file open keeps the old one, and whoever opens it finds a whole one.
TEST(Files, AreNeverSeenHalfWritten) {
  const Server server;
  const std::string path = server.folder() / "lights.lts";
  struct stat before {
  }, after{};
  ::stat(path.c_str(), &before);
  std::ifstream old(path);
  ASSERT_EQ(put(server, "lights.lts", "B = (b -> B).\n", get(server, "lights.lts").json()["sha256"]).status, 200);
  ::stat(path.c_str(), &after);
  EXPECT_NE(before.st_ino, after.st_ino);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(old), {}), kLights);
}

TEST(Files, OfWhichThereAreVeryManyAreNotAllListed) {
  const Server server;
  for (int i = 0; i < 5'010; ++i) server.write("many/" + std::to_string(i) + ".lts", "");
  EXPECT_EQ(listed(server).size(), 5'000U);
}

TEST(Files, ThatAreLinksAreNotReplaced) {
  const Server server;
  server.write("sub/x.lts", "A = (a -> A).");
  fs::create_symlink("sub/x.lts", server.folder() / "near.lts");
  const std::string hash = get(server, "near.lts").json()["sha256"];
  EXPECT_EQ(put(server, "near.lts", "text", hash).status, 403);
  EXPECT_TRUE(fs::is_symlink(server.folder() / "near.lts"));
}

TEST(Files, CannotBeWrittenWhereThatWasNotWanted) {
  const Server server({"--read-only"});
  const Json lights = get(server, "lights.lts").json();
  EXPECT_EQ(lights["read_only"], true);
  EXPECT_EQ(put(server, "lights.lts", "text", lights["sha256"]).status, 403);
  EXPECT_EQ(put(server, "new.lts", "text").status, 403);
  EXPECT_EQ(server.read("lights.lts"), kLights);
  EXPECT_FALSE(fs::exists(server.folder() / "new.lts"));
}

TEST(Files, OfTheExamplesAreReadAndNeverWritten) {
  const Server server;
  const Json lights = get(server, "examples:fsp/lights.lts").json();
  EXPECT_EQ(lights["read_only"], true);
  const Reply reply = put(server, "examples:fsp/lights.lts", "text", lights["sha256"]);
  EXPECT_EQ(reply.status, 403);
  EXPECT_EQ(reply.code(), "read-only");
  EXPECT_EQ(put(server, "examples:fsp/new.lts", "text").status, 403);
}

TEST(Files, TheExamplesAreToldWithWhatTheyAreAbout) {
  const Server server;
  Json hello, gas;
  const auto ask = [&] {
    hello = server.ask("GET", "/api/hello").json();
    for (const Json& example : hello["examples"])
      if (example["path"] == "examples:gas_station/gas_station.lts") gas = example;
  };
  ask();  // all are listed at once, the constants come
  ASSERT_TRUE(gas.is_object());
  EXPECT_TRUE(gas["title"].get<std::string>().starts_with("Gas Station: K customers")) << gas["title"];
  EXPECT_EQ(hello["folder"], server.folder().filename().string());
  EXPECT_TRUE(soon([&] {
    ask();
    return gas["constants"] == Json{{"K", 2}};
  })) << gas["constants"];
}

TEST(Files, AFileOfTheCommandLineIsOpened) {
  const Server other;
  const Server server({"--", (other.folder() / "lights.lts").string()});
  EXPECT_EQ(server.ask("GET", "/api/hello").json()["open"], "lights.lts");
  EXPECT_EQ(listed(server), (std::vector<std::string>{"lights.lts"}));
}

}  // namespace
}  // namespace surety::serve_test
