#include "lsp/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lang/fsp/elaborator.hpp"
#include "lang/promela/printer.hpp"

namespace surety::lsp {
namespace {

using Kind = Symbol::Kind;

api::TextPlace in_file(const text::Source& source, text::Place place) {
  Diagnostic d = source.error(place, {});
  return {std::move(d.file), d.line, d.column, d.length};
}

std::string shown(const fsp::Value& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

// Where the definition that begins there ends: before the next one of these.
std::size_t end_of(std::size_t begin, const std::vector<std::size_t>& begins, std::size_t size) {
  const auto next = std::ranges::upper_bound(begins, begin);
  return next == begins.end() ? size : *next - 1;
}

class FspSymbols {
 public:
  explicit FspSymbols(const FspFile& file) : source_(file.elaborator().source()), tree_(file.elaborator().tree()) {
    for (const auto& p : tree_.processes) begins_.push_back(p.place.offset);
    for (const auto& c : tree_.composites) begins_.push_back(c.place.offset);
    for (const auto& a : tree_.assertions) begins_.push_back(a.place.offset);
    std::ranges::sort(begins_);
  }

  Symbols list() && {
    for (const auto& [name, c] : tree_.constants)
      add(name, Kind::constant, fmt::format("const {} = {}", name, shown(c.value)), c.place);
    for (const auto& [name, r] : tree_.ranges)
      add(name, Kind::range, fmt::format("range {} = {}..{}", name, r.value.low, r.value.high), r.place);
    for (const auto& [name, s] : tree_.sets)
      add(name, Kind::set, fmt::format("set {}, {} labels", name, s.value->size()), s.place);
    for (const auto& p : tree_.processes) add_process(p);
    for (const auto& c : tree_.composites) {
      add(c.name, Kind::composite, fmt::format("composite {}", c.name), c.place);
      add_parameters(c.parameters, c.place);
    }
    for (const auto& a : tree_.assertions) {
      add(a.name, Kind::assertion, fmt::format("assert {}", a.name), a.place);
      add_parameters(a.parameters, a.place);
    }
    for (const auto& f : tree_.fluents) add(f.name, Kind::fluent, fmt::format("fluent {}", f.name), f.place);
    for (const auto& p : tree_.progress) add(p.name, Kind::progress, fmt::format("progress {}", p.name), p.place);
    for (const auto& m : tree_.menus) add(m.name, Kind::menu, fmt::format("menu {}", m.name), m.place);
    return std::move(out_);
  }

 private:
  Symbol& add(std::string_view name, Kind kind, std::string about, fsp::Place place) {
    return out_.emplace_back(Symbol{std::string(name), kind, std::move(about), in_file(source_, place)});
  }

  Symbol::Scope scope(fsp::Place place) const {
    return {place.offset, end_of(place.offset, begins_, source_.text.size())};
  }

  void add_process(const fsp::ProcessDefinition& p) {
    add(p.name, p.property ? Kind::property : Kind::process,
        fmt::format("{} {}", p.property ? "property" : "process", p.name), p.place);
    const std::size_t process = out_.size() - 1;
    for (std::size_t i = 1; i < p.locals.size(); ++i) {
      Symbol& local = add(p.locals[i].name, Kind::local_process,
                          fmt::format("{}, a local process of {}", p.locals[i].name, p.name), p.locals[i].place);
      local.scope = scope(p.place);
      local.inside = process;
    }
    add_parameters(p.parameters, p.place);
  }

  void add_parameters(const std::vector<fsp::Parameter>& parameters, fsp::Place place) {
    const std::size_t owner = out_.size() - 1;
    for (const fsp::Parameter& parameter : parameters) {
      const auto& value = parameter.value;
      const bool number = value.op == fsp::Expression::Op::number;
      Symbol& added =
          add(parameter.name, Kind::variable,
              fmt::format("parameter {}{}", parameter.name, number ? fmt::format(" = {}", value.value) : ""),
              parameter.place);
      added.scope = scope(place);
      added.inside = owner;
      added.outlined = false;
    }
  }

  const fsp::Source& source_;
  const fsp::Tree& tree_;
  std::vector<std::size_t> begins_;
  Symbols out_;
};

class PromelaSymbols {
 public:
  explicit PromelaSymbols(const PromelaFile& file) : source_(*file.source), program_(*file.program) {
    const std::string& text = source_.files[0].text;
    lines_.push_back(0);
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
      lines_.push_back(at + 1);
    for (const auto& p : program_.processes) add_begin(p.place);
    for (const auto& f : program_.formulas) add_begin(f.place);
    std::ranges::sort(begins_);
  }

  Symbols list() && {
    for (const auto& t : program_.types) add(t.name, Kind::type, fmt::format("typedef {}", t.name), t.place);
    for (const auto& v : program_.globals) add(v.name, Kind::variable, promela::print(program_, v), v.place);
    for (const auto& p : program_.processes) add_process(p);
    for (const auto& f : program_.formulas) add(f.name, Kind::assertion, fmt::format("ltl {}", f.name), f.place);
    return std::move(out_);
  }

 private:
  Symbol& add(const std::string& name, Kind kind, std::string about, promela::Place place) {
    return out_.emplace_back(Symbol{name, kind, std::move(about), in_file(source_, place)});
  }

  // In the text of the user: what cpp leaves has other offsets, but lines know where they come from.
  std::optional<std::size_t> own(promela::Place place) const {
    if (!source_.by_cpp) return place.offset;
    const auto& line = source_.line_of(place);
    if (line.file != 0 || line.line == 0 || line.line > lines_.size()) return std::nullopt;
    return lines_[line.line - 1];
  }

  void add_begin(promela::Place place) {
    if (const auto at = own(place)) begins_.push_back(*at);
  }

  void add_process(const promela::Process& p) {
    add(p.name, Kind::process, fmt::format("process {}", p.name), p.place);
    inside_ = out_.size() - 1;
    const auto begin = own(p.place);
    scope_.reset();
    if (begin) scope_ = Symbol::Scope{*begin, end_of(*begin, begins_, source_.files[0].text.size())};
    for (const auto& v : p.variables) inner(add(v.name, Kind::variable, promela::print(program_, v), v.place));
    add_labels(p.body);
  }

  void inner(Symbol& symbol) const {
    symbol.inside = inside_;
    symbol.outlined = false;
    symbol.scope = scope_;
  }

  void add_labels(const promela::Sequence& sequence) {
    for (const promela::Statement& s : sequence) {
      for (const promela::Label& label : s.labels)
        inner(add(label.name, Kind::label, fmt::format("label {}", label.name), label.place));
      add_labels(s.body);
      for (const auto& branch : s.branches) add_labels(branch);
    }
  }

  const promela::Source& source_;
  const promela::Program& program_;
  std::vector<std::size_t> lines_;   // where those of the user's text begin
  std::vector<std::size_t> begins_;  // of processes and formulas in it
  std::size_t inside_ = 0;           // the process
  std::optional<Symbol::Scope> scope_;
  Symbols out_;
};

}  // namespace

Symbols symbols_of(const FspFile& file) { return FspSymbols(file).list(); }
Symbols symbols_of(const PromelaFile& file) { return PromelaSymbols(file).list(); }

bool is_same_word(std::string_view a, std::string_view b, bool any_case) {
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  return any_case ? std::ranges::equal(a, b, {}, lower, lower) : a == b;
}

const Symbol* meant(const Symbols& symbols, std::string_view name, std::size_t at, bool any_case) {
  const Symbol *best = nullptr, *elsewhere = nullptr;
  // Scopes lie inside of each other, so that the one that ends first is the innermost. Of those that end together the
  // first one: a body has the name of its declaration.
  const auto end = [](const Symbol& s) { return s.scope ? s.scope->end : SIZE_MAX; };
  for (const Symbol& symbol : symbols) {
    if (!is_same_word(symbol.name, name, any_case)) continue;
    if (symbol.scope && !symbol.scope->has(at)) {
      if (elsewhere == nullptr) elsewhere = &symbol;  // by a selected name, perhaps
    } else if (best == nullptr || end(symbol) < end(*best)) {
      best = &symbol;
    }
  }
  return best != nullptr ? best : elsewhere;
}

}  // namespace surety::lsp
