#include "lang/ada/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "lang/ada/known_units.hpp"
#include "lang/ada/no_main.hpp"
#include "lang/ada/parser.hpp"
#include "lang/ada/unit_texts.hpp"

namespace surety::ada {
namespace {

constexpr std::size_t kMostText = 20'000'000;

bool is_body(const Unit& u) {
  using Kind = Declaration::Kind;
  const Kind kind = u.declaration.kind;
  return kind == Kind::package_body || kind == Kind::task_body || kind == Kind::protected_body ||
         (kind == Kind::subprogram && u.declaration.body.has_value());
}

bool is_main(const Unit& u) {
  return u.declaration.kind == Declaration::Kind::subprogram && u.declaration.body && u.declaration.profile &&
         !u.declaration.profile->function && u.declaration.profile->parameters.empty() && u.separate_from.empty();
}

// Names of the bodies that are in files of their own.
std::vector<std::string> stubs(const Unit& u) {
  std::vector<std::string> out;
  if (u.declaration.body)
    for (const Declaration& d : u.declaration.body->declarations)
      if (d.kind == Declaration::Kind::stub) out.push_back(d.name);
  return out;
}

class Reader {
 public:
  Reader(Library& library, const FileReader& read, Report& report, Source& source)
      : library_(library), read_(read), report_(report), source_(source) {}

  // False: there is no such file.
  bool file(const std::string& name) {
    if (!seen_.insert(std::filesystem::path(name).lexically_normal().string()).second) return true;
    const auto text = read_(name);
    if (text) add(name, *text);
    return text.has_value();
  }

  void add(const std::string& name, std::string_view text) {
    std::size_t begin = 0;
    if (first_) {
      source_ = Source(name, text);
      first_ = false;
    } else {
      begin = source_.append(name, text);
    }
    const bool binary = text.find('\0') != std::string::npos;
    if (binary || source_.text.size() > kMostText)
      return report_.error({begin, 1}, binary ? "not a text file" : "too much text");
    for (Unit& unit : parse(source_, begin, text.size(), report_)) {
      folders_.push_back(std::filesystem::path(name).parent_path().string());
      library_.units.push_back(std::make_unique<Unit>(std::move(unit)));
    }
  }

  // Units that are named and have not been read; what they name comes after them in the list.
  void complete() {
    for (std::size_t i = 0; i < library_.units.size(); ++i) {
      const Unit& unit = *library_.units[i];
      const std::string folder = folders_[i];
      for (const With& w : std::vector<With>(unit.withs)) need(w, folder);
      if (const auto dot = unit.name.rfind('.'); dot != std::string::npos && unit.separate_from.empty())
        need({unit.name.substr(0, dot), unit.declaration.place, false}, folder);
      for (const std::string& stub : stubs(*library_.units[i]))
        if (library_.subunit(library_.units[i]->name, stub) == nullptr)
          file(path(folder, library_.units[i]->name + "." + stub, ".adb"));
      // The body of a package, beside its specification.
      if (!is_body(*library_.units[i]) && library_.body(library_.units[i]->name) == nullptr)
        file(path(folder, library_.units[i]->name, ".adb"));
    }
  }

 private:
  static std::string path(const std::string& folder, std::string unit, const char* ending) {
    std::ranges::replace(unit, '.', '-');
    return (std::filesystem::path(folder) / (unit + ending)).string();
  }

  void need(const With& w, const std::string& folder) {
    if (library_.specification(w.unit) != nullptr || library_.body(w.unit) != nullptr) return;
    const bool read_one = file(path(folder, w.unit, ".ads")) || file(path(folder, w.unit, ".adb"));
    if (read_one && (library_.specification(w.unit) != nullptr || library_.body(w.unit) != nullptr)) return;
    if (const auto text = text_of_unit(w.unit)) return add(w.unit, *text);
    if (is_refused_unit(w.unit)) return report_.error(w.place, fmt::format("the unit {} is not supported", w.unit));
    if (is_known_unit(w.unit)) return;
    std::string file_name = w.unit;
    std::ranges::replace(file_name, '.', '-');
    report_.error(w.place, fmt::format("there is no unit {}", w.unit),
                  fmt::format("neither {0}.ads nor {0}.adb is in {1}", file_name, folder.empty() ? "." : folder));
  }

  Library& library_;
  const FileReader& read_;
  Report& report_;
  Source& source_;
  std::set<std::string> seen_;
  std::vector<std::string> folders_;  // by unit
  bool first_ = true;
};

std::string lower(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

void find_main(Library& library, const std::string& system, Report& report) {
  std::vector<const Unit*> candidates;
  for (const auto& unit : library.units) {
    if (!is_main(*unit)) continue;
    const auto names_it = [&](const auto& other) {
      return std::ranges::any_of(other->withs, [&](const With& w) { return w.unit == unit->name; });
    };
    if (!system.empty() ? unit->name == lower(system) : std::ranges::none_of(library.units, names_it))
      candidates.push_back(unit.get());
  }
  if (candidates.size() == 1) {
    library.main = candidates[0];
    return;
  }
  if (report.failed()) return;
  if (candidates.empty()) {
    const std::string message = system.empty() ? kNoMain : fmt::format("there is no main procedure {}", system);
    return report.error({0, 1}, message);
  }
  const Unit& first = *candidates[0];
  report.error(candidates[1]->declaration.place,
               fmt::format("{} and {} could both be the main procedure", first.name, candidates[1]->name),
               fmt::format("--system {}", first.name));
}

}  // namespace

const Unit* Library::specification(const std::string& name) const {
  for (const auto& unit : units)
    if (unit->name == name && unit->separate_from.empty() && !is_body(*unit)) return unit.get();
  for (const auto& unit : units)
    if (unit->name == name && unit->separate_from.empty() && unit->declaration.kind == Declaration::Kind::subprogram)
      return unit.get();
  return nullptr;
}

const Unit* Library::body(const std::string& name) const {
  for (const auto& unit : units)
    if (unit->name == name && unit->separate_from.empty() && is_body(*unit)) return unit.get();
  return nullptr;
}

const Unit* Library::subunit(const std::string& parent, const std::string& name) const {
  for (const auto& unit : units)
    if (unit->separate_from == parent && unit->declaration.name == name) return unit.get();
  return nullptr;
}

Library read_library(const std::vector<std::string>& files, const FileReader& read, const std::string& system,
                     Report& report, Source& source) {
  Library out;
  Reader reader(out, read, report, source);
  for (const std::string& file : files) reader.file(file);
  reader.complete();
  find_main(out, system, report);
  return out;
}

}  // namespace surety::ada
