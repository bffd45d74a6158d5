// What a proof cost, in the papers' measures: not the sum but the largest single
// search decides how big a system can be.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/product/search.hpp"
#include "model/method.hpp"

namespace surety {

struct Iteration {
  int assumption = 1;      // which one, if a rule has several; 0: all together
  std::uint64_t size = 0;  // states of the conjecture
  int oracle = 0;          // which premise decided: 1 or 2
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::string result;                       // "too weak", "too strong", "holds", "violated"
  Trace word = {};                          // why it was not enough, if a word showed that
  std::optional<std::uint32_t> split = {};  // of an abstraction that is refined: the state that is split for the word
  double seconds = 0;                       // since the one before, or the start
  std::optional<Lts> conjecture = {};       // if it was to be kept
};

// One of several methods that were tried for the same answer.
struct Attempt {
  Method method = Method::monolithic;
  std::string result;  // "holds", "violated", "too slow", "memory", ...
  double seconds = 0;  // from its start to its end
  std::uint64_t max_states = 0;
};

struct Cost {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t max_states = 0;
  std::uint64_t max_transitions = 0;
  std::uint64_t max_search = 0;  // like max_states, but membership queries that are walks in one product are left out:
  std::uint64_t query_states = 0;  // these met so many states
  std::uint64_t queries = 0;
  std::uint64_t conjectures = 0;
  struct Search {
    std::uint64_t states = 0;
    double seconds = 0;
  };
  std::array<Search, 2> last_searches;  // the last but one and the last: of a proof by two premises, these
  std::vector<Iteration> iterations;
  std::vector<Attempt> attempts;  // of the method auto; the last one has the answer, if there is one
  bool reduced = false;           // a search left out steps that could wait: its states are not all there are
  std::string reachable;          // of the method symbolic: how many states there are, exactly, in decimal

  void record(Iteration iteration) {
    const auto now = std::chrono::steady_clock::now();
    iteration.seconds = std::chrono::duration<double>(now - recorded).count();
    recorded = now;
    iterations.push_back(std::move(iteration));
  }
  std::chrono::steady_clock::time_point recorded = std::chrono::steady_clock::now();

  void add(std::uint64_t s, std::uint64_t t) {
    states += s;
    transitions += t;
    max_states = std::max(max_states, s);
    max_transitions = std::max(max_transitions, t);
    max_search = std::max(max_search, s);
  }
  // Of all membership queries together.
  void add_queries(std::uint64_t s, std::uint64_t t) {
    const std::uint64_t searched = max_search;
    add(s, t);
    max_search = searched;
    query_states += s;
  }
  void add(const SearchResult& result) {
    add(result.states, result.transitions);
    reduced |= result.reduced;
  }
};

}  // namespace surety
