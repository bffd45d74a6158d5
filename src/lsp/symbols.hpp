// What a text defines: for the outline, and for what an editor says about a name.
//
// A name means something in a part of the text only, its scope. Where several definitions of it reach, the innermost
// one is meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/places.hpp"

namespace surety::lsp {

struct Symbol {
  enum class Kind {
    constant,
    range,
    set,
    process,
    composite,
    property,
    assertion,
    fluent,
    progress,
    menu,
    variable,
    local_process,
    type,
    element,  // of an enumeration
    subprogram,
    package,
    object,  // protected
    entry,
    exception,
    label,
  };
  std::string name;
  Kind kind = Kind::process;
  std::string about;  // for a person: "const N = 3"
  api::TextPlace place;
  // In the text of the document; nothing: all of it.
  struct Scope {
    std::size_t begin = 0, end = 0;
    bool has(std::size_t at) const { return begin <= at && at <= end; }
  };
  std::optional<Scope> scope = {};
  std::optional<std::size_t> inside = {};  // the symbol, by its number, in whose definition it stands
  bool outlined = true;                    // it is one of those that an outline shows
};
using Symbols = std::vector<Symbol>;

Symbols symbols_of(const FspFile& file);
Symbols symbols_of(const PromelaFile& file);
// Of the text alone: what it has of errors besides those of the grammar is no matter.
Symbols ada_symbols(std::string_view text, const std::string& file, Budget& budget);

// The one that is meant there. `any_case`: as Ada compares names.
const Symbol* meant(const Symbols& symbols, std::string_view name, std::size_t at, bool any_case);
bool is_same_word(std::string_view a, std::string_view b, bool any_case);

}  // namespace surety::lsp
