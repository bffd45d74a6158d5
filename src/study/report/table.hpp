// A table, written as Markdown and as CSV.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "study/report/report.hpp"

namespace surety::study {

class Table {
 public:
  explicit Table(const std::vector<std::string>& head) {
    add(head);
    text_ += "|" + fmt::format("{}", fmt::join(std::vector<std::string>(head.size(), "---"), "|")) + "|\n";
  }
  void add(const std::vector<std::string>& cells) {
    text_ += "| " + fmt::format("{}", fmt::join(cells, " | ")) + " |\n";
    csv_ += csv_row(cells);
  }
  const std::string& text() const { return text_; }
  const std::string& csv() const { return csv_; }

 private:
  std::string text_, csv_;
};

}  // namespace surety::study
