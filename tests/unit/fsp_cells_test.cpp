// Processes taken apart into cells: which, and that nothing else changes.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "api/commands.hpp"
#include "api/verify.hpp"
#include "base/random.hpp"
#include "fsp_help.hpp"
#include "model/equivalence.hpp"
#include "model/transform.hpp"
#include "paths.hpp"

namespace surety {
namespace {

FspLimits in_cells(bool join = false) {
  FspLimits limits;
  limits.cells = FspCells{0, join};
  return limits;
}

std::string machines_in_cells(std::string_view text, std::string_view name = "S") {
  return FspModel(text, {}, in_cells()).machines(name);
}

Lts composed(const std::vector<FspMachine>& machines) {
  FspComposite composite;
  composite.machines = machines;
  Budget budget;
  return *compose_fsp(composite, budget);
}

// The composite is the same, apart or whole, and each process is what its cells are together. The number of cells.
std::size_t expect_same(std::string_view text, std::string_view name, bool join = false) {
  ActionTable actions;
  const auto whole_file = read_fsp(text, "m.lts", actions);
  const auto cells_file = read_fsp(text, "m.lts", actions, {}, in_cells(join));
  if (!whole_file || !cells_file) ADD_FAILURE() << text;
  Budget budget;
  const auto whole = whole_file->composite(name, budget);
  const auto cells = cells_file->composite(name, budget);
  EXPECT_EQ(whole.has_value(), cells.has_value()) << text;
  if (!whole || !cells) return 0;
  const Lts one = *compose_fsp(*whole, budget), other = *compose_fsp(*cells, budget);
  EXPECT_EQ(one.alphabet(), other.alphabet()) << text;
  EXPECT_FALSE(difference(one, other, Equivalence::strong)) << text;
  std::size_t taken = 0, count = 0;
  for (const FspMachine& machine : whole->machines) {
    std::vector<FspMachine> own;
    while (taken < cells->machines.size() &&
           (cells->machines[taken].name == machine.name || cells->machines[taken].name.starts_with(machine.name + ".")))
      own.push_back(cells->machines[taken++]);
    EXPECT_FALSE(own.empty()) << machine.name << "\n" << text;
    if (own.size() < 2) continue;
    count += own.size();
    const Lts together = composed(own);
    EXPECT_EQ(together.alphabet(), machine.lts.alphabet()) << machine.name << "\n" << text;
    EXPECT_FALSE(difference(machine.lts, together, Equivalence::strong)) << machine.name << "\n" << text;
  }
  EXPECT_EQ(taken, cells->machines.size()) << text;
  return count;
}

// ---- which come apart

TEST(FspCells, IndependentIndicesAreCells) {
  EXPECT_EQ(machines_in_cells("P = Q[0][0], Q[i:0..2][j:0..2] = (when (i < 2) a -> Q[i+1][j] | when (j < 2) b -> "
                              "Q[i][j+1] | when (i == 2 && j == 2) c -> Q[0][0]). ||S = P."),
            "P.i P.j");
}

TEST(FspCells, AGuardThatIsNoConjunctionTiesItsIndices) {
  EXPECT_EQ(machines_in_cells("P = Q[0][0][0], Q[i:0..2][j:0..2][k:0..2] = (when (i < 2) a -> Q[i+1][j][k] | when (j < "
                              "2) b -> Q[i][j+1][k] | when (i == 2 || j == 2) c -> Q[0][0][k] | d -> "
                              "Q[i][j][(k+1)%3]). ||S = P."),
            "P.i+j P.k");
}

TEST(FspCells, AnIndexThatMovesIntoAnotherIsTiedToIt) {
  EXPECT_EQ(machines_in_cells("P = Q[0][1], Q[i:0..2][j:0..2] = (a -> Q[j][i] | show[i][j] -> Q[i][j]). ||S = P."),
            "P");
}

TEST(FspCells, OneActionDoneInTwoWaysTiesWhatTheTwoWaysChange) {
  EXPECT_EQ(machines_in_cells("P = Q[0][0], Q[i:0..1][j:0..1] = (a -> Q[1-i][j] | a -> Q[i][1-j] | x[i] -> Q[i][j] | "
                              "y[j] -> Q[i][j]). ||S = P."),
            "P");
  EXPECT_EQ(machines_in_cells("P = Q[0][0], Q[i:0..1][j:0..1] = (a -> Q[0][j] | a -> Q[1][j] | x[i] -> Q[i][j] | y[j] "
                              "-> Q[i][1-j]). ||S = P."),
            "P.i P.j");
}

TEST(FspCells, ConditionsOfALocalProcessAreReadWhenItActs) {
  EXPECT_EQ(
      machines_in_cells("const K = 3 P = READY[0], READY[o:0..K] = (ask[c:1..K] -> ANSWER[c][o] | back[c:1..K] -> "
                        "if (o == c) then READY[0] else READY[o]), ANSWER[c:1..K][o:0..K] = if (o == 0) then "
                        "(yes[c] -> READY[c]) else (no[c] -> READY[o]). ||S = P."),
      "P.control P.o P.c");
}

TEST(FspCells, JoinedCellsAreWithoutThoseThatSayNoMoreThanAnother) {
  const std::string text =
      "P = READY[0], READY[o:0..3] = (ask[c:1..3] -> ANSWER[c][o]), ANSWER[c:1..3][o:0..3] = (yes[c] -> READY[c] | "
      "when "
      "(o > 0) no[c] -> READY[o]). ||S = P.";
  EXPECT_EQ(FspModel(text, {}, in_cells()).machines("S"), "P.control P.o P.c");
  EXPECT_EQ(FspModel(text, {}, in_cells(true)).machines("S"), "P.control+c P.o");
}

TEST(FspCells, VariablesOfLabelsThatAreRememberedAreIndicesToo) {
  EXPECT_EQ(machines_in_cells("P = (a[x:0..2] -> b -> c[x] -> P). ||S = P."), "P.control P.x");
}

TEST(FspCells, WhatTuplesCannotSayStaysWhole) {
  EXPECT_EQ(
      machines_in_cells("P = Q[0][0], Q[i:0..1][j:0..1] = (a -> Q[1-i][j] | b -> Q[i][1-j] | c -> END). ||S = P."),
      "P");
  EXPECT_EQ(machines_in_cells("property P = Q[0][0], Q[i:0..1][j:0..1] = (a -> Q[1-i][j] | b -> Q[i][1-j]). ||S = P."),
            "P");
  EXPECT_EQ(machines_in_cells("P = Q[0][0], Q[i:0..1][j:0..i] = (a -> Q[1][j] | b -> Q[i][0]). ||S = P."), "P");
  EXPECT_EQ(machines_in_cells("minimal P = Q[0][0], Q[i:0..1][j:0..1] = (a -> Q[1-i][j] | b -> Q[i][1-j]). ||S = P.")
                .substr(0, 1),
            "P");
}

// ---- alphabets, operators, composites

const std::string kTwo = "P = Q[0][0], Q[i:0..2][j:0..2] = (a -> Q[(i+1)%3][j] | b -> Q[i][(j+1)%3] | ";

TEST(FspCells, AlphabetsBlockAsBefore) {
  EXPECT_EQ(expect_same(kTwo + "c -> Q[i][j]) + {z}. R = (z -> R | a -> R). ||S = (P || R).", "S"), 3U);
  EXPECT_EQ(expect_same(kTwo + "when (i > 5) c -> Q[i][j]). R = (c -> R | a -> R). ||S = (P || R).", "S"), 2U);
}

TEST(FspCells, ErrorStopsAllCells) {
  EXPECT_GT(expect_same(kTwo + "bad -> ERROR). ||S = P.", "S"), 2U);
  EXPECT_GT(expect_same("P = Q[0][0], Q[i:0..2][j:0..2] = (a -> Q[i+1][j] | b -> Q[i][(j+1)%3]). ||S = P.", "S"), 1U);
}

// At X the indices are equal, which no cell knows by itself.
std::string guarded(const std::string& when, int last) {
  return fmt::format(
      "P = X[0][0], X[i:0..{0}][j:0..{0}] = (a -> Y[(i+1)%{1}][j] | when ({2}) bad -> ERROR), "
      "Y[i:0..{0}][j:0..{0}] = (b -> X[i][(j+1)%{1}]). Q = (bad -> Q | a -> Q). ||S = (P || Q).",
      last, last + 1, when);
}

std::string checks_of(const std::string& text, bool cells) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("cells_{}.lts", ::getpid());
  std::ofstream(file) << text;
  api::Request request;
  request.source.files = {file.string()};
  request.method = "monolithic";
  if (cells) request.source.cells = FspCells{0};
  const auto report = api::verify(request);
  std::filesystem::remove(file);
  if (!report) return "?";
  std::string out = report->model.cells ? "cells: " : "";
  for (const auto& check : report->checks)
    out += std::string(name_of(check.kind)) + " " + std::string(name_of(check.verdict)) + " ";
  return out;
}

TEST(FspCells, ErrorIsAskedForIfTheProcessHasItAndNotACell) {
  for (const int last : {2, 199}) {  // with 199 the whole is not built
    EXPECT_EQ(checks_of(guarded("i == 2 && j == 0", last), false), "deadlock holds ");
    EXPECT_EQ(checks_of(guarded("i == 2 && j == 0", last), true), "cells: deadlock holds ");
    EXPECT_EQ(checks_of(guarded("i == 2 && j == 2", last), false).substr(0, 15), "error violated ");
    EXPECT_EQ(checks_of(guarded("i == 2 && j == 2", last), true).substr(0, 22), "cells: error violated ");
  }
  EXPECT_EQ(expect_same(guarded("i == 2 && j == 0", 2), "S"), 3U);
  EXPECT_EQ(expect_same(guarded("i == 2 && j == 2", 2), "S"), 3U);
}

TEST(FspCells, StopStopsAllCells) { EXPECT_GT(expect_same(kTwo + "halt -> STOP). ||S = P.", "S"), 2U); }

TEST(FspCells, OperatorsOfTheProcessApplyToItsCells) {
  EXPECT_EQ(expect_same(kTwo + "c -> Q[(i+2)%3][j]) / {x/a, y/b, y/c}. ||S = P.", "S"), 0U);  // y by both
  EXPECT_EQ(expect_same(kTwo + "c[i] -> Q[i][j]) / {{x,y}/a}. ||S = P.", "S"), 2U);
  EXPECT_EQ(expect_same(kTwo + "c[i] -> Q[i][j]) \\ {a}. ||S = P.", "S"), 2U);
  EXPECT_EQ(expect_same(kTwo + "c[i][j] -> Q[i][j]) \\ {c}. ||S = P.", "S"), 0U);  // shared by both
  EXPECT_EQ(expect_same(kTwo + "c[i] -> Q[i][j]) @ {c}. ||S = P.", "S"), 2U);
}

TEST(FspCells, OperatorsOfTheCompositeApplyToItsCells) {
  const std::string p = kTwo + "c[i] -> Q[i][j]). ";
  EXPECT_EQ(expect_same(p + "||S = ({x,y}:P || P).", "S"), 6U);
  EXPECT_EQ(expect_same(p + "||S = ({x,y}::P).", "S"), 2U);
  EXPECT_EQ(expect_same(p + "||S = (P/{z/a}).", "S"), 2U);
  EXPECT_EQ(expect_same(p + "||S = (P/{z/a, z/b}).", "S"), 0U);  // composed first, or a and b would synchronise
  EXPECT_EQ(expect_same(p + "||S = (P || x:P) \\ {a}.", "S"), 4U);
  EXPECT_EQ(expect_same(p + "||S = (P || x:P) << {a}.", "S"), 4U);
  EXPECT_EQ(expect_same(p, "DEFAULT"), 2U);
}

TEST(FspCells, AComposedCompositeComesApartUnlessAPartOfItHasErrorOrEnd) {
  const std::string p = "P(I=1) = (a[I] -> b -> P). ";
  EXPECT_EQ(machines_in_cells(p + "compose ||T = (P(1) || P(2)). ||S = (T)."), "T.P(1) T.P(2)");
  EXPECT_EQ(machines_in_cells(p + "compose ||T = (P(1) || P(2)) \\ {b}. ||S = (T)."), "T");
  EXPECT_EQ(machines_in_cells(p + "E = (b -> ERROR). compose ||T = (P(1) || E). ||S = (T)."), "T");
}

TEST(FspCells, SmallProcessesStayWhole) {
  FspLimits limits;
  limits.cells = FspCells{9};
  const std::string text = kTwo + "c[i] -> Q[i][j]). ||S = P.";
  EXPECT_EQ(FspModel(text, {}, limits).machines("S"), "P");
  limits.cells = FspCells{8};
  EXPECT_EQ(FspModel(text, {}, limits).machines("S"), "P.i P.j");
}

// The whole would have 100^12 states.
TEST(FspCells, TheWholeIsNotBuilt) {
  std::string indices, zeros, steps;
  for (int i = 0; i < 12; ++i) {
    indices += fmt::format("[i{}:0..99]", i);
    zeros += "[0]";
    std::string to;
    for (int j = 0; j < 12; ++j) to += i == j ? fmt::format("[(i{}+1)%100]", j) : fmt::format("[i{}]", j);
    steps += fmt::format("{}a{} -> Q{}", i == 0 ? "" : " | ", i, to);
  }
  const FspModel model("P = Q" + zeros + ", Q" + indices + " = (" + steps + "). ||S = P.", {}, in_cells());
  Budget budget;
  const auto composite = model.file->composite("S", budget);
  ASSERT_TRUE(composite);
  ASSERT_EQ(composite->machines.size(), 12U);
  for (const FspMachine& m : composite->machines) EXPECT_EQ(m.lts.state_count(), 100U);
  EXPECT_NE(model.file->cells()[0].find("by construction"), std::string::npos) << model.file->cells()[0];
}

// ---- random processes

class RandomProcess {
 public:
  explicit RandomProcess(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    indices_ = 2 + pick(2);
    for (int i = 0; i < 3; ++i) sizes_[i] = 2 + pick(2);
    std::string out = "P = " + reference("Q", true) + ",\nQ";
    for (int i = 0; i < indices_; ++i) out += fmt::format("[{}:0..{}]", kNames[i], sizes_[i] - 1);
    out += " = " + body() + ",\nR";
    for (int i = 1; i < indices_; ++i) out += fmt::format("[{}:0..{}]", kNames[i], sizes_[i] - 1);
    first_ = 1;
    out += " = " + body();
    if (pick(4) == 0) out += " + {l0, z}";
    if (pick(6) == 0) out += " / {m/l1}";
    if (pick(6) == 0) out += " \\ {l2}";
    return out + ".\n||S = P.\n";
  }

 private:
  static constexpr const char* kNames[] = {"i", "j", "k"};

  int pick(int n) { return static_cast<int>(random_.below(static_cast<std::uint32_t>(n))); }
  int variable() { return first_ + pick(indices_ - first_); }

  std::string condition() {
    const int v = variable();
    const std::string simple = fmt::format("{} {} {}", kNames[v], pick(2) == 0 ? "==" : "<", pick(sizes_[v]));
    const int how = pick(6);
    if (how == 0) return simple + " && " + condition();
    if (how == 1) return simple + " || " + condition();
    if (how == 2) return fmt::format("{} != {}", kNames[v], kNames[variable()]);
    return simple;
  }
  // A new value for index t: mostly its own.
  std::string value(int t, bool constant) {
    if (constant || t < first_) return std::to_string(pick(sizes_[t]));
    switch (pick(8)) {
      case 0: return std::to_string(pick(sizes_[t]));
      case 1: return fmt::format("({}+1)%{}", kNames[t], sizes_[t]);
      case 2: return fmt::format("({}+{})%{}", kNames[t], kNames[variable()], sizes_[t]);
      case 3: return pick(4) == 0 ? fmt::format("{}+1", kNames[t]) : kNames[t];  // out of range: ERROR
      default: return kNames[t];
    }
  }
  std::string reference(const char* name, bool constant) {
    std::string out = name;
    for (int t = name[0] == 'Q' ? 0 : 1; t < indices_; ++t) out += "[" + value(t, constant) + "]";
    return out;
  }
  std::string target() {
    const int how = pick(12);
    if (how == 0) return "STOP";
    if (how == 1) return "ERROR";
    if (how <= 3) return "if (" + condition() + ") then " + reference(pick(2) ? "Q" : "R", false) + " else " + target();
    return reference(pick(3) ? "Q" : "R", false);
  }
  std::string label() {
    std::string out = fmt::format("l{}", pick(5));
    if (pick(4) == 0) out += fmt::format("[{}]", kNames[variable()]);
    return out;
  }
  std::string alternative() {
    std::string out = pick(2) == 0 ? "when (" + condition() + ") " : "";
    if (pick(5) == 0) return out + label() + "[x:0..1] -> " + label() + "[x] -> " + target();
    out += label() + " -> ";
    if (pick(5) == 0) out += label() + " -> ";
    return out + target();
  }
  std::string body() {
    std::string out = alternative();
    for (int n = 1 + pick(3); n > 0; --n) out += "\n  | " + alternative();
    out = "(" + out + ")";
    if (pick(5) == 0) out = "if (" + condition() + ") then " + out + " else " + reference("Q", pick(2) == 0);
    return out;
  }

  Random random_;
  int indices_ = 2, first_ = 0;
  int sizes_[3] = {2, 2, 2};
};

TEST(FspCells, RandomProcessesAreBisimilarToTheirCells) {
  std::size_t apart = 0, whole = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const std::string text = RandomProcess(seed).text();
    (expect_same(text, "S", seed % 4 == 0) > 0 ? apart : whole)++;
    if (HasFailure()) break;
  }
  EXPECT_GT(apart, 200U);
  EXPECT_GT(whole, 200U);
}

// ---- the examples

namespace fs = std::filesystem;

std::vector<std::string> examples() {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SURETY_SOURCE_DIR) / "examples"))
    if (entry.path().extension() == ".lts") out.push_back(entry.path().string());
  std::ranges::sort(out);
  return out;
}

api::Report verified(const std::string& file, std::optional<FspCells> cells, const std::string& method) {
  api::Request request;
  request.source.files = {file};
  request.source.cells = cells;
  request.method = method;
  auto report = api::verify(request);
  if (!report) {
    ADD_FAILURE() << file << ": " << rendered(report.error().diagnostics);
    return {};
  }
  return std::move(*report);
}

TEST(FspCells, VerdictsOfTheExamplesStay) {
  std::size_t apart = 0;
  for (const auto& file : examples()) {
    const api::Report whole = verified(file, std::nullopt, "monolithic"),
                      cells = verified(file, FspCells{0}, "monolithic");
    apart += cells.model.network.components.size() > whole.model.network.components.size();
    ASSERT_EQ(whole.checks.size(), cells.checks.size()) << file;
    for (std::size_t i = 0; i < whole.checks.size(); ++i) {
      const auto& a = whole.checks[i];
      const auto& b = cells.checks[i];
      EXPECT_EQ(a.property, b.property) << file;
      ASSERT_EQ(a.verdict.index(), b.verdict.index()) << file << " " << a.property;
      const auto* v = std::get_if<Violated>(&a.verdict);
      if (v == nullptr || a.kind == CheckKind::progress || a.kind == CheckKind::ltl) continue;
      EXPECT_EQ(v->trace.size(), std::get<Violated>(b.verdict).trace.size()) << file << " " << a.property;
    }
  }
  EXPECT_GT(apart, 15U);
}

TEST(FspCells, ComponentsOfTheExamplesStay) {
  for (const auto& file : examples()) {
    Budget budget;
    api::Source source;
    source.files = {file};
    auto model = api::load(source, budget);
    ASSERT_TRUE(model) << file;
    ActionTable& actions = *model->actions;
    source.cells = FspCells{0};
    auto apart = api::load(source, budget);
    ASSERT_TRUE(apart) << file;
    // Both networks, as they are without their properties.
    std::vector<FspMachine> one, other;
    for (const auto& c : model->network.components) one.push_back({c.name, c.lts, false, {}});
    for (const auto& c : apart->network.components) {
      std::vector<std::pair<Action, Action>> pairs;
      for (const Action a : c.lts.alphabet()) pairs.emplace_back(a, actions.intern(apart->actions->name(a)));
      other.push_back({c.name, relabel(c.lts, pairs), false, {}});
    }
    const Lts a = composed(one), b = composed(other);
    EXPECT_EQ(a.alphabet(), b.alphabet()) << file;
    EXPECT_FALSE(difference(a, b, Equivalence::strong)) << file;
  }
}

TEST(FspCells, EveryMethodAgreesOnCells) {
  for (const char* name : {"client_server/client_server", "client_server/client_server_broken", "smokers/smokers",
                           "gas_station/gas_station", "gas_station/gas_station_broken", "peterson/peterson_broken"})
    for (const char* method : {"symbolic", "cegar", "minimise", "asym"}) {
      const std::string file = (fs::path(SURETY_SOURCE_DIR) / "examples" / (std::string(name) + ".lts")).string();
      const api::Report whole = verified(file, std::nullopt, "monolithic"), cells = verified(file, FspCells{0}, method);
      ASSERT_EQ(whole.checks.size(), cells.checks.size());
      for (std::size_t i = 0; i < whole.checks.size(); ++i)
        EXPECT_EQ(whole.checks[i].verdict.index(), cells.checks[i].verdict.index())
            << name << " " << method << " " << whole.checks[i].property;
    }
}

}  // namespace
}  // namespace surety
