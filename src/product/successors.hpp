// Enumerates the steps of a product state.
//
// Used for every state of every search, so it is a template over the number of
// words and over where the steps go; nothing here is virtual or allocates.
//
// Most steps have at most two participants with one step each. Whether such a
// step is possible is a coin toss that no branch predictor wins, so it is made
// without a branch: the next state is written where the sink wants it, and then
// kept or not.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "product/product.hpp"

namespace surety {

// A sink is small and copied at will. It has
//   bool make_room(size_t n)              for n more states; false: no, stop here
//   uint64_t* place()                     where to write the next state
//   void keep(uint32_t joint, bool yes)   what lies there is a step by this joint action, or not
template <int W>
class Successors {
 public:
  Successors(const Product& product, Product::Direction direction)
      : product_(product), backward_(direction == Product::Direction::backward) {}

  struct All {
    bool operator()(std::uint32_t) const { return true; }
  };

  // Gives the steps of a state to the sink and returns how many there are; calls error(joint, counts) for
  // steps into the error state. Steps that commute with `last`, the joint action that led to this state,
  // and come before it are only counted (search.cpp says why). With last = 0 none is left out. Joint actions
  // that are not `wanted` are passed over.
  template <class Sink, class Error, class Wanted = All>
  std::uint64_t expand(const std::uint64_t* state, std::uint32_t last, Sink& given, Error&& error,
                       const Wanted& wanted = {}) {
    if (!given.make_room(product_.most_offers())) return 0;
    Sink sink = given;        // these two live in registers, so that the compiler
    const State here(state);  // need not fear that writing a state changes them
    const std::uint64_t last_bits = product_.joint(last).part_bits;
    std::uint64_t steps = 0;
    for (const auto& owner : product_.owners()) {
      const Product::Offer* const* offers = owner.offers + here.code(owner.field);
      for (const Product::Offer* offer = offers[0]; offer != offers[1]; ++offer) {
        if (!wanted(offer->joint)) continue;
        const std::uint64_t theirs = offer->row[here.code(offer->other)];
        const bool news = (offer->joint >= last) | ((offer->part_bits & last_bits) != 0);
        if (offer->mine == Product::kSeveral || theirs == Product::kSeveral) [[unlikely]] {
          Sink elsewhere = sink;
          steps += several(state, owner.part, *offer, news, elsewhere, error);
          sink = elsewhere;
          continue;
        }
        const bool possible = theirs != Product::kBlocked;
        steps += possible;
        if (W == 0 && !(possible & news)) continue;
        std::uint64_t* next = sink.place();
        if constexpr (W == 1) {
          *next = here.word + offer->mine + theirs;
        } else {
          std::memcpy(next, state, words() * 8ULL);
          next[owner.field.word] += offer->mine;
          next[offer->other.word] += theirs;
        }
        sink.keep(offer->joint, possible & news);
      }
    }
    given = sink;
    return steps;
  }

  // The same without a sink: emit(joint action, next state) and error(joint action, counts). The state
  // given to emit is good only during the call.
  template <class Emit, class Error>
  void operator()(const std::uint64_t* state, Emit emit, Error error) {
    std::vector<std::uint64_t> next(product_.words());
    CallbackSink<Emit> sink{&emit, next.data()};
    expand(state, 0, sink, error);
  }

 private:
  template <class Emit>
  struct CallbackSink {
    Emit* emit;
    std::uint64_t* next;
    bool make_room(std::size_t) { return true; }
    std::uint64_t* place() { return next; }
    void keep(std::uint32_t joint, bool yes) {
      if (yes) (*emit)(joint, static_cast<const std::uint64_t*>(next));
    }
  };

  // A state as the hot loop reads it.
  struct OneWord {
    std::uint64_t word;
    explicit OneWord(const std::uint64_t* state) : word(*state) {}
    std::uint32_t code(const Product::Field& field) const {
      return static_cast<std::uint32_t>(word >> field.shift) & field.mask;
    }
  };
  struct ManyWords {
    const std::uint64_t* state;
    explicit ManyWords(const std::uint64_t* s) : state(s) {}
    std::uint32_t code(const Product::Field& field) const { return field.code(state); }
  };
  using State = std::conditional_t<W == 1, OneWord, ManyWords>;

  struct Choice {
    std::uint32_t word;
    Product::Deltas deltas;  // ordinary steps only
    std::size_t at;
  };

  static constexpr std::uint64_t kUnclear = ~0ULL;  // not a number of steps

  std::uint32_t words() const { return W > 0 ? W : product_.words(); }

  // The general case: any number of participants, with any number of steps each.
  template <class Sink, class Error>
  std::uint64_t several(const std::uint64_t* state, std::uint32_t owner, const Product::Offer& offer, bool news,
                        Sink& sink, Error& error) {
    if (offer.mine != Product::kSeveral) {
      const std::uint64_t result = one_each(state, owner, offer, news, sink);
      if (result != kUnclear) return result;
    }
    if (!gather(state, owner, offer)) return 0;
    if (error_) error(offer.joint, error_counts_);
    return (error_ ? 1 : 0) + (ordinary_ ? combine(state, offer.joint, news, sink) : 0);
  }

  // Several participants with one step each: still a plain sum.
  template <class Sink>
  std::uint64_t one_each(const std::uint64_t* state, std::uint32_t owner, const Product::Offer& offer, bool news,
                         Sink& sink) {
    std::uint64_t* next = sink.place();
    std::memcpy(next, state, words() * 8ULL);
    next[product_.field(owner).word] += offer.mine;
    for (const auto& other : product_.joint(offer.joint).others) {
      if (other.row == nullptr) return kUnclear;
      const std::uint64_t theirs = other.row[other.field.code(state)];
      if (theirs == Product::kBlocked) return 0;
      if (theirs == Product::kSeveral) return kUnclear;
      next[other.field.word] += theirs;
    }
    sink.keep(offer.joint, news);
    return 1;
  }

  // Collects what every participant can do. False: one of them blocks.
  bool gather(const std::uint64_t* state, std::uint32_t owner, const Product::Offer& offer) {
    choices_.clear();
    error_ = error_counts_ = false;
    ordinary_ = true;
    if (!add(owner, product_.deltas(owner, offer))) return false;
    for (const auto& other : product_.joint(offer.joint).others)
      if (!add(other.part, product_.deltas(other, other.field.code(state)))) return false;
    return true;
  }

  bool add(std::uint32_t part, Product::Deltas deltas) {
    if (deltas.empty() && (backward_ || !product_.is_watch(part))) return false;
    if (deltas.empty() || deltas.front() == Product::kToError) {
      error_ = true;
      error_counts_ |= product_.error_counts(part);
      if (!deltas.empty()) deltas = deltas.subspan(1);
    }
    ordinary_ &= !deltas.empty();
    choices_.push_back({product_.field(part).word, deltas, 0});
    return true;
  }

  // Every combination of one step per participant, as an odometer counts.
  template <class Sink>
  std::uint64_t combine(const std::uint64_t* state, std::uint32_t joint, bool news, Sink& sink) {
    for (std::uint64_t steps = 1;; ++steps) {
      // One more than the offers that are still to come.
      if (!sink.make_room(product_.most_offers() + 1)) return steps;
      std::uint64_t* next = sink.place();
      std::memcpy(next, state, words() * 8ULL);
      for (const auto& choice : choices_) next[choice.word] += choice.deltas[choice.at];
      sink.keep(joint, news);
      std::size_t wheel = 0;
      while (wheel < choices_.size() && ++choices_[wheel].at == choices_[wheel].deltas.size()) choices_[wheel++].at = 0;
      if (wheel == choices_.size()) return steps;
    }
  }

  const Product& product_;
  bool backward_;
  std::vector<Choice> choices_;
  bool error_ = false, error_counts_ = false, ordinary_ = true;
};

}  // namespace surety
