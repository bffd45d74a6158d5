#include "load/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lang/ada/network/network.hpp"

namespace surety::api {
namespace {

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

std::vector<std::string> pieces(const std::string& text, char separator) {
  std::vector<std::string> out;
  for (std::size_t begin = 0;;) {
    const auto end = text.find(separator, begin);
    out.push_back(trimmed(std::string_view(text).substr(begin, end - begin)));
    if (end == std::string::npos) return out;
    begin = end + 1;
  }
}

}  // namespace

namespace {

// Reads names between commas and bars. A known name is taken whole, commas and bars in it included.
class SplitReader {
 public:
  SplitReader(const std::string& text, std::vector<std::string> known) : text_(text), known_(std::move(known)) {
    std::sort(known_.begin(), known_.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  }

  std::string name() {
    skip_blanks();
    for (const auto& name : known_)
      if (text_.compare(at_, name.size(), name) == 0 && ends(at_ + name.size())) {
        at_ += name.size();
        skip_blanks();
        return name;
      }
    const auto end = std::min(text_.find_first_of(",|", at_), text_.size());
    const std::string name = trimmed(std::string_view(text_).substr(at_, end - at_));
    at_ = end;
    return name;
  }
  // The separator after a name: ',', '|', or 0 at the end.
  char separator() { return at_ < text_.size() ? text_[at_++] : '\0'; }

 private:
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size()); }
  bool ends(std::size_t at) const {
    const auto next = text_.find_first_not_of(" \t", at);
    return next == std::string::npos || text_[next] == ',' || text_[next] == '|';
  }

  const std::string& text_;
  std::vector<std::string> known_;
  std::size_t at_ = 0;
};

std::vector<std::string> component_names(const Network& network) {
  std::vector<std::string> names;
  for (const auto& component : network.components) names.push_back(component.name);
  return names;
}

std::string hint(const std::vector<std::string>& names) {
  return fmt::format("the components are: {}", fmt::join(names, ", "));
}

// No component twice.
Outcome<Split> read_sides(const std::string& option, const std::string& text, const std::vector<std::string>& names) {
  const std::string known = hint(names);
  Split split(1);
  std::vector<std::string> used;
  SplitReader reader(text, names);
  for (char separator = ','; separator != '\0';) {
    const std::string name = reader.name();
    if (name.empty()) return usage(fmt::format("{} \"{}\" has an empty place", option, text), known);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const std::string meant = did_you_mean(name, names);
      return usage(fmt::format("{} names '{}', which is no component", option, name),
                   meant.empty() ? known : meant + " " + known);
    }
    if (std::find(used.begin(), used.end(), name) != used.end())
      return usage(fmt::format("{} names '{}' twice", option, name), known);
    used.push_back(name);
    split.back().push_back(name);
    separator = reader.separator();
    if (separator == '|') split.emplace_back();
  }
  return split;
}

}  // namespace

Outcome<Split> parse_split(const std::string& text, const Network& network) {
  const auto names = component_names(network);
  auto split = read_sides("--split", text, names);
  if (!split) return split;
  for (const auto& name : names)
    if (std::none_of(split->begin(), split->end(),
                     [&](const auto& side) { return std::find(side.begin(), side.end(), name) != side.end(); }))
      return usage(fmt::format("--split leaves out '{}'", name), hint(names));
  return split;
}

namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool share_an_action(const Network& network, const std::string& name, const std::vector<std::string>& side) {
  const auto find = [&](const std::string& n) { return std::ranges::find(network.components, n, &Component::name); };
  return std::ranges::any_of(side, [&](const std::string& other) {
    return !intersect(find(name)->lts.alphabet(), find(other)->lts.alphabet()).empty();
  });
}

// With the first of these sides that uses it.
void put_with_user(const std::string& name, const Split& said, const Network& network, Split& split) {
  const auto user = std::ranges::find_if(said, [&](const auto& side) { return share_an_action(network, name, side); });
  (user == said.end() ? split.back() : split[static_cast<std::size_t>(user - said.begin())]).push_back(name);
}

bool has(const Split& split, const std::string& name) {
  return std::ranges::any_of(split, [&](const auto& side) { return std::ranges::find(side, name) != side.end(); });
}

Outcome<Split> parse_split_of_processes(const std::string& text, const Model& model) {
  const auto names = component_names(model.network);
  auto split = read_sides("--split", text, names);
  if (!split) return split;
  const Split said = *split;
  for (const auto& name : names) {
    if (has(*split, name)) continue;
    if (std::ranges::find(model.parts->instances, name, &PromelaInstance::name) != model.parts->instances.end())
      return usage(fmt::format("--split leaves out '{}'", name), hint(names));
    put_with_user(name, said, model.network, *split);
  }
  return split;
}

}  // namespace

Outcome<Split> parse_split(const std::string& text, const Model& model) {
  if (model.parts) return parse_split_of_processes(text, model);
  if (!model.ada_network) return parse_split(text, model.network);
  const auto names = component_names(model.network);
  std::vector<std::string> plain;
  for (const auto& name : names) plain.push_back(lower(name));
  auto split = read_sides("--split", lower(text), plain);
  if (!split) return usage(split.error().diagnostics[0].message, hint(names));
  for (auto& side : *split)
    for (auto& name : side) name = names[static_cast<std::size_t>(std::ranges::find(plain, name) - plain.begin())];
  const Split said = *split;
  for (const auto& name : names) {
    if (has(*split, name)) continue;
    if (name == names[0]) {
      split->back().push_back(name);
      continue;
    }
    if (std::ranges::any_of(model.ada_network->tasks, [&](const auto& task) { return task.name == name; }))
      return usage(fmt::format("--split leaves out '{}'", name), hint(names));
    put_with_user(name, said, model.network, *split);
  }
  return split;
}

Outcome<std::vector<std::string>> parse_components(const std::string& option, const std::string& text,
                                                   const Network& network) {
  auto names = component_names(network);
  const auto sides = read_sides(option, text, names);
  if (!sides) return tl::unexpected(sides.error());
  if (sides->size() > 1) return usage(fmt::format("{} \"{}\" has several sides", option, text), hint(names));
  const auto& chosen = sides->front();
  std::erase_if(names, [&](const auto& name) { return std::find(chosen.begin(), chosen.end(), name) == chosen.end(); });
  return names;
}

std::vector<std::string> split_names(const std::string& text) {
  auto names = pieces(text, ',');
  std::erase(names, "");
  return names;
}

}  // namespace surety::api
