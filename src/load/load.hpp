// From file names to a system: which reader, which names, which property.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "base/budget.hpp"
#include "base/diagnostics.hpp"
#include "base/file_log.hpp"
#include "lang/fsp/fsp.hpp"
#include "lang/promela/network/network.hpp"
#include "model/network.hpp"

namespace surety {
struct AdaProgram;
struct AdaNetwork;
}  // namespace surety

namespace surety::api {

// What went wrong before there was an answer. The status is the exit status (doc/manual.md#when-something-is-wrong).
struct Failure {
  static constexpr int kStopped = 2;  // a budget ended while reading
  static constexpr int kUsage = 64;
  static constexpr int kInput = 65;
  int status = kInput;
  Diagnostics diagnostics;
};
template <class T>
using Outcome = tl::expected<T, Failure>;

tl::unexpected<Failure> usage(std::string message, std::string hint = {});
tl::unexpected<Failure> bad_input(Diagnostics diagnostics);
// The budget ended; `what`: what of the file was being read.
tl::unexpected<Failure> stopped_reading(const std::string& file, const std::string& what, const Budget& budget);

struct Input {
  std::string file;
  std::string sha256;
  std::string language;  // as it was said; empty: by the ending
  std::string name;      // of the component or property it became; of an FSP file: the composite
  enum class Role { component, property, model } role = Role::component;
};

struct Model {
  std::shared_ptr<ActionTable> actions = std::make_shared<ActionTable>();
  Network network;
  std::vector<Property> properties;
  std::vector<Input> inputs;
  std::shared_ptr<FileLog> read = std::make_shared<FileLog>();  // what these import or include, so far
  Diagnostics warnings;
  std::map<std::string, std::string> texts;  // by file: what was taken for its content; and will be, of assumptions

  // Of an FSP file only.
  std::shared_ptr<FspFile> fsp;
  std::shared_ptr<FspComposite> composite;
  std::vector<FspDefine> defines;
  std::optional<FspCells> cells;        // as it was asked for, if something came apart
  std::vector<std::string> cell_notes;  // what came apart, and what did not

  // Of a Promela file only. Its components are not in the network, unless it has been taken apart.
  std::shared_ptr<PromelaFile> promela;
  std::shared_ptr<PromelaNetwork> parts;

  // Of an Ada program only. The network is that of the program.
  std::shared_ptr<AdaProgram> ada;
  std::shared_ptr<AdaNetwork> ada_network;
  bool grouped = false;  // some of its variables are in one component with the tasks that use them

  // A property that no assertion fails and no task dies, if the language has it as one.
  const Property* assertions() const;

  const Priority* priority() const { return composite && composite->priority ? &*composite->priority : nullptr; }
};

// The network as property checks see it: a component that has reached its own ERROR stands still and the others go
// on, so that what one part does never depends on the error of another. ERROR has a check of its own.
Network safety_network(const Model& model);

// The network with the property processes of its composite as components: what only they do keeps it from
// deadlock.
Network whole_network(const Model& model);

struct Source {
  std::vector<std::string> files;  // .aut: the components of one system, in this order; or one FSP or Promela file
  std::vector<std::string> property_files;  // .aut, .qre; of an Ada program also .lts
  std::string language;                     // "aut", "fsp", "promela", or empty: by the ending of the file
  std::string system;                       // which composite; empty: the last one
  std::vector<FspDefine> defines;
  std::optional<FspCells> cells;  // what comes apart where it can: FSP processes, Ada tasks
  bool group = false;  // Ada: variables go into one component with the tasks that use them, where that is smaller
  std::map<std::string, std::string> texts = {};  // by file: what is taken for its content, instead of reading it
  std::shared_ptr<ActionTable> actions = {};      // to share with other models; none: its own
  std::shared_ptr<FileLog> read = {};             // the same
  bool other_defines = false;                     // a define that nothing of the file has is a warning, and no error
  bool open = false;  // an environment is still to come: what only a property of a file has may be its action
};

// The content of a file, or the text that stands for it.
Result<std::string> text_of(const std::map<std::string, std::string>& texts, const std::string& file);
Result<std::string> text_of(const Source& source, const std::string& file);

bool is_model_file(const std::string& file);                             // by its ending
bool is_fsp_file(const std::string& file, const std::string& language);  // by what was said, or its ending
bool is_ada_file(const std::string& file, const std::string& language);  // likewise
bool is_qre_file(const std::string& file);                               // by its ending

// Is this a file, or FILE:NAME, rather than the name of a property?
bool is_property_file(const std::string& where);

// "x.lts:NAME" is the file x.lts and the NAME in it, unless there is a file of that very name.
std::pair<std::string, std::string> file_and_name(const std::string& where);

// Is it the property that was asked for as FILE:NAME? Where several files have one of this name, the model calls the
// second NAME.2. Without a name, all are.
bool is_asked(const std::string& property, const std::string& asked);

// What --property says, told apart: files become property files of the source, the names of all others are given back.
std::vector<std::string> take_property_files(Source& source, const std::vector<std::string>& properties);

// The budget is for sub-composites that have to be composed first.
Outcome<Model> load(const Source& source, Budget& budget);

// An action of a property that neither a component nor the environment has can happen at any time.
void warn_of_free_actions(Model& model, const Property& property, const std::string& file,
                          const Alphabet& environment = {});

// The name that the text gives a state of a component, if it gives it one.
std::optional<FspStateName> state_name(const Model& model, std::size_t component, State state);

// Property processes, and composites that are properties, which are named but not part of the system become properties
// of their own. Composites are composed, under the budget if there is one.
Outcome<void> add_outside_properties(Model& model, const std::vector<std::string>& names, Budget* budget = nullptr);

// "GO.2" for GO[2], GO( 2 ) and GO.2; nothing if a bracket has no partner.
std::optional<std::string> plain_name(std::string_view name);
// Whether both are the same name: GO[2], GO(2) and GO.2 are.
bool is_same_name(std::string_view a, std::string_view b);

// The properties meant by a name: machines of the composite, or those with the process of that name inside their
// names ("x:P", "SYS.P", "P(3)").
std::vector<const Property*> find_properties(const Model& model, const std::string& name);

// A property machine of FSP is complete; ours has a missing step where it would go to ERROR. Relabelling can
// have made it nondeterministic: then what may go wrong counts as going wrong.
Lts monitor(const Lts& machine);

// Writes an LTS; the format says how, or else the ending: aut, dot, json or lts (FSP). What is read back from it is the
// same LTS, or the file is refused; only pictures (dot) are not read. "-" is standard output and needs a format.
Outcome<void> save(const Lts& lts, const ActionTable& actions, const std::string& file, const std::string& format = {});
// What it writes.
std::string saved_text(const Lts& lts, const ActionTable& actions, const std::string& file,
                       const std::string& format = {});
// Refuses an ending that save() does not know, before any work is done.
Outcome<void> can_save(const std::string& file, const std::string& format = {});

}  // namespace surety::api
