#include "learn/hypothesis.hpp"

namespace surety {

Trace concat(Word a, Word b) {
  Trace out(a.begin(), a.end());
  out.insert(out.end(), b.begin(), b.end());
  return out;
}

Lts to_lts(const Alphabet& alphabet, const std::vector<std::uint32_t>& next, std::uint32_t states) {
  if (states == 0) return Lts();
  LtsBuilder builder;
  builder.set_state_count(states);
  builder.add_to_alphabet(alphabet);
  builder.reserve(next.size());
  for (std::uint32_t s = 0; s < states; ++s)
    for (std::uint32_t letter = 0; letter < alphabet.size(); ++letter)
      if (const auto target = next[s * alphabet.size() + letter]; target < states)
        builder.add_step(State{s}, alphabet[letter], State{target});
  return builder.build();
}

}  // namespace surety
