// A crew whose workers are the ranks of an MPI job. Only the program surety-mpi has this: with MPI linked in, every
// start of surety would take longer, and every installation would need it.
//
// Each rank starts its worker, a plain process, before MPI begins: forking is none of MPI's business. After that a rank
// only carries lines between the messages and the socket of its worker. Messages: jobs and the end from rank 0, answers
// and the news that a worker has died to it. All look for messages now and then instead of waiting in MPI, which would
// take a core for each rank.

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "base/file.hpp"
#include "study/crew.hpp"

namespace surety::study {
namespace {

constexpr int kJobs = 1, kAnswer = 2, kLost = 3, kEnd = 4;
constexpr auto kPause = std::chrono::milliseconds(2);

void send(int rank, int tag, const std::string& text) {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, tag, MPI_COMM_WORLD);
}

struct Message {
  int rank = 0, tag = 0;
  std::string text;
};

std::optional<Message> receive() {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return std::nullopt;
  int count = 0;
  MPI_Get_count(&status, MPI_CHAR, &count);
  Message out{status.MPI_SOURCE, status.MPI_TAG, std::string(static_cast<std::size_t>(count), '\0')};
  MPI_Recv(out.text.data(), count, MPI_CHAR, out.rank, out.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return out;
}

// Rank r is worker r - 1.
class RankCrew : public Crew {
 public:
  explicit RankCrew(std::size_t ranks) : workers_(ranks - 1) {}
  ~RankCrew() override {
    for (std::size_t i = 0; i < workers_; ++i) send(static_cast<int>(i) + 1, kEnd, "");
    MPI_Finalize();
  }

  std::size_t size() const override { return workers_; }
  void give(std::size_t worker, const std::string& line) override { send(static_cast<int>(worker) + 1, kJobs, line); }
  std::vector<News> wait(std::chrono::milliseconds most) override {
    std::vector<News> out;
    const auto until = std::chrono::steady_clock::now() + most;
    while (out.empty() && std::chrono::steady_clock::now() < until) {
      while (auto message = receive()) {
        const auto worker = static_cast<std::size_t>(message->rank) - 1;
        if (message->tag == kAnswer) out.push_back({worker, std::move(message->text)});
        if (message->tag == kLost) out.push_back({worker, std::nullopt, std::move(message->text)});
      }
      if (out.empty()) std::this_thread::sleep_for(kPause);
    }
    return out;
  }

 private:
  std::size_t workers_;
};

// What the other ranks do: lines to the worker, lines from the worker.
void relay(Servant servant) {
  Lines lines;
  while (true) {
    while (auto message = receive()) {
      if (message->tag == kEnd) {
        ::kill(servant.pid, SIGKILL);
        return;
      }
      write_all(servant.socket, message->text + "\n");
    }
    pollfd ready{servant.socket, POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(kPause.count())) <= 0) continue;
    char bytes[65536];
    const auto count = ::read(servant.socket, bytes, sizeof bytes);
    if (count < 0) continue;
    if (count == 0) {
      // A new worker would have to be forked now. The job ends instead; the next start of the study goes on.
      MPI_Abort(MPI_COMM_WORLD, 70);
    }
    lines.add(bytes, static_cast<std::size_t>(count));
    while (const auto line = lines.next()) send(0, kAnswer, *line);
  }
}

MpiCrew join() {
  const Servant servant = start_servant(perform);
  MPI_Init(nullptr, nullptr);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) {
    ::kill(servant.pid, SIGKILL);
    if (ranks > 1) return {std::make_unique<RankCrew>(static_cast<std::size_t>(ranks)), true};
    MPI_Finalize();
    return {nullptr, true};
  }
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);  // rank 0 says when it ends
  relay(servant);
  MPI_Finalize();
  return {nullptr, false};
}

[[maybe_unused]] const bool registered = (join_mpi = join, true);

}  // namespace
}  // namespace surety::study
