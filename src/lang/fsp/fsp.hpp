// The door of the FSP front end: a text becomes processes, composites and what is to be checked.
//
// Reading parses the whole text, and its errors are those of the grammar. Processes
// and composites are elaborated when they are asked for, and kept: a file with ten
// large composites costs what the one that is used costs, and a composite that LTSA
// would refuse does no harm to the others.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/budget.hpp"
#include "base/diagnostics.hpp"
#include "base/file_log.hpp"
#include "lang/fsp/front/types.hpp"
#include "model/ltl.hpp"

namespace surety {

// Progress, fluents and assertions have their types in model/ltl.hpp; indices are part of names: "P.1" for P[1].
using FspProgress = ProgressSet;
using FspFluent = Fluent;
using FspFormula = Formula;
using FspAssertion = Assertion;

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
  std::vector<std::string> properties() const;  // processes, then composites
  std::vector<FspConstant> constants() const;
  const Diagnostics& warnings() const;  // of reading
  // Those of them that say that the process or property of this name is part of no composite.
  Diagnostics outside_warnings(std::string_view name) const;
  // Defined parameters of composites of which no composite so far has taken the default value.
  std::vector<std::string> defines_without_effect() const;
  // Which processes came apart into cells and which did not, so far: one line each.
  const std::vector<std::string>& cells() const;
  bool came_apart() const;  // one at least

  Result<FspProcess> process(std::string_view name, Budget* budget = nullptr) const;

  // "SYS", "SYS(3)" with values of its parameters, or a process, which is then the only machine.
  // Composes what LTSA composes first (a referenced composite with hiding, priority, ...) under the budget. If that
  // ends there is an error, and the budget says why.
  Result<FspComposite> composite(std::string_view name, Budget& budget) const;

  // Of a machine whose states are still those of one process, and not too many; otherwise null.
  std::shared_ptr<const FspStateNames> state_names(const FspMachine& machine) const;

  Result<std::vector<FspProgress>> progress() const;
  Result<std::vector<FspFluent>> fluents() const;
  Result<FspAssertion> assertion(std::string_view name) const;  // a constraint too
  // About actions of these assertions and progress sets ("P", "P.1") that no machine of the composite has.
  Diagnostics missing_actions(const FspComposite& composite, const std::set<std::string>& names) const;
  // The same about a property that is no machine of the composite.
  Diagnostics free_actions(const FspComposite& composite, const std::string& property, const Alphabet& alphabet) const;
  Result<std::vector<FspMenu>> menus() const;

  fsp::Elaborator& elaborator() const { return *elaborator_; }

 private:
  std::shared_ptr<fsp::Elaborator> elaborator_;
};

// `actions` must outlive the file, and so must the log: files are imported when they are asked for. The budget is that
// of reading; if it ends, the result is an error.
Result<FspFile> read_fsp(std::string_view text, const std::string& file, ActionTable& actions,
                         const std::vector<FspDefine>& defines = {}, const FspLimits& limits = {},
                         FileLog* imported = nullptr, Budget* budget = nullptr);

// The composite as one LTS with LTSA's counts: composed under its priority, then hidden, then determinised or
// minimised if it says so. Nothing if the budget ended. `tuples`: the states of the machines, by state; none: it was
// determinised or minimised.
std::optional<Lts> compose_fsp(const FspComposite& composite, Budget& budget,
                               std::vector<std::vector<State>>* tuples = nullptr);

// LTSA's Minimise: its pre-pass over silent states, which is no bisimulation (doc/semantics.md#minimising), then weak
// bisimulation. The result is void if the budget ended meanwhile.
Lts minimise_ltsa(const Lts& lts, Budget* budget = nullptr);

// Readable FSP that reads back as a process `name` with the same behaviour and alphabet, if not_in_fsp says nothing. Of
// other LTSs it is to be looked at only: strange names are spelt out. The name is not STOP, END or ERROR.
std::string to_fsp(const Lts& lts, const ActionTable& actions, std::string_view name);

// Why no FSP text reads back as this LTS; empty: there is one. It has no states, begins with ERROR, or a name is no
// label.
std::string not_in_fsp(const Lts& lts, const ActionTable& actions);

}  // namespace surety
