// The real surety-serve on a folder of its own, with the real surety, and a client that sends what it is told to,
// well formed or not.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace surety::serve_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kLights =
    "const N = 2\nLIGHT = (on -> off -> LIGHT).\nproperty ORDER = (on -> off -> ORDER).\n||S = (LIGHT || ORDER).\n";
// A check that takes longer than any test waits, by every method: the puzzle of fifteen tiles, which has 10^13 states.
constexpr const char* kEndless = R"(
const N = 4
range CELL = 0..N*N-1
range TILE = 1..N*N-1
C(I=0) = H[I],
H[v:0..N*N-1] = ( when (v > 0 && I % N < N-1) go[I][I+1][v] -> H[0]
                | when (v > 0 && I % N > 0)   go[I][I-1][v] -> H[0]
                | when (v > 0 && I / N < N-1) go[I][I+N][v] -> H[0]
                | when (v > 0 && I / N > 0)   go[I][I-N][v] -> H[0]
                | when (v == 0 && I % N < N-1) go[I+1][I][w:TILE] -> H[w]
                | when (v == 0 && I % N > 0)   go[I-1][I][w:TILE] -> H[w]
                | when (v == 0 && I / N < N-1) go[I+N][I][w:TILE] -> H[w]
                | when (v == 0 && I / N > 0)   go[I-N][I][w:TILE] -> H[w] ).
||S = (forall[i:CELL] C(i)).
)";

struct Reply {
  int status = 0;                              // 0: the connection was closed without a reply
  std::map<std::string, std::string> headers;  // names in small letters
  std::string body;

  Json json() const { return Json::parse(body); }
  std::string code() const;  // of the error
};
Reply read_reply(const std::string& text);

// A connection, to be written to piece by piece.
class Line {
 public:
  explicit Line(int port);
  ~Line();
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  bool send(const std::string& text);
  // What comes until it is closed, or nothing for so long.
  std::string rest(std::chrono::milliseconds patience = std::chrono::seconds(20));
  // What comes until this is in it.
  std::string until(const std::string& what, std::chrono::milliseconds patience = std::chrono::seconds(20));
  void end_of_sending();
  void close();

 private:
  int fd_;
};

class Server {
 public:
  enum class Kernel { ours, without_openat2 };  // Linux before 5.6, and some containers

  // Words of surety-serve beside those that every test wants.
  explicit Server(const std::vector<std::string>& words = {}, Kernel kernel = Kernel::ours);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  const fs::path& folder() const { return folder_; }
  void write(const std::string& path, const std::string& text) const;
  std::string read(const std::string& path) const;

  int port() const { return port_; }
  pid_t pid() const { return pid_; }
  const std::string& token() const { return token_; }
  const std::string& said() const { return said_; }

  std::string head(const std::string& method, const std::string& target, const Headers& more = {},
                   std::size_t length = 0) const;
  // With the token and the right Host; a header that is given replaces one of these, an empty one takes it away.
  Reply ask(const std::string& method, const std::string& target, const std::string& body = {},
            const Headers& more = {}) const;
  Reply ask_json(const std::string& method, const std::string& target, const Json& body) const {
    return ask(method, target, body.dump());
  }
  std::string start(const Json& job) const;  // its id
  // The events of a job until its end, or until `done` says so.
  std::vector<Json> events(const std::string& job, int after = 0,
                           const std::function<bool(const Json&)>& done = {}) const;

  std::vector<pid_t> children() const;                         // the programs that it has started and that live
  std::vector<pid_t> children(const std::string& word) const;  // with this argument
  // Sends a signal and waits for the end; the status as a shell has it, -1: it does not end.
  int end(int signal);

 private:
  fs::path folder_;
  int port_ = 0;
  pid_t pid_ = -1;
  int out_ = -1;
  std::string token_, said_;
};

std::string real_surety(), served_program();  // where they are
bool lives(pid_t pid);
long ticks_of(pid_t pid);  // hundredths of a second that it has worked
// Whether this becomes true in time.
bool soon(const std::function<bool()>& what, std::chrono::milliseconds patience = std::chrono::seconds(10));

}  // namespace surety::serve_test
