// What is so at a position and what can happen next, told in full: for reports, and for pages and editors on which
// somebody walks.
#pragma once

#include "walk/walker.hpp"

namespace surety::api {

struct Move {
  TraceStep step;                          // the action; of a program also who does it, in which line, how
  std::vector<std::string> who = {};       // components, or processes of a program
  Position to = {};                        // empty: nothing comes after it
  std::vector<std::string> violates = {};  // properties
  std::string error = {};
  bool hidden = false;  // the composite hides the action
};

struct Situation {
  std::vector<Walker::Value> values;      // of variables and channels, or states of components by their names
  std::vector<Walker::Value> properties;  // of a network: where they are, or "violated"
  std::vector<Move> moves;
};

// `next`: the walker's choices there.
Situation situation(Walker& walker, const Position& at, const std::vector<Choice>& next);

// A position as text: of a network the numbers of the states, those of properties last; of a program its bytes.
std::string position_text(const Model& model, const Position& at);
// Of a network. Nothing: the text is no position.
std::optional<Position> network_position(const Model& model, std::string_view text);

}  // namespace surety::api
