// SPIN's trails: what pan writes when it has found something.
//
// A trail has numbers of pan's own transitions, which only SPIN can translate. So SPIN is asked to replay it (spin -t
// -p), and what it prints is read: which process executes which line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "base/diagnostics.hpp"

namespace surety::spin {

struct Trail {
  struct Line {
    std::uint32_t step = 0;     // as SPIN counts: all of a d_step is one
    std::uint32_t process = 0;  // its pid
    std::uint32_t line = 0;     // 0: the process ends
    std::string statement;      // as SPIN writes it
  };
  std::vector<Line> lines;
  std::size_t again = 0;  // from where on they repeat for ever; their number: nothing repeats
};

// `defines`: "N=3". An error if there is no SPIN, or it cannot replay the trail.
Result<Trail> read_trail(const std::string& program, const std::string& trail, const std::vector<std::string>& defines,
                         Budget& budget);

// The same of what SPIN has printed.
Trail parse_replay(const std::string& output);

}  // namespace surety::spin
