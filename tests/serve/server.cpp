#include "server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "paths.hpp"
#include "serve_paths.hpp"

namespace surety::serve_test {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Also of a process that ends while it is read: then nothing.
std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// For this process and its children there is no such call any more.
bool forbid_openat2() {
  sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program{std::size(code), code};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Takes the whole chunks away.
void take_chunks(std::string& raw, std::string& text) {
  while (true) {
    const auto end = raw.find("\r\n");
    if (end == std::string::npos) return;
    const std::size_t size = std::strtoul(raw.c_str(), nullptr, 16);
    if (size == 0 || raw.size() < end + 2 + size + 2) return;
    text += raw.substr(end + 2, size);
    raw.erase(0, end + 2 + size + 2);
  }
}

}  // namespace

std::string Reply::code() const {
  const Json said = Json::parse(body, nullptr, false);
  return said.is_object() && said.contains("error") ? said["error"].value("code", "") : "";
}

Reply read_reply(const std::string& text) {
  Reply out;
  const auto end = text.find("\r\n\r\n");
  if (end == std::string::npos || !text.starts_with("HTTP/1.")) return out;
  std::istringstream lines(text.substr(0, end));
  std::string line;
  std::getline(lines, line);
  out.status = std::atoi(line.c_str() + 9);
  while (std::getline(lines, line)) {
    const auto colon = line.find(": ");
    if (line.ends_with('\r')) line.pop_back();
    if (colon != std::string::npos) out.headers[lower(line.substr(0, colon))] = line.substr(colon + 2);
  }
  out.body = text.substr(end + 4);
  if (out.headers["transfer-encoding"] == "chunked") {
    std::string raw = std::exchange(out.body, {});
    take_chunks(raw, out.body);
  }
  return out;
}

// --- A connection.

Line::Line(int port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(static_cast<std::uint16_t>(port));
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd_, reinterpret_cast<sockaddr*>(&there), sizeof there) != 0) throw std::runtime_error("no server");
}
Line::~Line() { close(); }

void Line::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void Line::end_of_sending() { ::shutdown(fd_, SHUT_WR); }

bool Line::send(const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::send(fd_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

std::string Line::until(const std::string& what, std::chrono::milliseconds patience) {
  std::string out;
  const auto end = Clock::now() + patience;
  while (what.empty() || out.find(what) == std::string::npos) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd wait{fd_, POLLIN, 0};
    if (left <= 0 || ::poll(&wait, 1, static_cast<int>(left)) <= 0) break;
    char buffer[65536];
    const ssize_t n = ::recv(fd_, buffer, sizeof buffer, 0);
    if (n <= 0) break;
    out.append(buffer, static_cast<std::size_t>(n));
  }
  return out;
}

std::string Line::rest(std::chrono::milliseconds patience) { return until("", patience); }

// --- The server.

Server::Server(const std::vector<std::string>& more, Kernel kernel) {
  std::string name = (fs::temp_directory_path() / "surety-served-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder");
  folder_ = fs::canonical(name);
  write("lights.lts", kLights);
  std::vector<std::string> words = {SURETY_SERVE_BINARY, "--surety=" SURETY_BINARY, "--examples=" SURETY_EXAMPLES,
                                    "--port=0", "--no-open"};
  words.insert(words.end(), more.begin(), more.end());
  if (std::ranges::find(words, "--") == words.end()) words.insert(words.end(), {"--", folder_.string()});
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // of a test that crashes nothing stays behind
    if (kernel == Kernel::without_openat2 && !forbid_openat2()) ::_exit(126);
    std::signal(SIGINT, SIG_DFL);  // tests that run in the background ignore it, and the server would, too
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  out_ = ends[0];
  for (char c = 0; ::read(out_, &c, 1) == 1 && c != '\n';) said_ += c;
  std::smatch found;
  if (std::regex_search(said_, found, std::regex("http://127\\.0\\.0\\.1:([0-9]+)/#t=([A-Za-z0-9_-]+)"))) {
    port_ = std::stoi(found[1]);
    token_ = found[2];
  }
}

Server::~Server() {
  if (pid_ > 0 && end(SIGINT) < 0) ::kill(pid_, SIGKILL);
  ::close(out_);
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Server::write(const std::string& path, const std::string& text) const {
  fs::create_directories((folder_ / path).parent_path());
  std::ofstream(folder_ / path, std::ios::binary) << text;
}
std::string Server::read(const std::string& path) const { return text_of(folder_ / path); }

std::string Server::head(const std::string& method, const std::string& target, const Headers& more,
                         std::size_t length) const {
  std::vector<std::pair<std::string, std::string>> headers = {{"Host", "127.0.0.1:" + std::to_string(port_)},
                                                              {"Authorization", "Bearer " + token_}};
  if (length > 0 || method == "POST" || method == "PUT" || method == "PATCH")
    headers.emplace_back("Content-Length", std::to_string(length));
  for (const auto& [name, value] : more) {
    std::erase_if(headers, [&](const auto& header) { return header.first == name; });
    if (!value.empty()) headers.emplace_back(name, value);
  }
  std::string out = method + " " + target + " HTTP/1.1\r\n";
  for (const auto& [name, value] : headers) out += name + ": " + value + "\r\n";
  return out + "\r\n";
}

Reply Server::ask(const std::string& method, const std::string& target, const std::string& body,
                  const Headers& more) const {
  Line line(port_);
  line.send(head(method, target, more, body.size()) + body);
  return read_reply(line.rest());
}

std::string Server::start(const Json& job) const {
  const Reply reply = ask_json("POST", "/api/jobs", job);
  if (reply.status != 202) throw std::runtime_error("no job: " + reply.body);
  return reply.json()["job"];
}

std::vector<Json> Server::events(const std::string& job, int after,
                                 const std::function<bool(const Json&)>& done) const {
  Line line(port_);
  line.send(head("GET", "/api/jobs/" + job + "/events?after=" + std::to_string(after)));
  std::vector<Json> out;
  std::string raw = line.until("\r\n\r\n"), text;
  raw.erase(0, raw.find("\r\n\r\n") + 4);
  const auto end = Clock::now() + 60s;
  while (Clock::now() < end) {
    const bool over = raw.ends_with("\r\n0\r\n\r\n") || raw == "0\r\n\r\n";
    take_chunks(raw, text);
    for (auto stop = text.find("\n\n"); stop != std::string::npos; stop = text.find("\n\n")) {
      const auto data = text.find("data: ");
      if (data < stop) out.push_back(Json::parse(text.substr(data + 6, stop - data - 6)));
      text.erase(0, stop + 2);
      if (data < stop && done && done(out.back())) return out;
    }
    if (over) break;
    const std::string more = line.until("\r\n", 5s);
    if (more.empty()) break;
    raw += more;
  }
  return out;
}

std::vector<pid_t> Server::children() const { return children(""); }

std::vector<pid_t> Server::children(const std::string& word) const {
  std::vector<pid_t> out;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string status = text_of(entry.path() / "stat");
    const auto close = status.rfind(')');
    if (close == std::string::npos || close + 4 > status.size() || status[close + 2] == 'Z') continue;
    if (std::atoi(status.c_str() + close + 4) != pid_) continue;
    const std::string command = text_of(entry.path() / "cmdline");
    if (command.find("surety") == std::string::npos || command.starts_with("sh\0-c")) continue;
    // The word of a command is an argument as a whole: it may well be in the path of the program, too.
    const std::string argument = '\0' + word + '\0';
    if (word.empty() || command.find(argument) != std::string::npos) out.push_back(std::stoi(name));
  }
  return out;
}

int Server::end(int signal) {
  if (pid_ <= 0) return 0;
  ::kill(pid_, signal);
  int status = 0;
  if (!soon([&] { return ::waitpid(pid_, &status, WNOHANG) == pid_; })) return -1;
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string real_surety() { return SURETY_BINARY; }
std::string served_program() { return SURETY_SERVE_BINARY; }

bool lives(pid_t pid) {
  const std::string status = text_of("/proc/" + std::to_string(pid) + "/stat");
  const auto close = status.rfind(')');
  return close != std::string::npos && close + 2 < status.size() && status[close + 2] != 'Z';
}

long ticks_of(pid_t pid) {
  const std::string status = text_of("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream fields(status.substr(std::min(status.size(), status.rfind(')') + 2)));
  std::string field;
  long out = 0;
  for (int i = 3; i <= 15 && fields >> field; ++i)
    if (i >= 14) out += std::stol(field);
  return out;
}

bool soon(const std::function<bool()>& what, std::chrono::milliseconds patience) {
  for (const auto end = Clock::now() + patience; Clock::now() < end; std::this_thread::sleep_for(10ms))
    if (what()) return true;
  return what();
}

}  // namespace surety::serve_test
