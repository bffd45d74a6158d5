// One process in an environment of which only two things are known: the values that each
// variable can have, and the messages that each channel can carry.
//
// A transition of the process is what it does without interruption: one statement, or an
// atomic sequence until it ends or has to wait. Its footprint says exactly which objects
// it accesses, and how: which value it finds in a variable and which value it leaves
// there, which message it puts into a buffer or takes out of it. A rendezvous is a
// synchronisation with the transition of another process. If a statement reads a
// variable, there is one transition for each value that the variable can have. So a
// transition is possible in the whole system exactly if the objects of its footprint are
// as the footprint says, and a partner is there where it needs one.
//
// The meaning of a statement is not defined here: the machine executes its own operations
// on the frame of the process, and what lies outside (outside.hpp) is answered in every
// possible way, one after the other.
//
// Whether an atomic sequence has to wait depends on other processes, too. Then the
// footprint says what it waits for (a buffer is full, a variable has the wrong value). A
// footprint cannot say that no partner is ready for a send by rendezvous. So a program is
// refused if such a send stands in the middle of an atomic sequence, or beside an else.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>

#include "base/budget.hpp"
#include "lang/promela/network/system.hpp"

namespace surety::promela::net {

// One access of a transition to an object: what it finds there, or does to it.
struct Access {
  enum class Kind : std::uint8_t {
    is,      // a variable has this value
    set,     // a variable gets this value
    length,  // a buffer holds this number of messages
    full,    // a buffer is full: value 1; is not: value 0
    empty,   // a buffer is empty: value 1; is not: value 0
    poll,    // a receive with this mask is possible: value 1; is not: value 0
    send,
    receive,
    peek,
  };
  Kind kind = Kind::is;
  std::int32_t value = 0;
  Message message;
  Mask mask;             // of poll, receive, peek; of a sorted send: the message before it was cut to fit
  bool special = false;  // sorted send, random receive or poll
  friend auto operator<=>(const Access&, const Access&) = default;
};

// By object, in the numbering of System: the accesses in their order. The only access to a mark is `set`.
using Footprint = std::map<std::uint32_t, std::vector<Access>>;

// A send or a receive, as a trace assertion sees it.
struct Event {
  bool send = false;
  std::uint32_t channel = 0;
  Message message;
  friend auto operator<=>(const Event&, const Event&) = default;
};

struct Transition {
  enum class Synchronisation : std::uint8_t { none, with_receiver, with_sender };
  Synchronisation synchronisation = Synchronisation::none;
  std::uint32_t channel = 0;  // of the rendezvous
  Message message;
  Footprint footprint;
  std::vector<Event> events;  // all sends and receives, in order; the receiver has both events of a rendezvous
  std::uint32_t fails = 0;    // the line of a violated assertion or of an error; 0: there is none
  bool breaks = false;        // it ends in an error: nothing comes after it
  friend auto operator<=>(const Transition&, const Transition&) = default;

  bool silent() const { return synchronisation == Synchronisation::none && footprint.empty() && fails == 0; }
};

// What all processes together can do to the objects, as far as it is known.
struct Environment {
  std::vector<std::set<std::int32_t>> values;  // by global slot: the values that it can have
  std::vector<bool> written;                   // by global slot: some process writes it; otherwise it is a constant
  std::vector<std::set<Message>> messages;     // by channel: the messages that it can carry
  std::vector<std::uint64_t> grown;            // by object: the time of its last new value or message
  std::uint64_t clock = 0;                     // the time: how many values and messages have been added
};

// All states of a process and the edges between them. Each edge is labelled with a transition.
struct ProcessGraph {
  struct Edge {
    std::uint32_t from, transition, to;
  };
  static constexpr std::uint32_t kError = UINT32_MAX;  // a target: the state after an error
  std::vector<Bytes> frames;                           // by state: the process in the memory of the machine
  std::vector<Edge> edges;
  std::vector<Transition> transitions;
  std::vector<bool> ended;        // by state: it is a valid end state
  std::set<std::uint32_t> asked;  // objects whose values or messages it depends on
  std::uint32_t states() const { return static_cast<std::uint32_t>(frames.size()); }
};

// Adds the values and messages of the process to the environment. Explore all processes until nothing is new.
tl::expected<ProcessGraph, Refusal> explore(const System& system, const Instance& instance, Environment& environment,
                                            Budget& budget);

// Leaves out each state that has one edge and whose edge is silent: the process cannot wait there, and no other
// process can tell.
ProcessGraph without_detours(ProcessGraph graph);

}  // namespace surety::promela::net
