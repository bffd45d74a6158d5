// The parser against the real compiler: its own library is read, and damaged texts are accepted and rejected alike.
//
// The compiler is asked for the syntax only (-gnats). It looks at some things later than we do, and at others earlier;
// each such kind of difference is in a table with its reason, and all other differences are failures. SURETY_MUTATIONS
// says how many texts, SURETY_SEED where to begin; SURETY_KEEP names a folder for those that differ.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "ada_help.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/random.hpp"
#include "base/temp_folder.hpp"
#include "lang/ada/lexer.hpp"
#include "paths.hpp"

namespace surety::ada {
namespace {

namespace fs = std::filesystem;

std::string answer_of(const std::vector<std::string>& words) {
  const auto program = find_program(words[0]);
  if (!program) return {};
  Command command{words};
  command.words[0] = *program;
  Budget budget;
  auto out = run(command, budget).output;
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

// The compiler proper: gcc would start it for each text, which takes four times as long. Nothing: there is none.
std::optional<std::string> compiler() {
  const std::string path = answer_of({"gcc", "-print-prog-name=gnat1"});
  return fs::path(path).is_absolute() ? std::optional(path) : std::nullopt;
}

std::vector<fs::path> library() {
  std::vector<fs::path> out;
  const fs::path folder = answer_of({"gcc", "-print-file-name=adainclude"});
  if (!folder.is_absolute() || !fs::exists(folder)) return out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".ads" || entry.path().extension() == ".adb") out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

TEST(AdaGnat, ItsLibraryIsRead) {
  const auto files = library();
  if (files.empty()) GTEST_SKIP() << "gnat is not installed";
  EXPECT_GT(files.size(), 1000U);
  std::size_t large = 0;
  for (const auto& file : files) {
    Parsed parsed(*read_file(file.string()));
    for (const auto& e : parsed.report.errors()) {
      // Constants of 64 bits without a sign: hash functions, big numbers, initial values.
      if (e.message == "this number is too large")
        ++large;
      else
        ADD_FAILURE() << file.filename() << ":" << e.line << " " << e.message;
    }
    EXPECT_TRUE(!parsed.units.empty() || parsed.source.text.find("No_Body") != std::string::npos ||
                parsed.report.failed())
        << file;
  }
  EXPECT_LT(large, 100U);
}

struct Difference {
  const char* message;  // a part of it: of the compiler, or ours with its hint
  const char* why;
};

constexpr Difference kOnlyWeAccept[] = {
    {"unrecognized attribute", "attributes are looked up later"},
    {"\"'\" should be", "attributes are looked up later"},
    {"not permitted for attributes", "attributes are looked up later"},
    {"may not be used in a subtype mark", "attributes are looked up later"},
    {"requires an aspect definition", "aspects are looked up later"},
};

constexpr Difference kOnlyTheyAccept[] = {
    {"this number is too large", "numbers have 64 bits with us"},
    {"is a reserved word", "it takes a reserved word for a name where it can guess, above all in pragmas"},
    {"after a named one all have names", "it looks at the order of the parameters of an instance later"},
    {"a program consists of library units", "with clauses or pragmas alone are enough for it"},
    {"expected 'tagged' after 'abstract'", "it looks for that later"},
    {"expected 'access', found", "it does not miss 'access' after 'not null'"},
    {"expected an expression, found 'for'", "it reads [+ for ...] as an iterated component"},
    {"', found 'with'", "it takes aspects behind the 'end' of a unit"},
    {"after the instance, found ')'", "it skips what stands behind an aspect that it does not know"},
    {"expected an expression, found 'Range'", "it takes some reserved words for arguments of pragmas"},
    {"found 'renames'", "a renaming without a type is Ada 2022"},
};

// The text of each token with the blanks before it.
std::vector<std::string> pieces_of(const std::string& text) {
  const Source source("m.adb", text);
  Report report(source);
  std::vector<std::string> out;
  std::size_t end = 0;
  for (const auto& t : tokens(source.text, 0, text.size(), report)) {
    out.push_back(text.substr(end, t.place.offset - end) + std::string(t.text));
    end = t.place.offset + t.text.size();
  }
  return out;
}

std::string apart(const std::string& piece) { return " " + piece + " "; }

std::string mutated(std::vector<std::string> pieces, Random& random) {
  const auto size = static_cast<std::uint32_t>(pieces.size());
  const auto at = random.below(size), other = random.below(size);
  const auto length = std::min(size - at, 1 + random.below(7));
  switch (random.below(6)) {
    case 0: pieces[at] = " "; break;
    case 1: pieces[at] += apart(pieces[at]); break;
    case 2: std::swap(pieces[at], pieces[std::min(at + 1, size - 1)]); break;
    case 3: pieces[at] = apart(pieces[other]); break;
    case 4: pieces[at] += apart(pieces[other]); break;
    default: pieces.erase(pieces.begin() + at, pieces.begin() + at + length);
  }
  std::string out;
  for (const auto& p : pieces) out += p;
  return out;
}

// The texts to damage: ours, with every construct in them, and small ones of the library.
std::vector<std::vector<std::string>> originals() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(SURETY_SOURCE_DIR) / "tests/fuzz/seeds/ada"))
    if (entry.path().filename() != "old.adb") files.push_back(entry.path());  // Ada 95
  std::ranges::sort(files);
  std::vector<std::vector<std::string>> out;
  for (const auto& f : files) out.push_back(pieces_of(*read_file(f.string())));
  const std::size_t ours = out.size();
  for (const auto& f : library())
    if (fs::file_size(f) < 12'000) out.push_back(pieces_of(*read_file(f.string())));
  const std::size_t theirs = out.size() - ours;
  for (std::size_t i = 0; i + ours < theirs; ++i) out.push_back(out[i % ours]);  // half and half
  return out;
}

// Of the compiler: nothing, or the first message with the line that it is about.
std::string their_message(const std::string& program, const TempFolder& folder, const std::string& text) {
  const std::string file = folder.file("m.adb");
  if (!write_file(file, text)) return "not written";
  Budget budget;
  const Ran ran = run({{program, "-quiet", "-gnats", "-gnat2022", "m.adb"}, folder.path()}, budget);
  if (ran.fine()) return {};
  const auto at = ran.output.find("error:");
  if (at == std::string::npos) return "stopped: " + ran.output;
  const auto begin = ran.output.rfind('\n', at) + 1;
  return ran.output.substr(begin, ran.output.find('\n', at) - begin);
}

std::string line_of(const std::string& text, const std::string& message) {
  const auto number = std::strtoul(message.substr(message.find(':') + 1).c_str(), nullptr, 10);
  std::size_t at = 0;
  for (std::size_t i = 1; i < number && at != std::string::npos; ++i) at = text.find('\n', at) + 1;
  return text.substr(at, text.find('\n', at) - at);
}

// Words that are names to us and reserved to them.
bool has_newer_word(const std::string& line) {
  const std::string lower = lower_case(line);
  return std::ranges::any_of(std::array{"interface", "overriding", "some", "synchronized"},
                             [&](const char* word) { return lower.find(word) != std::string::npos; });
}

template <class Table>
bool is_known(const Table& table, const std::string& message) {
  return std::ranges::any_of(table, [&](const Difference& d) { return message.find(d.message) != std::string::npos; });
}

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(AdaGnat, MutationsAreAcceptedAndRejectedAlike) {
  const auto program = compiler();
  if (!program) GTEST_SKIP() << "gnat is not installed";
  const auto folder = TempFolder::make();
  ASSERT_TRUE(folder.has_value());
  const auto texts = originals();
  const std::uint64_t count = number_from("SURETY_MUTATIONS", 600), seed = number_from("SURETY_SEED", 1);
  std::uint64_t accepted = 0, known = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(seed * 1'000'003 + i);
    const std::string text = mutated(texts[random.below(static_cast<std::uint32_t>(texts.size()))], random);
    const std::string ours = errors_of(text), theirs = their_message(*program, *folder, text);
    accepted += theirs.empty();
    if (ours.empty() == theirs.empty()) continue;
    if (ours.empty() ? is_known(kOnlyWeAccept, theirs) || has_newer_word(line_of(text, theirs))
                     : is_known(kOnlyTheyAccept, ours)) {
      ++known;
      continue;
    }
    if (const char* keep = std::getenv("SURETY_KEEP"))
      (void)write_file(fmt::format("{}/ada_{}_{}.adb", keep, seed, i), text);
    ADD_FAILURE() << "mutation " << i << "\nours: " << ours << "theirs: " << theirs << "\n"
                  << line_of(text, theirs.empty() ? ":" + ours : theirs);
  }
  // A test that only ever sees broken texts tests little, and so does one whose exceptions are the rule.
  EXPECT_GT(accepted, count / 40);
  EXPECT_LT(known, count / 50 + 5);
  RecordProperty("accepted", static_cast<int>(accepted));
  RecordProperty("known_differences", static_cast<int>(known));
}

}  // namespace
}  // namespace surety::ada
