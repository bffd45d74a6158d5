// Everything that has been made of one file so far.
//
// Processes and composites use each other (a sequence P;Q may name a composite), so
// they are elaborated in one place, on demand, and kept by the names of their
// instances: "P", "P(3)". The caller gives a report; the warnings of an instance are added to
// it, even if the instance was made before.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lang/fsp/cells/cells.hpp"
#include "lang/fsp/front/process.hpp"
#include "lang/fsp/front/tree.hpp"
#include "lang/fsp/fsp.hpp"

namespace surety::fsp {

class Elaborator {
 public:
  Elaborator(std::unique_ptr<Source> source, Tree tree, ActionTable& actions, const FspLimits& limits);

  // Nothing after an error, which is in the report. No values: the defaults.
  const CompiledProcess* process(const ProcessDefinition& definition, const std::vector<Value>& values, Place call,
                                 Report& report, Budget& budget);
  const FspComposite* composite(const CompositeDefinition& definition, const std::vector<Value>& values, Place call,
                                Report& report, Budget& budget);
  const FspComposite* default_composite(Report& report, Budget& budget);

  // The names of its states, if there are any; made when they are first asked for.
  std::shared_ptr<const FspStateNames> state_names(const FspInstance& instance);

  // The process in cells; null: it stays whole, or it has an error that will be found when it is asked for as a whole.
  const Cells* cells(const ProcessDefinition& definition, const std::vector<Value>& values, Place call, Report& report,
                     Budget& budget);
  // Is the composite, which says `compose`, better left as the parts it consists of?
  bool comes_apart(const FspComposite& composite, Place call, Budget& budget);

  // The composite as one LTS, composed when it is first asked for.
  const Lts* composed(const FspComposite& composite, Place call, Report& report, Budget& budget);

  // A constraint as a process that refuses what the formula forbids.
  const CompiledProcess* constraint(const AssertDefinition& definition, const std::vector<Value>& values, Place call,
                                    Report& report);

  // How deep the bodies of composites are nested in each other, those of referenced ones too.
  class Depth {
   public:
    explicit Depth(Elaborator& elaborator) : depth_(elaborator.depth_) { ++depth_; }
    ~Depth() { --depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    bool too_deep() const { return depth_ > 1000; }

   private:
    int& depth_;
  };

  Effort effort(Budget* budget = nullptr) const {
    return {limits_.labels, limits_.states, limits_.machines, limits_.actions, budget};
  }
  const FspLimits& limits() const { return limits_; }
  const Source& source() const { return *source_; }
  const Tree& tree() const { return tree_; }
  ActionTable& actions() { return actions_; }

  bool has_composites() const { return !tree_.composites.empty(); }
  Diagnostics warnings;                 // of reading
  std::vector<std::string> cell_notes;  // what came apart and what did not
  bool came_apart = false;
  MissingLabels missing;                      // of what has been elaborated so far
  std::set<std::string_view> defaults_taken;  // by composites: the parameters
  FileLog* imported = nullptr;                // null: imports are not logged
  std::map<std::string, std::string> texts;   // by file: what is imported instead of its content

 private:
  class Entry;  // guards against instances that need themselves
  // The table and the name: a process and a composite may share the name.
  using Instance = std::pair<const void*, std::string>;

  template <class Table, class Make>
  const typename Table::mapped_type* instance(Table& table, const std::string& name, Place call, Report& report,
                                              const Make& make);
  std::optional<CompiledProcess> compile(const ProcessDefinition& definition, const std::vector<Value>& values,
                                         Place call, Report& report, Budget& budget);
  std::optional<CompiledProcess> import(const ProcessDefinition& definition, Report& report);
  const Lts* sequential(const Call& call, const std::vector<Value>& values, Report& report, Budget& budget);

  std::unique_ptr<Source> source_;
  Tree tree_;
  ActionTable& actions_;
  FspLimits limits_;
  std::map<std::string, CompiledProcess> processes_;
  std::map<std::string, Cells> cells_;
  std::map<std::string, FspComposite> composites_;
  std::map<std::string, Lts> composed_;
  std::map<std::string, std::shared_ptr<const FspStateNames>> names_;
  std::set<Instance> in_progress_;
  int depth_ = 0;
};

}  // namespace surety::fsp
