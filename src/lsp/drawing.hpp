// A machine as it is drawn and listed: a component, a property, a process, a composite or the whole system, by its
// name; perhaps minimised. The last ones are kept, so that the pages of a long table are quick.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "inspect/compose.hpp"

namespace surety::lsp {

class Document;

struct Drawing {
  std::string kind;  // "component", "property", "process", "composite", "system"
  Lts lts;
  bool property = false;
  std::vector<FspStateName> names = {};  // by state; none: they have numbers only
  api::StateTuples tuples = {};          // of the whole system, by state: where each component is; none: not known
};
struct TooLarge {
  Stop why = Stop::none;
  std::uint64_t states = 0;  // that were found until then
};
using Drawn = tl::expected<std::shared_ptr<const Drawing>, TooLarge>;

struct DrawingRequest {
  std::string name;
  std::string minimise = {};  // as of `compose`; empty: not
  bool complete = false;      // of a property: with its error state, which has the number after all others
  friend bool operator==(const DrawingRequest&, const DrawingRequest&) = default;
};

// What the whole system is called when it is asked for: by its name, unless a machine in it has that name, as the task
// of an Ada main procedure does.
std::string name_of_whole(const api::Model& model);

class Drawings {
 public:
  // Throws Refused if there is no such machine.
  Drawn get(Document& document, const DrawingRequest& request);
  void clear() { kept_.clear(); }

 private:
  std::deque<std::pair<DrawingRequest, std::shared_ptr<const Drawing>>> kept_;  // the last one first
};

}  // namespace surety::lsp
