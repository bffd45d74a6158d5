#include "walk/moves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstring>

#include "walk/watch.hpp"

namespace surety::api {
namespace {

constexpr std::size_t kState = sizeof(std::uint32_t);  // of a network: so many bytes each

std::vector<std::uint32_t> numbers(const Position& at) {
  std::vector<std::uint32_t> out(at.size() / kState);
  std::memcpy(out.data(), at.data(), out.size() * kState);
  return out;
}

Move move(Walker& walker, const Position& at, const Choice& choice) {
  Move out{walker.shown(at, choice), walker.takes_part(choice), choice.target, choice.violated, choice.error};
  for (const ShownStep& part : out.step.parts)
    if (walker.model().promela) out.who.push_back(part.process);
  const auto& composite = walker.model().composite;
  out.hidden = composite && composite->hidden.contains(choice.action);
  return out;
}

}  // namespace

Situation situation(Walker& walker, const Position& at, const std::vector<Choice>& next) {
  Situation out{walker.values(at), walker.properties(at), {}};
  for (const Choice& choice : next) out.moves.push_back(move(walker, at, choice));
  return out;
}

std::string position_text(const Model& model, const Position& at) {
  if (model.promela) return fmt::format("{:02x}", fmt::join(at, ""));
  return fmt::format("{}", fmt::join(numbers(at), ","));
}

std::optional<Position> network_position(const Model& model, std::string_view text) {
  std::vector<std::uint32_t> states;
  std::vector<std::uint32_t> sizes;
  for (const Component& c : model.network.components) sizes.push_back(c.lts.state_count());
  for (const Property& p : model.properties) sizes.push_back(p.lts.state_count());
  while (states.size() < sizes.size()) {
    if (!states.empty() && !text.starts_with(',')) return std::nullopt;
    if (!states.empty()) text.remove_prefix(1);
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), states.emplace_back());
    if (wrong != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const bool violated = states.size() > model.network.components.size() && State{states.back()} == kViolated;
    if (states.back() >= sizes[states.size() - 1] && !violated) return std::nullopt;
  }
  if (!text.empty() || model.promela) return std::nullopt;
  Position out(states.size() * kState);
  std::memcpy(out.data(), states.data(), out.size());
  return out;
}

}  // namespace surety::api
