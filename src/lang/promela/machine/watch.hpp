// A trace or notrace assertion, which watches all sends and receives.
//
// It is an automaton over events on the channels that it mentions; its place is in the
// header of the state. `trace` fails at an event that it does not allow; `notrace` fails
// when it has come to its end, and gives up at an event it does not describe.
#pragma once

#include "lang/promela/machine/message.hpp"

namespace surety::promela {

class Watch {
 public:
  // The assertion by its number in Program::processes; kNone: nothing is watched.
  Watch(const Program& program, std::uint32_t process, Compiler& compiler, Report& report);

  bool watches() const { return process_ != kNone; }
  void start(Memory& m) const;
  // The message has been sent, or received, on the channel.
  void see(Memory& m, bool send, std::int32_t channel, const Message& message) const;
  bool mentions(Memory& m, bool send, std::int32_t channel) const;
  bool complete(const Memory& m) const;

 private:
  struct Event {
    bool send = false;
    Code channel;
    Patterns patterns;
    std::uint32_t target = 0;
  };
  static Event event(const Statement& s, std::uint32_t target, Compiler& compiler);

  std::uint32_t process_;
  bool negated_ = false;                    // notrace
  std::vector<std::vector<Event>> events_;  // by place
  std::vector<Code> sent_, received_;       // the channels that it mentions
  std::uint32_t end_ = 0;
};

}  // namespace surety::promela
