#include "all_sizes/chain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "lang/fsp/families/family.hpp"
#include "model/action_name.hpp"
#include "model/transform.hpp"

namespace surety::api {
namespace {

constexpr int kMostMargin = 12;

// Changes the numbers of a label that lie between two others. Nothing: it has none.
template <class Change>
std::optional<std::string> with_numbers(std::string_view label, int low, int high, Change change) {
  bool any = false;
  ActionName name(label);
  for (auto& part : name.parts)
    if (const auto n = ActionName::number(part); n && *n >= low && *n <= high) {
      part = change(*n);
      any = true;
    }
  return any ? std::optional(name.text()) : std::nullopt;
}

// Properties that are no part of the composite come after its machines.
bool is_property(const Model& model, std::size_t machine) {
  const auto& machines = model.composite->machines;
  return machine >= machines.size() || machines[machine].property;
}

std::vector<std::string> outside_properties(const Model& model) {
  const auto inside = std::ranges::count_if(model.composite->machines, &FspMachine::property);
  std::vector<std::string> names;
  for (auto i = static_cast<std::size_t>(inside); i < model.properties.size(); ++i)
    names.push_back(model.properties[i].name);
  return names;
}

// Makes the chain of one property out of one instance.
class ChainBuilder {
 public:
  ChainBuilder(const Model& model, const FspFamily& text, int margin)
      : model_(model), text_(text), margin_(margin), size_(2 * margin + 3), reach_(text.bounds.near_cell) {}

  // Why not, if not.
  std::string build(const std::string& property, Chain& chain) {
    if (auto wrong = sort(property, chain); !wrong.empty()) return wrong;
    add_classes(chain.property, chain);
    for (std::size_t i = 0; i < chain.head.size(); ++i)
      if (chain.hub[i]) add_classes(chain.head[i].lts, chain);
    for (int i = 0; i < 3; ++i)
      for (const Component& c : chain.cells[static_cast<std::size_t>(i)]) add_actions(c.lts, margin_ + 1 + i, chain);
    return {};
  }

 private:
  // Every machine to its place.
  std::string sort(const std::string& property, Chain& chain) {
    chain.cells.resize(3);
    const Network safety = safety_network(model_);
    std::size_t next_component = 0, next_property = 0;
    bool found = false;
    const FspRemembering* apart = nullptr;
    for (std::size_t i = 0; i < text_.machines.size(); ++i) {
      const auto& machine = text_.machines[i];
      if (is_property(model_, i)) {
        const Property& p = model_.properties[next_property++];
        if (p.name != property) continue;
        if (machine.kind == FspFamily::Kind::other) return machine.why;
        if (machine.kind == FspFamily::Kind::cell) return fmt::format("{} is a property of one cell", property);
        apart = machine.apart.get();
        chain.property = apart != nullptr ? apart->hub : p.lts;
        found = true;
        continue;
      }
      const Component& component = safety.components[next_component++];
      if (machine.kind == FspFamily::Kind::other) {
        if (chain.left_out.empty()) chain.left_out = fmt::format("{} was left out ({})", component.name, machine.why);
        continue;
      }
      if (machine.kind == FspFamily::Kind::cell)
        add_cell(component, machine.cell, chain);
      else
        add_to_head(component, machine.hub, chain);
    }
    if (!found) return fmt::format("{} is no part of {}", property, model_.network.name);
    if (chain.cells[0].empty()) return nothing_repeats();
    if (apart != nullptr) add_bits(property, *apart, chain);
    if (chain.cells[0].size() != chain.cells[1].size() || chain.cells[0].size() != chain.cells[2].size())
      return "some cells have more components than others";
    return {};
  }

  void add_cell(const Component& component, int index, Chain& chain) const {
    if (index > margin_ && index <= size_ - margin_)
      chain.cells[static_cast<std::size_t>(index - margin_ - 1)].push_back(component);
    else
      add_to_head(component, false, chain);
  }

  static void add_to_head(const Component& component, bool hub, Chain& chain) {
    chain.head.push_back(component);
    chain.hub.push_back(hub);
  }

  // What the property remembers is in the cells.
  void add_bits(const std::string& property, const FspRemembering& apart, Chain& chain) const {
    for (Component& c : chain.head) c.lts = relabel(c.lts, apart.variants);
    for (auto& cell : chain.cells)
      for (Component& c : cell) c.lts = relabel(c.lts, apart.variants);
    for (const auto& [index, bit] : apart.bits)
      add_cell({fmt::format("{}.bit({})", property, index), bit}, index, chain);
  }

  std::string nothing_repeats() const {
    for (const auto& machine : text_.machines)
      if (!machine.why.empty()) return machine.why;
    return "nothing is repeated as often as the constant says";
  }

  std::string_view name(Action a) const { return model_.actions->name(a); }

  std::optional<Action> class_of(Action a) const {
    const auto star =
        with_numbers(name(a), margin_ + 1 - reach_, margin_ + 3 + reach_, [](int) { return std::string("*"); });
    if (!star) return std::nullopt;
    return model_.actions->intern(*star);
  }

  static void add(Chain::Renaming& pairs, Action from, Action to) {
    if (std::ranges::find(pairs, std::pair(from, to)) == pairs.end()) pairs.emplace_back(from, to);
  }

  void add_classes(const Lts& lts, Chain& chain) {
    for (const Action a : lts.alphabet())
      if (const auto its_class = class_of(a)) {
        add(chain.classes, a, *its_class);
        said_ = unite(said_, {*its_class});
      }
  }

  void add_actions(const Lts& lts, int cell, Chain& chain) const {
    for (const Action a : lts.alphabet()) {
      const auto next =
          with_numbers(name(a), cell - reach_, cell + reach_, [](int n) { return std::to_string(n + 1); });
      if (!next) continue;
      if (cell < margin_ + 3) add(chain.shift, a, model_.actions->intern(*next));
      if (const auto its_class = class_of(a); its_class && said_.contains(*its_class))
        add(chain.classes, a, *its_class);
    }
  }

  const Model& model_;
  const FspFamily& text_;
  int margin_;
  int size_;
  int reach_;
  Alphabet said_;
};

// Why the property cannot be read, if it cannot.
std::string refused(const Model& model, const FspFamily& text, const std::string& property) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < text.machines.size(); ++i)
    if (is_property(model, i) && model.properties[next++].name == property) return text.machines[i].why;
  return {};
}

}  // namespace

Sizes::Sizes(const Source& source, std::string parameter, std::vector<std::string> names,
             std::shared_ptr<ActionTable> actions, Budget& budget)
    : source_(source), parameter_(std::move(parameter)), names_(std::move(names)), budget_(budget) {
  source_.actions = std::move(actions);
  if (!source_.read) source_.read = std::make_shared<FileLog>();
  source_.cells.reset();  // the text is read as it is written
  for (const auto& file : source_.files)
    if (auto text = text_of(source_, file)) source_.texts[file] = std::move(*text);  // once for all sizes
}

Outcome<Model> Sizes::at(int size) const {
  Source source = source_;
  source.defines.push_back({parameter_, size});
  auto model = load(source, budget_);
  if (!model) return model;
  if (auto added = add_outside_properties(*model, names_, &budget_); !added)
    return tl::unexpected(std::move(added.error()));
  return model;
}

std::string Sizes::chain(const std::string& property, int from, int& margin, Chain& chain) const {
  margin = 1;
  for (int size = from;;) {
    auto model = at(size);
    if (!model) return fmt::format("with {} = {} the file cannot be read", parameter_, size);
    const auto outside = outside_properties(*model);
    const FspFamily text = family_of(*model->fsp, model->network.name, parameter_, outside);
    if (!text.why.empty()) return text.why;
    check(text.machines.size() == model->composite->machines.size() + outside.size(),
          "the text has other machines than the composite");
    // Before anything large is made.
    if (auto wrong = refused(*model, text, property); !wrong.empty()) return wrong;
    if (text.margin() > kMostMargin)
      return fmt::format("cells near the ends are told apart up to a distance of {}, which is too far", text.margin());
    if (size == 2 * margin + 3 && text.margin() <= margin)
      return ChainBuilder(*model, text, margin).build(property, chain);
    margin = std::max(margin, text.margin());
    size = 2 * margin + 3;
  }
}

std::optional<Instance> Sizes::instance(int size, const std::string& property) const {
  auto model = at(size);
  if (!model) return std::nullopt;
  for (const Property& p : model->properties)
    if (p.name == property) return Instance{size, safety_network(*model), p};
  return std::nullopt;
}

}  // namespace surety::api
