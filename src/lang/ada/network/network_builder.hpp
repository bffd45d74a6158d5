// What makes a network of a flow program: it explores tasks and objects, names the actions that they share, and makes
// components of them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lang/ada/network/explore.hpp"
#include "lang/ada/network/network.hpp"
#include "lang/ada/network/queue.hpp"

namespace surety::ada {

class NetworkBuilder {
 public:
  NetworkBuilder(const AdaProgram& program, ActionTable& actions, Budget& budget, AdaExploring exploring)
      : ada_(program),
        program_(program.flow),
        source_(*program.source),
        actions_(actions),
        budget_(budget),
        exploring_(exploring) {}

  tl::expected<AdaNetwork, Refusal> run();

 private:
  using Stop = surety::Stop;

  struct Access {  // of a variable
    Action action;
    bool read;
    Value value;
    friend auto operator<=>(const Access&, const Access&) = default;
  };
  struct Status {  // of a task, as another one finds it
    Action action;
    bool terminated, value;
    friend auto operator<=>(const Status&, const Status&) = default;
  };
  struct Side {
    std::uint32_t task, transition;
  };
  using Meeting = std::pair<std::uint32_t, Values>;  // an entry, and values

  // ---- exploring (network_explore.cpp)
  std::optional<Refusal> explore();
  std::vector<std::uint32_t> largest() const;
  void forget(std::uint32_t slot, std::set<std::uint32_t>& forgotten) const;
  bool has_large_variable() const;
  bool is_growing(std::uint32_t round) const;
  bool again() { return !explore_without({}); }
  bool explore_together();
  std::optional<Refusal> explore_without(const std::set<std::uint32_t>& forgotten);

  // A task with many states is explored beside the others (explore.hpp); if that is too much, beside those that have
  // few. If it has too many there, too, it is explored alone after all; and if then it is refused, beside the others
  // once more, with patience. These are explored alone, and before it: else each could wait for what the other is not
  // yet known to do.
  enum class Way : std::uint8_t { small, beside, alone, patient, refused };
  bool is_alone(std::uint32_t t) const { return way_[t] != Way::beside && way_[t] != Way::patient; }
  static void try_next(Way& way) { way = static_cast<Way>(static_cast<std::uint8_t>(way) + 1); }
  std::optional<Refusal> explore_alone(std::uint32_t t, bool& again);
  bool explore_beside_others(std::uint32_t t);

  // ---- actions and their names (network_actions.cpp)
  std::string shown(Value value, std::uint32_t display) const;
  std::string shown(const Values& values, const std::vector<std::uint32_t>& displays) const;
  std::vector<std::uint32_t> displays_of(const std::vector<std::uint32_t>& slots) const;
  const std::string& label(std::uint32_t task) const { return program_.tasks[task].label; }
  std::uint32_t line(std::uint32_t place) const;
  std::string excerpt(std::uint32_t place) const;
  Action action(const std::string& name);
  void join(std::uint32_t task, std::uint32_t transition, Action a);
  void find_users();
  std::string event_name(const Transition& x) const;
  std::string operation_name(const Transition& x) const;
  void local_actions(std::uint32_t t);
  std::string variable_name(std::uint32_t t, const flow::Slot& slot) const;
  std::string chosen(std::uint32_t task, const Transition& x) const;
  std::string guarded(std::uint32_t task, const Transition& x) const;
  void rendezvous();
  void operations();
  void about_masters();
  bool activates(std::uint32_t master) const;
  void about_tasks();

  // ---- components (network_components.cpp)
  void add_task(AdaNetwork& out, std::uint32_t t);
  void add_variables(AdaNetwork& out);
  void add_objects(AdaNetwork& out);
  std::string shown_now(Value value, const flow::Slot& slot) const;
  std::string shown_object(const flow::Object& object, const Values& state) const;
  std::optional<State> made_anew(std::uint32_t o, Values values) const;
  std::optional<State> number_of(std::uint32_t o, const Values& values) const;
  std::optional<Refusal> add_queues(AdaNetwork& out);
  void add_outside(LtsBuilder& builder, std::uint32_t o, std::uint32_t s);
  static std::optional<Value> after(const flow::Slot& slot, Value value, const Access& access);

  // ---- the rest (network.cpp)
  void warn_of_entries(AdaNetwork& out) const;
  void warn_of_forgotten(AdaNetwork& out) const;
  static Lts property(const std::vector<Action>& failing);

  const AdaProgram& ada_;
  const flow::Program& program_;
  const text::Source& source_;
  ActionTable& actions_;
  Budget& budget_;
  const AdaExploring exploring_;
  Environment environment_;
  std::vector<std::uint32_t> forgotten_;  // slots, one for each declaration
  std::vector<TaskGraph> graphs_;
  std::vector<ObjectGraph> objects_;
  bool together_tried_ = false;                          // all at once
  bool long_ = false;                                    // exploring takes long: variables have fewer values then
  std::vector<Way> way_;                                 // by task: how it is explored
  std::vector<bool> without_large_;                      // by task: only beside those that have few states
  std::vector<std::vector<std::vector<Action>>> steps_;  // by task and transition: its actions
  std::set<std::string> names_;
  std::map<std::string, std::set<std::uint32_t>> events_, operators_;
  std::map<Meeting, std::set<std::uint32_t>> callers_, enders_;
  std::map<std::uint32_t, std::set<Access>> accesses_;  // by slot
  // By operation, parameters, outcome, and, if there are queues, caller.
  std::map<std::tuple<std::uint32_t, Values, Outcome, std::uint32_t>, std::set<Action>> operated_;
  std::map<std::tuple<std::uint32_t, Values, std::uint32_t>, Action> waiting_;
  std::map<std::uint32_t, std::set<Status>> status_;           // by task
  std::map<std::uint32_t, QueueActions> queues_;               // by entry
  std::map<std::uint32_t, std::set<Action>> refused_;          // by operation
  std::map<std::uint32_t, std::set<Action>> gone_, callable_;  // by task
  std::map<std::uint32_t, std::vector<Action>> owners_;        // by task: calls that it never accepts
  std::vector<Action> failures_;
  std::map<Action, std::string> choices_;
  std::map<std::uint32_t, std::vector<Action>> masters_;                // by task: the actions of its masters
  std::map<std::uint32_t, std::vector<Action>> activated_, abandoned_;  // by task: what it offers then
  std::map<std::uint32_t, Action> made_;                                // by object: the action that makes it anew
};

}  // namespace surety::ada
