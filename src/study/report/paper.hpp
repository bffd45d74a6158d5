// The numbers of the paper, to print beside ours: J. Cobleigh, G. Avrunin, L. Clarke, Breaking up is hard to do: an
// investigation of decomposition for assume-guarantee reasoning (ISSTA 2006). Its exact verifier was LTSA.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "study/engine.hpp"

namespace surety::study::paper {

// Table 1: two-way decompositions examined for systems of size 2.
struct Table1Row {
  std::string_view system;
  int flavers_properties, flavers_decompositions, flavers_total;
  int ltsa_properties, ltsa_decompositions, ltsa_total;
};
inline constexpr std::array kTable1 = {
    Table1Row{"Chiron single", 9, 62, 558, 8, 62, 496},
    Table1Row{"Chiron multiple", 9, 254, 2286, 8, 254, 2032},
    Table1Row{"Gas Station", 4, 30, 120, 4, 30, 120},
    Table1Row{"Peterson", 1, 6, 6, 1, 6, 6},
    Table1Row{"Relay", 1, 6, 6, 1, 6, 6},
    Table1Row{"Smokers", 8, 14, 112, 8, 14, 112},
    Table1Row{"Total", 32, 0, 3088, 30, 0, 2772},
};

// What it says of one tool.
struct Tool {
  Engine engine;
  int properties;
  int better_at_2, better_generalised;  // table 2
  std::array<int, 5> categories;        // table 3
  double average_below, average_above;  // figures 1 and 2: per cent of the monolithic cost
  double best_generalised;              // 3.4: per cent of properties where it is the best
  int same_memory;                      // 3.5: with and without learning
  double other_memory;                  // 3.5: per cent, of those that are not the same
  int one_state;                        // figures 5 and 6: properties with an assumption of one state
};
inline constexpr std::array kTools = {
    Tool{Engine::flavers, 32, 17, 18, {6, 7, 13, 2, 4}, 48.4, 637.1, 31.3, 29, 88.6, 18},
    Tool{Engine::exact, 30, 17, 5, {0, 5, 0, 25, 0}, 33.6, 222.9, 40.0, 26, 65.9, 19},
};

constexpr const Tool* tool(Engine engine) {
  for (const Tool& t : kTools)
    if (t.engine == engine) return &t;
  return nullptr;
}

}  // namespace surety::study::paper
