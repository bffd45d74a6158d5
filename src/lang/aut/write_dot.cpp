// Draws an LTS for graphviz.
//
// The initial state has an arrow from nowhere, the error state and END are double
// circles, and a state that nothing leaves says STOP. Steps between the same two states share an arrow, with one label
// per line.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/json.hpp"
#include "lang/aut/labels.hpp"
#include "lang/aut/write.hpp"

namespace surety {
namespace {

// Inside the quotes of a graphviz label. There \ starts a placeholder (\N is the node's name), & an
// entity such as &lt;, and bytes that are no text stop some of its drivers.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : utf8(text)) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '&')
      out += "&amp;";
    else if (c == '\n')
      out += "\\n";
    else
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  return out;
}

// The steps of one state, those to the same target as one arrow.
void append_arrows(std::string& out, State from, std::span<const Step> all, const std::vector<std::string>& labels) {
  std::vector<Step> steps(all.begin(), all.end());
  std::sort(steps.begin(), steps.end(),
            [](const Step& a, const Step& b) { return std::tie(a.target, a.action) < std::tie(b.target, b.action); });
  for (auto it = steps.begin(); it != steps.end();) {
    const State target = it->target;
    fmt::format_to(std::back_inserter(out), "  {} -> {} [label=\"", from.value, target.value);
    out += labels[it->action.value];
    while (++it != steps.end() && it->target == target) out += "\\n" + labels[it->action.value];
    out += "\"];\n";
  }
}

}  // namespace

std::string to_dot(const Lts& lts, const ActionTable& actions, std::string_view name) {
  std::string out = fmt::format("digraph \"{}\" {{\n  rankdir=LR;\n  node [shape=circle];\n", escaped(name));
  if (lts.state_count() == 0) return out + "  empty [shape=plaintext, label=\"the empty language\"];\n}\n";
  out += "  entry [shape=point];\n  entry -> 0;\n";
  if (lts.error())
    out += fmt::format("  {} [label=\"ERROR\", shape=doublecircle, color=red, fontcolor=red];\n", lts.error()->value);
  if (lts.end()) out += fmt::format("  {} [label=\"END\", shape=doublecircle];\n", lts.end()->value);

  const auto labels = labels_by_action(lts, actions, escaped);
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    const auto steps = lts.steps(State{s});
    if (steps.empty() && lts.error() != State{s} && lts.end() != State{s})
      out += fmt::format("  {} [label=\"{}\\nSTOP\", style=bold];\n", s, s);
    append_arrows(out, State{s}, steps, labels);
  }
  return out + "}\n";
}

}  // namespace surety
