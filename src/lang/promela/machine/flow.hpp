// The control flow of a process, exactly as SPIN sees it.
//
// SPIN turns a body into a chain of elements: a statement is one, and so are `if`,
// `do`, a block, the point after a `fi` and the target of a `break`. The place of a
// process is an element. What can happen there are the steps of the element, or, if
// it is a compound one, those of the first elements inside; a `goto`, and the points
// after fi and od, are followed through without a step where that is possible. Which
// places are distinct decides how many states a system has, so this follows the
// construction of pan step by step (Holzmann, The Spin Model Checker, 2003, ch. 9 and
// app. C; and what `pan -d` shows).
//
// An edge is `atomic` if the process keeps the floor after it. Labels stand on
// elements.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "lang/promela/tree.hpp"

namespace surety::promela {

struct Flow {
  struct Edge {
    enum class Kind : std::uint8_t { statement, skip, otherwise, d_step, finish };  // otherwise: else
    Kind kind = Kind::skip;
    const Statement* statement = nullptr;  // none: a jump, or the end
    std::uint32_t target = 0;
    bool atomic = false;
    std::uint32_t d_step = 0;  // of d_step: its first place, and
    std::uint32_t d_step_id = 0;
  };
  struct Place {
    std::vector<Edge> edges;
    std::vector<std::uint32_t> escapes;  // first places of the escapes of `unless`, outermost first
    bool end = false, accept = false, progress = false;
    std::uint32_t d_step_id = 0;  // inside which d_step; 0: none
    std::uint32_t line = 0;
    std::vector<std::string> labels;
  };
  std::vector<Place> places;
  std::uint32_t start = 0;
  std::deque<Statement> made;  // statements that `for`, `select` and declarations stand for
};

// `referenced`: labels that some P@label asks for. Reports what SPIN refuses as well: a jump across the border of a
// d_step, two else.
Flow make_flow(const Program& program, const Process& process, const std::set<std::string>& referenced,
               const Source& source, Report& report);

}  // namespace surety::promela
