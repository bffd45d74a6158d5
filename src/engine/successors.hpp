// Enumerates the joint steps of a product state.
//
// Used for every state of every search, so it is a template over the number of
// words and over what happens to a step; nothing here is virtual or allocates.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "engine/product.hpp"

namespace surety {

template <int W>
class Successors {
 public:
  Successors(const Product& product, Product::Direction direction)
      : product_(product), backward_(direction == Product::Direction::backward) {}

  // Calls emit(joint action, next state) for every ordinary step and error(joint action, counts) for
  // every step into the error state. The state given to emit is good only during the call.
  template <class Emit, class Error>
  void operator()(const std::uint64_t* state, Emit&& emit, Error&& error) {
    const std::size_t parts = product_.size();
    for (std::size_t p = 0; p < parts; ++p) {
      for (const auto& offer : product_.offers(p, product_.field(p).code(state))) {
        const auto& joint = product_.joint(offer.action);
        // The two common cases, without a detour: alone, or with one other, one step each.
        if (offer.single != Product::kSeveral) {
          std::uint64_t theirs = Product::kSeveral;
          if (joint.row != nullptr) {
            theirs = joint.row[joint.other.code(state)];
            if (theirs == Product::kBlocked) continue;
          } else if (joint.others.empty()) {
            theirs = 0;
          }
          if (theirs != Product::kSeveral) {
            Next next(state, words());
            next.state[product_.word(p)] += offer.single;
            next.state[joint.other.word] += theirs;
            emit(offer.action, static_cast<const std::uint64_t*>(next.state));
            continue;
          }
        }
        if (!gather(state, p, {product_.deltas(p) + offer.begin, product_.deltas(p) + offer.end}, joint)) continue;
        if (error_) error(offer.action, error_counts_);
        if (ordinary_) combine(state, offer.action, emit);
      }
    }
  }

 private:
  // A copy of a state to be changed: on the stack where its size is known.
  struct Next {
    static constexpr int kInline = W > 0 ? W : 64;
    std::uint64_t local[kInline];
    struct Nothing {};
    std::conditional_t<W == 0, std::vector<std::uint64_t>, Nothing> heap;
    std::uint64_t* state = local;
    Next(const std::uint64_t* from, std::uint32_t words) {
      if constexpr (W == 0) {
        if (words > kInline) {
          heap.resize(words);
          state = heap.data();
        }
      }
      std::memcpy(state, from, words * 8);
    }
  };
  struct Choice {
    std::uint32_t word;
    Product::Deltas deltas;  // ordinary steps only
    std::size_t at;
  };

  std::uint32_t words() const {
    if constexpr (W > 0)
      return W;
    else
      return product_.words();
  }

  // Collects what every participant can do. False: someone blocks.
  bool gather(const std::uint64_t* state, std::size_t owner, Product::Deltas deltas,
              const Product::JointAction& joint) {
    choices_.clear();
    error_ = error_counts_ = false;
    ordinary_ = true;
    if (!add(static_cast<std::uint32_t>(owner), deltas)) return false;
    for (const auto other : joint.others)
      if (!add(other.part, product_.deltas(other, product_.field(other.part).code(state)))) return false;
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

  // Every combination of one step a participant, as an odometer counts.
  template <class Emit>
  void combine(const std::uint64_t* state, std::uint32_t action, Emit&& emit) {
    while (true) {
      Next next(state, words());
      for (const auto& choice : choices_) next.state[choice.word] += choice.deltas[choice.at];
      emit(action, static_cast<const std::uint64_t*>(next.state));
      std::size_t wheel = 0;
      while (wheel < choices_.size() && ++choices_[wheel].at == choices_[wheel].deltas.size()) choices_[wheel++].at = 0;
      if (wheel == choices_.size()) return;
    }
  }

  const Product& product_;
  bool backward_;
  std::vector<Choice> choices_;
  bool error_ = false, error_counts_ = false, ordinary_ = true;
};

}  // namespace surety
