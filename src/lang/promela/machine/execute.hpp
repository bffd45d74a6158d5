// Executes a statement: changes the state that is being made.
//
// What is sent and received is told to the watch and, if wanted, becomes the name of an
// action. The caller decides where the process is afterwards and which process has the floor.
#pragma once

#include <functional>
#include <utility>

#include "lang/promela/machine/enabled.hpp"
#include "lang/promela/machine/watch.hpp"

namespace surety::promela {

class Executor {
 public:
  Executor(Memory& memory, const Program& program, const Watch& watch, ActionTable& actions)
      : m_(memory), program_(program), watch_(watch), actions_(actions) {}

  void want_actions(bool want) { want_actions_ = want; }  // names cost time
  // Is told of each statement inside a d_step before it is executed, and of all that are at its place. None: empty.
  using Inside = std::function<void(const Operations& all, const Operation& chosen, std::uint32_t process)>;
  void tell_inside(Inside inside) { inside_ = std::move(inside); }

  // What happens on a channel, or tau. The statement is executable, and no rendezvous.
  Action execute(const Operation& op, std::uint32_t process);
  // The receiver's side of a rendezvous.
  Action receive(const Offer& offer, const Partner& partner);

 private:
  void apply(const Operation& op, std::uint32_t process);
  void run(const Operation& op, std::uint32_t process);
  void send_message(const Operation& op, std::uint32_t process);
  void receive_message(const Operation& op, std::uint32_t process);
  void go_on_with_d_step(const Operation& d_step, std::uint32_t here, std::uint32_t process);
  void see(bool send, std::int32_t channel, const Message& message) const;
  Action name(const ChannelKind& kind, const char* direction, const Message& message) const;

  Memory& m_;
  const Program& program_;
  const Watch& watch_;
  ActionTable& actions_;
  bool want_actions_ = false;
  Inside inside_;
  Action action_ = kTau;  // the last one on a channel with a buffer
  Message message_;       // in transit; kept for its memory
};

}  // namespace surety::promela
