#include "study/mask.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"

namespace surety::study {

Mask::Mask(std::size_t tasks, std::uint64_t number) : bits_(tasks, false) {
  for (std::size_t i = 0; i < tasks && i < 64; ++i) bits_[i] = (number >> i & 1U) != 0;
}

Mask Mask::from_blob(std::size_t tasks, std::string_view blob) {
  Mask out(tasks);
  for (std::size_t i = 0; i < tasks && i / 8 < blob.size(); ++i)
    out.bits_[i] = (static_cast<unsigned char>(blob[blob.size() - 1 - i / 8]) >> (i % 8) & 1U) != 0;
  return out;
}

std::string Mask::blob() const {
  std::string out((tasks() + 7) / 8, '\0');
  for (std::size_t i = 0; i < tasks(); ++i)
    if (bits_[i]) {
      char& byte = out[out.size() - 1 - i / 8];
      byte = static_cast<char>(static_cast<unsigned char>(byte) | (1U << (i % 8)));
    }
  return out;
}

std::string Mask::text() const {
  std::string digits;
  for (const char byte : blob()) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  const auto first = digits.find_first_not_of('0');
  return "0x" + (first == std::string::npos ? "0" : digits.substr(first));
}

bool Mask::splits() const {
  return std::find(bits_.begin(), bits_.end(), true) != bits_.end() &&
         std::find(bits_.begin(), bits_.end(), false) != bits_.end();
}

std::size_t Mask::tasks_of_smaller_side() const {
  const auto first = static_cast<std::size_t>(std::count(bits_.begin(), bits_.end(), true));
  return std::min(first, tasks() - first);
}

std::string Mask::split(const std::vector<std::string>& names) const {
  check(names.size() == tasks(), "a mask has one bit per task");
  std::string sides[2];
  for (std::size_t i = 0; i < tasks(); ++i) {
    std::string& side = sides[bits_[i] ? 0 : 1];
    side += (side.empty() ? "" : ",") + names[i];
  }
  return sides[0] + " | " + sides[1];
}

std::strong_ordering operator<=>(const Mask& a, const Mask& b) {
  if (const auto by_size = a.tasks() <=> b.tasks(); by_size != 0) return by_size;
  for (std::size_t i = a.tasks(); i-- > 0;)
    if (a.bits_[i] != b.bits_[i]) return a.bits_[i] <=> b.bits_[i];
  return std::strong_ordering::equal;
}

std::vector<Mask> all_masks(std::size_t tasks) {
  check(tasks <= 30, "too many tasks to try all decompositions");
  std::vector<Mask> out;
  if (tasks < 2) return out;
  for (std::uint64_t number = 1; number + 1 < std::uint64_t{1} << tasks; ++number) out.emplace_back(tasks, number);
  return out;
}

Mask smallest_of_orbit(const Mask& mask, const std::vector<std::vector<std::size_t>>& classes) {
  Mask out = mask;
  for (const auto& tasks : classes) {
    auto ordered = tasks;
    std::ranges::sort(ordered);
    const auto in_first = std::ranges::count_if(ordered, [&](std::size_t task) { return mask.first(task); });
    for (std::size_t i = 0; i < ordered.size(); ++i)
      out.put(ordered[i], static_cast<std::ptrdiff_t>(i) < in_first);  // low bits make a small number
  }
  return out;
}

}  // namespace surety::study
