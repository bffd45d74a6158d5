// Workers as the owner of a study sees them: lines out, lines in, and now and then one is gone.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "study/worker.hpp"

namespace surety::study {

class Crew {
 public:
  virtual ~Crew() = default;
  virtual std::size_t size() const = 0;
  virtual void give(std::size_t worker, const std::string& line) = 0;
  struct News {
    std::size_t worker = 0;
    std::optional<std::string> line;  // nothing: the worker died, and another one has taken its place
    std::string why = {};             // it died
  };
  // What has come, at latest after this time.
  virtual std::vector<News> wait(std::chrono::milliseconds most) = 0;
};

// Processes on this machine, at the other ends of sockets.
std::unique_ptr<Crew> make_local_crew(std::size_t workers, const Hands& hands = perform);

// A crew of the ranks of an MPI job, in a program that is linked with MPI (src/mpi); null in all others. For rank 0;
// the other ranks work in this call until rank 0 has no more to do, and then get none.
struct MpiCrew {
  std::unique_ptr<Crew> crew;
  bool is_owner = true;
};
extern MpiCrew (*join_mpi)();

// One process that serves jobs at the other end of a socket. It dies with us.
struct Servant {
  int pid = -1, socket = -1;
};
Servant start_servant(const Hands& hands);

}  // namespace surety::study
