#include "lang/fsp/front/label.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace surety::fsp {
namespace {

using Visit = std::function<void(const std::string&)>;

// Builds labels part by part, backtracking over one growing string.
class Expansion {
 public:
  Expansion(Scope& scope, Evaluator& evaluator, const Visit& visit)
      : scope_(scope), outside_(scope.size()), evaluator_(evaluator), visit_(visit) {}

  void label(const Label& label) { parts(label, 0); }
  void indices(const std::vector<Index>& list) { from_index(list, 0); }

 private:
  void parts(const Label& label, std::size_t i);
  template <class Next>
  void set(const LabelPart& part, const Next& next);
  void from_index(const std::vector<Index>& list, std::size_t i);
  template <class Next>
  void index(const Index& index, const Next& next);
  template <class Next>
  void interval(const Index& index, const Next& next);
  template <class Next>
  void bound(const Index& index, Value value, const Next& next);
  template <class Next>
  void with(std::string_view piece, const Next& next);

  Scope& scope_;
  std::size_t outside_;  // so many variables were bound before; one that this label binds may be bound again in it
  Evaluator& evaluator_;
  const Visit& visit_;
  std::string text_;
};

template <class Next>
void Expansion::with(std::string_view piece, const Next& next) {
  if (evaluator_.failed()) return;
  const auto length = text_.size();
  if (length > 0) text_ += '.';
  text_ += piece;
  next();
  text_.resize(length);
}

void Expansion::parts(const Label& label, std::size_t i) {
  if (i == label.parts.size()) {
    if (evaluator_.count_label(label.place)) visit_(text_);
    return;
  }
  const LabelPart& part = label.parts[i];
  const auto rest = [&] { parts(label, i + 1); };
  switch (part.part) {
    case LabelPart::Part::name: return with(part.name, rest);
    case LabelPart::Part::index: return index(*part.index, rest);
    case LabelPart::Part::constant:
    case LabelPart::Part::set: return set(part, rest);
  }
}

// A set inside a label has no variables that reach beyond it.
template <class Next>
void Expansion::set(const LabelPart& part, const Next& next) {
  const auto removed = [&](const Label* without) {
    std::unordered_set<std::string> out;
    if (without != nullptr)
      for (auto& label : all_labels(*without, scope_, evaluator_)) out.insert(std::move(label));
    return out;
  };
  const auto from_all = removed(part.without.get());
  const auto add = [&](const std::vector<std::string>& pieces, const std::unordered_set<std::string>& from_item) {
    for (const auto& piece : pieces)
      if (!from_all.contains(piece) && !from_item.contains(piece)) with(piece, next);
  };
  if (part.constant) return add(*part.constant, {});
  for (const SetItem& item : part.items)
    add(all_labels(item.label, scope_, evaluator_), removed(item.without ? &*item.without : nullptr));
}

void Expansion::from_index(const std::vector<Index>& list, std::size_t i) {
  if (i < list.size()) return index(list[i], [&] { from_index(list, i + 1); });
  if (evaluator_.count_label(list.empty() ? Place{} : list[0].place)) visit_(text_.empty() ? text_ : "." + text_);
}

template <class Next>
void Expansion::index(const Index& index, const Next& next) {
  if (!index.variable.empty() && scope_.has_among(outside_, index.variable))
    return evaluator_.error(index.place, fmt::format("the variable '{}' is already in use here", index.variable),
                            "choose another name");
  switch (index.range) {
    case Index::Range::value: {
      const Value value = evaluator_.evaluate(index.low, scope_);
      return with(text_of(value), next);
    }
    case Index::Range::interval: return interval(index, next);
    case Index::Range::labels:
      for (const auto& piece : distinct_labels(*index.labels, scope_, evaluator_))
        bound(index, value_of_label(piece), next);
  }
}

template <class Next>
void Expansion::interval(const Index& index, const Next& next) {
  const std::int64_t low = evaluator_.number(index.low, scope_);
  const std::int64_t high = evaluator_.number(index.high, scope_);
  if (evaluator_.failed()) return;
  if (low > high)
    return evaluator_.error(index.low.place, fmt::format("the range {}..{} is empty", low, high),
                            "the lower bound comes first");
  if (static_cast<std::uint64_t>(high - low) >= evaluator_.effort().most_labels)
    return evaluator_.error(index.low.place, fmt::format("the range {}..{} is too large", low, high),
                            "use a smaller one");
  for (std::int64_t i = low; i <= high && !evaluator_.failed(); ++i) bound(index, static_cast<std::int32_t>(i), next);
}

template <class Next>
void Expansion::bound(const Index& index, Value value, const Next& next) {
  const std::string text = text_of(value);
  if (index.variable.empty()) return with(text, next);
  scope_.bind(index.variable, std::move(value));
  with(text, next);
  scope_.unbind();
}

}  // namespace

namespace {

// The size of a range whose bounds are known already; 1 for anything else.
std::uint64_t size_of(const Index& index, const Scope& scope, Evaluator& evaluator) {
  if (index.range != Index::Range::interval) return 1;
  const Source nowhere;
  Report unheard(nowhere);
  Evaluator quiet(evaluator.tree(), unheard, evaluator.effort());
  const std::int64_t low = quiet.number(index.low, scope), high = quiet.number(index.high, scope);
  return quiet.failed() || low > high ? 1 : static_cast<std::uint64_t>(high - low) + 1;
}

// a * b, or a very large number.
std::uint64_t times(std::uint64_t a, std::uint64_t b) { return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b; }

std::uint64_t count_labels(const Label& label, const Scope& scope, Evaluator& evaluator) {
  std::uint64_t count = 1;
  for (const LabelPart& part : label.parts) {
    if (part.part == LabelPart::Part::constant) count = times(count, part.constant->size());
    if (part.part == LabelPart::Part::index) count = times(count, size_of(*part.index, scope, evaluator));
  }
  return count;
}

// Only a product of ranges is worth a look ahead.
bool has_many_ranges(const Label& label) {
  return std::ranges::count_if(label.parts, [](const LabelPart& part) {
           return part.part == LabelPart::Part::constant ||
                  (part.part == LabelPart::Part::index && part.index->range == Index::Range::interval);
         }) > 1;
}

}  // namespace

std::uint64_t count_indices(const std::vector<Index>& indices, const Scope& scope, Evaluator& evaluator) {
  std::uint64_t count = 1;
  for (const Index& index : indices) count = times(count, size_of(index, scope, evaluator));
  return count;
}

void for_each_label(const Label& label, Scope& scope, Evaluator& evaluator, const Visit& visit) {
  if (has_many_ranges(label) && count_labels(label, scope, evaluator) > evaluator.effort().most_labels)
    return evaluator.error(label.place,
                           fmt::format("this stands for more than {} labels", evaluator.effort().most_labels),
                           "use smaller ranges");
  Expansion(scope, evaluator, visit).label(label);
}

void for_each_index(const std::vector<Index>& indices, Scope& scope, Evaluator& evaluator, const Visit& visit) {
  if (indices.size() > 1 && count_indices(indices, scope, evaluator) > evaluator.effort().most_labels)
    return evaluator.error(
        indices[0].place,
        fmt::format("these indices have more than {} values together", evaluator.effort().most_labels),
        "use smaller ranges");
  Expansion(scope, evaluator, visit).indices(indices);
}

std::vector<std::string> all_labels(const Label& label, const Scope& scope, Evaluator& evaluator) {
  std::vector<std::string> out;
  Scope inner = scope;
  for_each_label(label, inner, evaluator, [&](const std::string& text) {
    if (out.size() > evaluator.effort().most_labels / 10)
      evaluator.error(label.place, "this set has too many labels", "use smaller ranges");
    out.push_back(text);
  });
  return out;
}

std::vector<std::string> distinct_labels(const Label& label, const Scope& scope, Evaluator& evaluator) {
  auto labels = all_labels(label, scope, evaluator);
  std::unordered_set<std::string> seen;
  std::erase_if(labels, [&](const std::string& text) { return !seen.insert(text).second; });
  return labels;
}

std::string instance_name(std::string_view name, const std::vector<Value>& values) {
  std::string out(name);
  for (std::size_t i = 0; i < values.size(); ++i) out += (i == 0 ? "(" : ",") + text_of(values[i]);
  return values.empty() ? out : out + ")";
}

Scope bind_parameters(const std::vector<Parameter>& parameters, const std::vector<Value>& values, Place call,
                      std::string_view callee, Evaluator& evaluator) {
  Scope scope;
  if (!values.empty() && values.size() != parameters.size()) {
    evaluator.error(call,
                    fmt::format("'{}' has {} parameter{}, and {} {} given", callee, parameters.size(),
                                parameters.size() == 1 ? "" : "s", values.size(), values.size() == 1 ? "is" : "are"),
                    "give all of them, or none to use the defaults");
    return scope;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Value value = values.empty() ? evaluator.evaluate(parameters[i].value, Scope()) : values[i];
    scope.bind(parameters[i].name, std::move(value));
  }
  return scope;
}

}  // namespace surety::fsp
