#include "study/generalise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace surety::study {
namespace {

using Sides = std::vector<bool>;  // of the repeated tasks, by index

Sides sides_of(const Mask& mask, const Shape& shape) {
  Sides out;
  for (const std::size_t task : shape.repeated) out.push_back(mask.first(task));
  return out;
}

bool all_equal(const Sides& sides) {
  return std::adjacent_find(sides.begin(), sides.end(), std::not_equal_to<>()) == sides.end();
}

bool is_repeated(const Shape& shape, std::size_t task) {
  return std::ranges::find(shape.repeated, task) != shape.repeated.end();
}

// The tasks that are not repeated keep their side, the repeated ones get these.
std::optional<Mask> assemble(const Mask& best, const Shape& from, const Shape& to, const Sides& repeated) {
  Mask out(to.tasks.size());
  for (std::size_t task = 0; task < to.tasks.size(); ++task) {
    if (is_repeated(to, task)) continue;
    const auto at = std::ranges::find(from.tasks, to.tasks[task]);
    if (at == from.tasks.end()) return std::nullopt;
    out.put(task, best.first(static_cast<std::size_t>(at - from.tasks.begin())));
  }
  for (std::size_t i = 0; i < to.repeated.size(); ++i) out.put(to.repeated[i], repeated[i]);
  if (!out.splits()) return std::nullopt;
  return out;
}

std::optional<Generalised> finished(const std::optional<Mask>& mask, bool extended = false, std::string pattern = {}) {
  if (!mask) return std::nullopt;
  return Generalised{*mask, extended, false, std::move(pattern)};
}

// Which repeated task is told from the rest: the one that is singled out, or the first.
std::size_t distinguished(const Shape& shape) { return shape.singled_out.size() == 1 ? shape.singled_out[0] : 0; }

// --- patterns --------------------------------------------------------------------

// A way to give sides to any number of tasks, read off one row of sides.
struct Pattern {
  std::string name;
  std::function<std::optional<Sides>(const Sides&, std::size_t size)> make;
};

// The first m differ from the rest.
std::optional<Sides> first_differ(const Sides& known, std::size_t size) {
  const auto m = static_cast<std::size_t>(std::ranges::find(known, !known[0]) - known.begin());
  Sides out(size, !known[0]);
  for (std::size_t i = 0; i < std::min(m, size); ++i) out[i] = known[0];
  return out;
}

std::optional<Sides> last_differ(const Sides& known, std::size_t size) {
  const auto m = static_cast<std::size_t>(std::find(known.rbegin(), known.rend(), !known.back()) - known.rbegin());
  Sides out(size, !known.back());
  for (std::size_t i = 0; i < std::min(m, size); ++i) out[size - 1 - i] = known.back();
  return out;
}

std::optional<Sides> periodic(const Sides& known, std::size_t size, std::size_t period) {
  if (known.size() < period) return std::nullopt;
  Sides out;
  for (std::size_t i = 0; i < size; ++i) out.push_back(known[i % period]);
  return out;
}

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> all = {
      {"first tasks differ", first_differ},
      {"last tasks differ", last_differ},
      {"index mod 2", [](const Sides& known, std::size_t size) { return periodic(known, size, 2); }},
      {"index mod 3", [](const Sides& known, std::size_t size) { return periodic(known, size, 3); }},
  };
  return all;
}

// The pattern, read off the best mask, gives this mask and all smaller ones back.
bool reproduces(const Pattern& pattern, const Sides& known, const std::vector<Known>& smaller) {
  if (pattern.make(known, known.size()) != known) return false;
  return std::ranges::all_of(smaller, [&](const Known& other) {
    return pattern.make(known, other.shape.size()) == sides_of(other.mask, other.shape);
  });
}

// --- back to size 2 ---------------------------------------------------------------

// The side of the majority; nothing if it is a tie.
std::optional<bool> majority(const Sides& sides) {
  const auto in_first = 2 * std::ranges::count(sides, true);
  const auto all = static_cast<std::ptrdiff_t>(sides.size());
  if (in_first == all) return std::nullopt;
  return in_first > all;
}

}  // namespace

std::size_t namesake(std::size_t place, std::size_t from, std::size_t to, bool last) {
  const std::size_t behind = from - 1 - place;  // tasks after it
  const bool counts_from_last = place == behind ? last : behind < place;
  if (!counts_from_last) return std::min(place, to - 1);
  return behind < to ? to - 1 - behind : 0;
}

std::optional<Generalised> generalise(const Mask& best, const Shape& from, const Shape& to) {
  if (from.size() != 2 || to.size() < 2) return std::nullopt;
  const Sides known = sides_of(best, from);
  if (to.size() == 2 || known[0] == known[1])
    return finished(assemble(best, from, to, to.size() == 2 ? known : Sides(to.size(), known[0])));
  const bool extended = to.singled_out.size() > 1;
  if (to.singled_out.size() <= 1) {
    const std::size_t d = distinguished(to);
    const bool side = to.singled_out.empty() ? known[0] : known[namesake(d, to.size(), 2)];
    Sides sides(to.size(), !side);
    sides[d] = side;
    return finished(assemble(best, from, to, sides));
  }
  const auto side_of = [&](std::size_t place) { return known[namesake(place, to.size(), 2)]; };
  Sides sides(to.size(), !side_of(*std::ranges::min_element(to.singled_out)));
  for (const std::size_t place : to.singled_out) sides[place] = side_of(place);
  return finished(assemble(best, from, to, sides), extended);
}

std::vector<Generalised> simplify(const Mask& best, const Shape& from, const Shape& to) {
  if (to.size() != 2 || from.size() < 2) return {};
  const Sides known = sides_of(best, from);
  std::vector<Sides> variants;
  if (all_equal(known)) {
    variants = {{known[0], known[0]}};
  } else {
    const std::size_t d = distinguished(from);
    Sides rest = known;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(d));
    const std::size_t place = from.singled_out.size() == 1 ? namesake(d, from.size(), 2) : 0;
    const auto most = majority(rest);
    for (const bool side : {false, true})
      if (!most || *most == side) {
        Sides sides(2, side);
        sides[place] = known[d];
        variants.push_back(std::move(sides));
      }
  }
  std::vector<Generalised> out;
  for (const Sides& sides : variants)
    if (auto made = finished(assemble(best, from, to, sides))) {
      made->ambiguous = variants.size() > 1;
      out.push_back(std::move(*made));
    }
  return out;
}

std::optional<Generalised> generalise_from(const Mask& best, const Shape& from, const std::vector<Known>& smaller,
                                           const Shape& to) {
  if (from.size() < 2) return std::nullopt;
  if (from.size() == 2) return generalise(best, from, to);
  const Sides known = sides_of(best, from);
  if (all_equal(known)) return finished(assemble(best, from, to, Sides(to.size(), known[0])));
  const std::size_t d = distinguished(from);
  Sides rest = known;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(d));
  if (from.singled_out.size() <= 1 && all_equal(rest)) {
    Sides sides(to.size(), rest[0]);
    sides[from.singled_out.empty() ? 0 : distinguished(to)] = known[d];
    return finished(assemble(best, from, to, sides));
  }
  for (const Pattern& pattern : patterns())
    if (reproduces(pattern, known, smaller))
      if (const auto sides = pattern.make(known, to.size()))
        return finished(assemble(best, from, to, *sides), false, pattern.name);
  return std::nullopt;
}

}  // namespace surety::study
