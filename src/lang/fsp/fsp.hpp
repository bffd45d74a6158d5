// The door of the FSP front end: a text becomes processes, composites and what is to be checked.
//
// Reading parses the whole text, and its errors are those of the grammar. Processes
// and composites are elaborated when they are asked for, and kept: a file with ten
// large composites costs what the one that is used costs, and a composite that LTSA
// would refuse does no harm to the others.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/budget.hpp"
#include "base/diagnostics.hpp"
#include "base/file_log.hpp"
#include "model/compose.hpp"
#include "model/ltl.hpp"
#include "model/lts.hpp"

namespace surety {

// Overrides `const name = ...`, wherever it is used.
struct FspDefine {
  std::string name;
  int value = 0;
};

// A primitive process with its default parameters, as LTSA compiles it: reachable states only; a property is
// complete (every missing step leads to error).
struct FspProcess {
  std::string name;
  Lts lts;
  bool property = false;
  Diagnostics warnings;
};

struct FspMachine {
  std::string name;  // as LTSA writes it: "x:AB.A", "{a,b}::R", "P(3)"
  Lts lts;
  bool property = false;
  Alphabet extension;  // actions that were added with +{..}: that they never happen is meant
};

// What runs in parallel, and what is done to the result. Priority acts while composing, on unhidden actions.
struct FspComposite {
  std::string name;
  std::vector<FspMachine> machines;  // referenced composites are flattened as LTSA flattens them
  bool implicit = false;             // DEFAULT: all processes, in a file without composites
  std::optional<Priority> priority;
  Alphabet hidden;
  bool property = false, minimal = false, deterministic = false;
  Diagnostics warnings;
};

// Progress, fluents and assertions have their types in model/ltl.hpp; indices are part of names: "P.1" for P[1].
using FspProgress = ProgressSet;
using FspFluent = Fluent;
using FspFormula = Formula;
using FspAssertion = Assertion;

struct FspMenu {
  std::string name;
  Alphabet actions;
};

struct FspConstant {
  std::string name;
  std::variant<int, std::string> value;  // a number or a label
};

// Processes come apart into cells where they can.
struct FspCells {
  std::uint32_t whole_states = 100;     // those of no more states stay whole
  bool join = false;                    // two cells of which one says no more than the other become one
  std::uint64_t most_work = 3'000'000;  // conditions and labels looked at, before a process stays whole
};

// What the text says of a composite for every value of a constant (lang/fsp/family.hpp).
// A property that remembers the index of a cell, at one size, as a hub and a bit for each cell. Actions with an index
// become several, for everybody who has them (lang/fsp/remembering.hpp).
struct FspRemembering {
  Lts hub;
  std::vector<std::pair<int, Lts>> bits;         // by index
  std::vector<std::pair<Action, Action>> split;  // action -> one of those that it becomes
};

struct FspFamily {
  enum class Kind { fixed, cell, other };
  struct Machine {
    Kind kind = Kind::other;
    int cell = 0;                                      // its index
    bool hub = false;                                  // fixed, but with actions for every index
    std::string why;                                   // of other: what hinders
    std::shared_ptr<const FspRemembering> apart = {};  // of a property that is so only if it is taken apart
  };
  // How far numbers reach, and so how far from both ends all cells are alike.
  struct Bounds {
    int decided = 0;    // in comparisons
    int constant = 0;   // in labels: numbers
    int near_cell = 0;  // index + number
    int near_size = 0;  // size + number
    void add(const Bounds& more);
  };
  std::vector<Machine> machines;  // as in the composite
  Bounds bounds;
  std::string why;  // not empty: the machines are not known

  // So many cells at each end may be special: all others are alike, and no number in their labels is near two of
  // 0, their index and the size.
  int margin() const;
};

// Bounds on elaboration, so that absurd models end in an error and not in exhausted memory.
struct FspLimits {
  std::uint64_t labels = 20'000'000;            // generated while one definition is elaborated
  std::uint64_t set_labels = 2'000'000;         // in all named sets together
  std::uint32_t states = 5'000'000;             // of one process, before unreachable ones are dropped
  std::uint32_t machines = 10'000;              // of one composite
  std::uint32_t actions = 2'000'000;            // with different names, in all
  std::uint64_t composite_steps = 200'000'000;  // relabelled while one composite is elaborated
  std::optional<FspCells> cells;                // nothing: all processes stay whole
};

namespace fsp {
class Elaborator;
}

class FspFile {
 public:
  explicit FspFile(std::shared_ptr<fsp::Elaborator> elaborator) : elaborator_(std::move(elaborator)) {}

  // Names in the order of the text. A file without composites has the composite DEFAULT.
  std::vector<std::string> processes() const;
  std::vector<std::string> composites() const;
  std::vector<std::string> assertions() const;
  std::vector<std::string> constraints() const;
  std::vector<std::string> properties() const;  // processes, then composites
  std::vector<FspConstant> constants() const;
  const Diagnostics& warnings() const;  // of reading
  // Which processes came apart into cells and which did not, so far: one line each.
  const std::vector<std::string>& cells() const;
  bool came_apart() const;  // one at least

  Result<FspProcess> process(std::string_view name, Budget* budget = nullptr) const;

  // Composes what LTSA composes first (a referenced composite with hiding, priority, ...) under the budget. If that
  // ends there is an error, and the budget says why.
  Result<FspComposite> composite(std::string_view name, Budget& budget) const;

  // Of a composite of this name, for other values of this constant; its machines, and then processes beside them.
  FspFamily family(std::string_view composite, std::string_view constant,
                   const std::vector<std::string>& beside = {}) const;

  Result<std::vector<FspProgress>> progress() const;
  Result<std::vector<FspFluent>> fluents() const;
  Result<FspAssertion> assertion(std::string_view name) const;  // a constraint too
  Result<std::vector<FspMenu>> menus() const;

 private:
  std::shared_ptr<fsp::Elaborator> elaborator_;
};

// `actions` must outlive the file, and so must the log: files are imported when they are asked for.
Result<FspFile> read_fsp(std::string_view text, const std::string& file, ActionTable& actions,
                         const std::vector<FspDefine>& defines = {}, const FspLimits& limits = {},
                         FileLog* imported = nullptr);

// The composite as one LTS with LTSA's counts: composed under its priority, then hidden, then determinised or
// minimised if it says so. Nothing if the budget ended.
std::optional<Lts> compose_fsp(const FspComposite& composite, Budget& budget);

// LTSA's Minimise: its pre-pass over silent states, which is no bisimulation (FSP.md 7), then weak bisimulation. Good
// for nothing if the budget ended meanwhile.
Lts minimise_ltsa(const Lts& lts, Budget* budget = nullptr);

// Readable FSP that reads back as a process `name` with the same behaviour and alphabet, if not_in_fsp says nothing. Of
// other LTSs it is to be looked at only: strange names are spelt out. The name is not STOP, END or ERROR.
std::string to_fsp(const Lts& lts, const ActionTable& actions, std::string_view name);

// Why no FSP text reads back as this LTS; empty: there is one. It has no states, begins with ERROR, or a name is no
// label.
std::string not_in_fsp(const Lts& lts, const ActionTable& actions);

}  // namespace surety
