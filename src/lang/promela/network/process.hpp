// One process in an environment about which nothing is known but the values that
// variables can have and the messages that channels can carry.
//
// A move of the process is what it does in one uninterrupted go: one statement, or an
// atomic sequence until it ends or has to wait. A move says exactly what it takes from
// others and does to them: which value it finds in a variable and which it leaves
// there, which message it puts into a buffer or takes out of it, what it sends or
// receives by rendezvous. If a statement reads a variable, there is a move for each
// value that the variable can have. So a move can be done in the whole system exactly
// if the objects it names are as it says, and nothing else matters.
//
// What a statement means is not said here: the machine executes its own operations on
// the frame of the process, and what lies outside (outside.hpp) is answered in every
// possible way, one after the other.
//
// Where an atomic sequence has to wait depends on others, too; then the move says that
// they are in the way (a buffer is full, a variable has the wrong value). Only for a
// send by rendezvous in the middle of an atomic sequence, or beside an else, this cannot be
// said, and the program is refused.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>

#include "base/budget.hpp"
#include "lang/promela/network/system.hpp"

namespace surety::promela::net {

// What a move finds in an object, or does to it.
struct Touch {
  enum class Kind : std::uint8_t {
    is,      // of a variable: it has this value
    set,     // and then this one
    length,  // of a buffer: so many messages are in it
    full,    // value: whether
    empty,
    poll,  // a receive with this mask could be done: value says whether
    send,
    receive,
    peek,
  };
  Kind kind = Kind::is;
  std::int32_t value = 0;
  Message message;
  Mask mask;             // of poll, receive, peek; of a sorted send: the message before it was cut to fit
  bool special = false;  // sorted send, random receive or poll
  friend auto operator<=>(const Touch&, const Touch&) = default;
};

// By object: System says how they are numbered. A mark is only ever set.
using Uses = std::map<std::uint32_t, std::vector<Touch>>;

struct Event {
  bool send = false;
  std::uint32_t channel = 0;
  Message message;
  friend auto operator<=>(const Event&, const Event&) = default;
};

struct Move {
  enum class Meets : std::uint8_t { nobody, receiver, sender };
  Meets meets = Meets::nobody;
  std::uint32_t channel = 0;  // of the rendezvous
  Message message;
  Uses uses;
  std::vector<Event> events;  // all sends and receives, in order; of a rendezvous, both are the receiver's
  std::uint32_t fails = 0;    // the line of an assertion that is violated, or of an error
  bool breaks = false;        // an error: nothing comes after it
  friend auto operator<=>(const Move&, const Move&) = default;

  bool silent() const { return meets == Meets::nobody && uses.empty() && fails == 0; }
};

struct Environment {
  std::vector<std::set<std::int32_t>> values;  // by global slot: those that it can have
  std::vector<bool> written;                   // by global slot; what is never written is a constant
  std::vector<std::set<Message>> messages;     // by channel
  std::vector<std::uint64_t> grown;            // by object: when something new was last added, by the clock
  std::uint64_t clock = 0;
};

struct Open {
  struct Step {
    std::uint32_t from, move, to;
  };
  static constexpr std::uint32_t kError = UINT32_MAX;  // as a target: an error after which nothing makes sense
  std::vector<Bytes> frames;                           // by state: the process in the memory of the machine
  std::vector<Step> steps;
  std::vector<Move> moves;
  std::vector<bool> ended;        // by state: a valid end state
  std::set<std::uint32_t> asked;  // objects whose values or messages it looked for
  std::uint32_t states() const { return static_cast<std::uint32_t>(frames.size()); }
};

// Values and messages of the process are added to the environment: explore again until nothing is new.
tl::expected<Open, Refusal> explore(const System& system, const Instance& instance, Environment& environment,
                                    Budget& budget);

// Each state that has nothing but one silent step is left out: it cannot wait, and nobody sees it.
Open without_detours(Open open);

}  // namespace surety::promela::net
