// Which statements of a process can be executed, and with whom.
//
// A statement whose execution is a fault counts as executable: Memory::why says which fault,
// and the code that executes the statement reports it. A rendezvous belongs to the sender: a
// receive is never executable by itself, a send is if there is a receive for it.
#pragma once

#include "lang/promela/machine/message.hpp"

namespace surety::promela {

using Operations = std::vector<Operation>;

// `something_before`: an earlier statement of the same place is executable; `else` is only if none is.
bool enabled(Memory& m, const Operation& op, std::uint32_t process, bool something_before);

// Where a d_step stands or begins: of several options the first that can be executed is taken, or has a fault. A send
// without a buffer is a fault, as in pan, whether or not another process could receive; a receive without a buffer is
// taken only as the beginning, when a sender meets it (ready_receive).
const Operation* first_of_d_step(Memory& m, const Operations& list, std::uint32_t process);

// What a process may do where it is: an executable escape of an `unless` goes before the statement itself.
const Operations& operations(Memory& m, std::uint32_t process);
bool provided(Memory& m, std::uint32_t process);
bool can_move(Memory& m, std::uint32_t process);

// A send or receive on a channel without a buffer.
bool is_rendezvous(Memory& m, const Operation& op, std::uint32_t process);

// A message on a channel without a buffer, as narrow as its fields.
struct Offer {
  std::uint32_t sender = 0;
  std::int32_t channel = 0;
  Message message;
};
Offer make_offer(Memory& m, const Operation& send, std::uint32_t sender, std::int32_t channel);

// A process that can take an offer. The receive is its operation itself, or the first operation of its d_step.
struct Partner {
  std::uint32_t process = 0;
  const Operation* operation = nullptr;
  const Operation* receive = nullptr;
};
// The receive with which an operation begins, if it is ready for the offer.
const Operation* ready_receive(Memory& m, const Operation& op, std::uint32_t process, const Offer& offer);
std::vector<Partner> partners(Memory& m, const Offer& offer, bool one_is_enough = false);

}  // namespace surety::promela
