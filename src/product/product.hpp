// A product of LTSs made ready for fast successor generation.
//
// A product state is the codes of all parts packed into the fewest bits. A code
// numbers the states of a part that can be reached in the part itself; the error
// state has none, because a tuple with a part in its error state *is* the error
// state and is never stored. A field never crosses a word boundary, so that a
// step of a part is the addition of one precomputed number to one word:
//
//   next = state + (code(target) - code(source)) << shift
//
// and a joint step is the sum of the steps of its participants. Bit 63 of every
// word stays free: the visited set uses it to tell a state from an empty slot,
// and the value 2^63 can mark a step into the error state.
//
// Every action has one *owner* among the parts that have it, the one that can do
// it most rarely; an action is tried only where its owner can do it. Most joint
// steps have at most two participants with one step each: for those the answer of
// the second is one look-up in a row of additions, by its code.
//
// The same structure built from the reversed steps generates predecessors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "model/lts.hpp"

namespace surety {

enum class Role {
  component,  // an action it has and cannot do is blocked
  watch,      // a property: an action it has and cannot do is the violation
};

struct Part {
  const Lts* lts = nullptr;
  Role role = Role::component;
  bool error_counts = true;  // whether reaching this part's error state (or violating it) is what we look for
};

class Product {
 public:
  enum class Direction { forward, backward };

  // Three numbers that are no additions: bit 63 is never part of a field.
  static constexpr std::uint64_t kToError = 1ULL << 63;
  static constexpr std::uint64_t kBlocked = kToError + 1;  // no step
  static constexpr std::uint64_t kSeveral = kToError + 2;  // more than one step, or the error state is involved

  struct Field {
    std::uint32_t mask = 0;
    std::uint16_t word = 0;
    std::uint16_t shift = 0;
    std::uint32_t code(const std::uint64_t* state) const {
      return static_cast<std::uint32_t>(state[word] >> shift & mask);
    }
  };

  // The steps that one part has for one action in one of its states, as additions.
  // A step into the error state comes first, as kToError.
  using Deltas = std::span<const std::uint64_t>;

  // A joint action that its owner can do in a state, to be tried against the other participants.
  // All that the common case needs lies here together.
  struct Offer {
    std::uint64_t mine = kSeveral;  // the owner's addition, if it has exactly one
    // The row of the one other participant. A row of one 0 if there is no other, a row of one kSeveral
    // if there are more.
    const std::uint64_t* row = nullptr;
    std::uint64_t part_bits = 0;  // the participants, one bit each (part modulo 64)
    Field other{};
    std::uint32_t joint = 0;
    std::uint32_t begin = 0;  // all of the owner's additions lie at begin .. end of its deltas
    std::uint32_t end = 0;
  };

  struct Participant {
    std::uint32_t part = 0;
    std::uint32_t local = 0;  // the action's place among the part's actions
    Field field{};
    const std::uint64_t* row = nullptr;  // its addition, kBlocked or kSeveral, by its code; may be missing
  };

  // A way for the product to step: an action, or the tau of one part. They are numbered; the first
  // size() of them are the taus of the parts.
  struct JointAction {
    Action action;
    std::uint64_t part_bits = 0;      // as above
    std::vector<Participant> others;  // all but the owner; components first, then watchers
  };

  // A part that owns joint actions: in code c it offers *offers[c] up to *offers[c + 1].
  struct Owner {
    const Offer* const* offers = nullptr;
    Field field{};
    std::uint32_t part = 0;
  };

  // All the steps of a part for one action in one code: deltas begin .. end.
  struct Row {
    std::uint32_t local, code, begin, end;
    std::uint32_t size() const { return end - begin; }
  };

  // Good for nothing if the budget ended meanwhile.
  Product(const std::vector<Part>& parts, Direction direction, Budget* budget = nullptr);
  // Forward, with its tables charged. Nothing: the budget ended.
  static std::optional<Product> within(Budget& budget, Charge& charge, const std::vector<Part>& parts);
  Product(Product&&) = default;  // the tables keep their places
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;

  std::uint32_t words() const { return words_; }
  std::uint32_t spare_bits() const { return spare_bits_; }  // unused bits below bit 63 of word 0
  std::size_t size() const { return parts_.size(); }
  const Field& field(std::size_t part) const { return fields_[part]; }
  bool is_watch(std::size_t part) const { return parts_[part].watch; }
  bool error_counts(std::size_t part) const { return parts_[part].error_counts; }
  std::span<const Owner> owners() const { return owners_; }
  std::uint64_t most_offers() const { return most_offers_; }  // no state has more
  const JointAction& joint(std::uint32_t index) const { return joint_[index]; }
  std::uint32_t joints() const { return static_cast<std::uint32_t>(joint_.size()); }
  std::uint32_t joint_of(std::size_t part, std::uint32_t local) const { return joint_of_local_[part][local]; }
  std::span<const State> states(std::size_t part) const { return parts_[part].state_of; }  // by code

  Deltas deltas(std::uint32_t part, const Offer& offer) const {
    const auto* all = parts_[part].deltas.data();
    return {all + offer.begin, all + offer.end};
  }

  // What a participant can do. Empty: nothing (for a watcher that is a violation).
  Deltas deltas(const Participant& participant, std::uint32_t code) const {
    const auto& p = parts_[participant.part];
    if (!p.dense.empty()) {
      const std::uint32_t* at = p.dense.data() + static_cast<std::size_t>(participant.local) * p.codes + code;
      return {p.deltas.data() + at[0], p.deltas.data() + at[1]};
    }
    return search_deltas(p, participant.local, code);
  }

  // The packed initial state: words() words. False if a part starts in its error state.
  bool pack_initial(std::uint64_t* state) const;
  std::vector<State> unpack(const std::uint64_t* state) const;
  std::uint64_t bytes() const;                                         // of the tables
  static std::uint64_t bytes_to_make(const std::vector<Part>& parts);  // at most, about

 private:
  struct Compiled {
    bool watch = false;
    bool error_counts = true;
    bool takes_part = false;  // in joint actions that another part leads and looks up here
    std::uint32_t codes = 0;
    std::vector<State> state_of;        // by code
    std::vector<std::uint64_t> deltas;  // sorted by (local action, code), so that `dense` can index them
    std::vector<std::uint32_t> dense;   // offsets into deltas by local * codes + code; if that is not too big
    std::vector<std::uint64_t> single;  // by the same index: the addition, kBlocked or kSeveral
    // Instead of `dense`: the rows of each code, sorted by local action.
    std::vector<std::uint32_t> first_row;
    std::vector<Row> rows;
    std::vector<Offer> offers;
    std::vector<const Offer*> first_offer;  // by code
  };

  static Deltas search_deltas(const Compiled& part, std::uint32_t local, std::uint32_t code);
  void place_fields(const std::vector<std::uint32_t>& bits);
  void join_actions(const std::vector<Part>& parts);
  void compile(std::size_t part, const Lts& lts, const std::vector<std::uint32_t>& code_of, Direction direction,
               Budget* budget);
  static void fill_dense(Compiled& part, const std::vector<Row>& rows, std::uint32_t locals, Direction direction);
  void list_offers(std::size_t part, const std::vector<Row>& rows, std::uint32_t locals);
  void link_offers();

  std::vector<Compiled> parts_;
  std::vector<Field> fields_;
  std::vector<JointAction> joint_;
  std::vector<Owner> owners_;
  std::vector<std::vector<std::uint32_t>> joint_of_local_;  // per part: the places of its actions in joint_
  std::vector<std::vector<bool>> owns_;                     // per part and local action
  std::uint64_t most_offers_ = 0;
  std::uint32_t words_ = 1;
  std::uint32_t spare_bits_ = 0;
  bool starts_in_error_ = false;
};

}  // namespace surety
