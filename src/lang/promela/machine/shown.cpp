#include "lang/promela/machine/shown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "lang/promela/machine/message.hpp"

namespace surety::promela {
namespace {

// level.2.x as it is written in Promela: level[2].x
std::string written(const std::string& name) {
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    if (name[i] == '.' && i + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[i + 1])) != 0) {
      out += '[';
      for (++i; i < name.size() && name[i] != '.'; ++i) out += name[i];
      out += ']';
    } else {
      out += name[i++];
    }
  }
  return out;
}

std::string shown(std::int32_t value, std::int32_t mtype, const Program& program) {
  if (mtype >= 0) {
    const MtypeSet& set = program.mtype_sets[static_cast<std::size_t>(mtype)];
    const auto found = std::ranges::find(set.values, value);
    if (found != set.values.end()) return set.names[static_cast<std::size_t>(found - set.values.begin())];
  }
  return std::to_string(value);
}

// "[3, 4]"; fields of a message with commas: "[(1,red), (2,red)]"
std::string contents(const Memory& memory, std::int32_t channel, const Program& program) {
  const ChannelKind& kind = memory.kind(channel);
  std::vector<std::string> messages;
  Message message;
  for (std::uint32_t slot = 0; slot < memory.made_channel(channel)[kLength]; ++slot) {
    read_message(memory, channel, slot, message);
    std::vector<std::string> fields;
    for (std::size_t f = 0; f < message.size(); ++f) fields.push_back(shown(message[f], kind.mtypes[f], program));
    const std::string all = fmt::format("{}", fmt::join(fields, ","));
    messages.push_back(fields.size() == 1 ? all : "(" + all + ")");
  }
  return fmt::format("[{}]", fmt::join(messages, ", "));
}

}  // namespace

std::vector<PromelaStand::At> statements_at(const Memory& memory, std::uint32_t process) {
  std::vector<PromelaStand::At> out;
  const CompiledProcess& compiled = memory.compiled(process);
  const std::uint32_t here = memory.place(process);
  const auto add = [&](std::uint32_t place) {
    for (const Operation& op : compiled.places[place]) {
      if (op.kind == Operation::Kind::finish) continue;
      const ShownStatement& s = memory.code.statements[op.statement];
      out.push_back({s.line, s.text});
    }
  };
  add(here);
  for (const std::uint32_t escape : compiled.escapes[here]) add(escape);
  return out;
}

std::vector<PromelaValue> values_of(const Memory& memory, const Program& program,
                                    const std::vector<std::string>& names) {
  std::vector<PromelaValue> out;
  const auto add = [&](const VariableLeaf& leaf, const std::uint8_t* base, const std::string& prefix) {
    if (!leaf.channel)
      out.push_back({prefix + written(leaf.name), shown(load(base + leaf.offset, leaf.encoding), leaf.mtype, program)});
  };
  for (const VariableLeaf& leaf : memory.code.globals) add(leaf, memory.now, "");
  for (std::uint32_t p = 0; p < memory.processes(); ++p)
    for (const VariableLeaf& leaf : memory.compiled(p).locals) add(leaf, memory.frame(p), names[p] + ".");
  for (std::uint32_t c = 1; c <= memory.channels(); ++c)
    if (const auto id = static_cast<std::int32_t>(c); !memory.kind(id).rendezvous())
      out.push_back({written(memory.kind(id).name), contents(memory, id, program)});
  return out;
}

std::string mtype_name(const Program& program, const Expression& expression, std::int32_t value) {
  std::int32_t set = -1;
  if (expression.op == Expression::Op::number) set = expression.mtype;
  if (expression.op == Expression::Op::variable && expression.reference.type.base == Type::Base::mtype)
    set = static_cast<std::int32_t>(expression.reference.type.index);
  if (set < 0) return {};
  std::string name = shown(value, set, program);
  return name == std::to_string(value) ? "" : name;
}

std::string formatted(const std::string& text, const std::vector<std::int32_t>& values,
                      const std::vector<std::string>& mtypes) {
  std::string out;
  std::size_t next = 0;
  const auto inner = text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const char c = inner[i];
    if (i + 1 == inner.size() || (c != '\\' && c != '%')) {
      out += c;
      continue;
    }
    const char kind = inner[++i];
    if (c == '\\') {
      out += kind == 'n' ? '\n' : kind == 't' ? '\t' : kind;
    } else if (kind == '%' || next >= values.size()) {
      out += kind == '%' ? "%" : fmt::format("%{}", kind);
    } else {
      const std::int32_t value = values[next];
      const std::string& name = mtypes[next++];
      switch (kind) {
        case 'c': out += static_cast<char>(value); break;
        case 'e': out += name.empty() ? std::to_string(value) : name; break;
        case 'o': out += fmt::format("{:o}", static_cast<std::uint32_t>(value)); break;
        case 'u': out += std::to_string(static_cast<std::uint32_t>(value)); break;
        case 'x': out += fmt::format("{:x}", static_cast<std::uint32_t>(value)); break;
        default: out += std::to_string(value);
      }
    }
  }
  return out;
}

}  // namespace surety::promela
