#include <gtest/gtest.h>

#include "spin/pan.hpp"

namespace surety::spin {
namespace {

using Kind = PanReport::Kind;

Ran said(const std::string& output) { return {Ran::End::exited, 0, output, "", false}; }

constexpr const char* kSize =
    "      108 states, stored\n      145 states, matched\n      253 transitions (= stored+matched)\n"
    "    1.500\ttotal actual memory usage\n";

TEST(PanReport, ReadsSizesAndAVerdict) {
  const auto report = parse_report(said(std::string("State-vector 148 byte, depth reached 91, errors: 0\n") + kSize));
  EXPECT_EQ(report.kind, Kind::clean);
  EXPECT_EQ(report.states, 108U);
  EXPECT_EQ(report.transitions, 253U);
  EXPECT_EQ(report.bytes, 1536U * 1024);
}

TEST(PanReport, ReadsLargeNumbers) {
  const auto report =
      parse_report(said("State-vector 148 byte, depth reached 91, errors: 0\n 3.91653e+06 states, stored\n"));
  EXPECT_EQ(report.states, 3916530U);
}

TEST(PanReport, KnowsWhichErrorItIs) {
  const auto report = parse_report(said(std::string("pan:1: assertion violated (surety_p>=0) (at depth 9)\n"
                                                    "pan: wrote model.pml.trail\nWarning: Search not completed\n"
                                                    "State-vector 148 byte, depth reached 91, errors: 1\n") +
                                        kSize));
  EXPECT_EQ(report.kind, Kind::violation);
  EXPECT_EQ(report.message, "assertion violated (surety_p>=0)");
}

// Zero errors of a search that did not see everything are no proof.
TEST(PanReport, TakesNoVerdictFromASearchThatEndedEarly) {
  const std::string none = "State-vector 148 byte, depth reached 9999, errors: 0\n";
  EXPECT_EQ(parse_report(said("error: max search depth too small\n" + none)).kind, Kind::too_deep);
  EXPECT_EQ(parse_report(said("Warning: Search not completed\n" + none)).kind, Kind::failed);
  EXPECT_EQ(parse_report(said("pan: out of memory\n" + none)).kind, Kind::memory);
  EXPECT_EQ(parse_report(said("pan: reached -DMEMLIM bound\n")).kind, Kind::memory);
  EXPECT_EQ(parse_report(said("")).kind, Kind::failed);
  Ran killed = said(none);
  killed.end = Ran::End::killed;
  EXPECT_EQ(parse_report(killed).kind, Kind::failed);
}

}  // namespace
}  // namespace surety::spin
