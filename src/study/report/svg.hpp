// Plots as SVG, by a writer of our own: 720 x 440, no scripts, the same bytes for the same data.
//
// Colours are those of Okabe and Ito, which the colour-blind can tell apart, and each series has a mark of its own. A
// point has a title, which browsers show under the pointer.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace surety::study {

struct PlotPoint {
  double x = 0, y = 0;
  std::string title = {};
  bool hollow = false;
  bool cross = false;  // a limit was hit here
  bool ring = false;   // around another point
};
struct Series {
  std::string name;
  std::vector<PlotPoint> points;
  bool line = false;
};
struct Axis {
  std::string title;
  bool logarithmic = false;
  std::optional<double> from, to;                           // nothing: as the data has it
  std::vector<std::pair<double, std::string>> labels = {};  // instead of numbers
  bool whole = false;                                       // numbers are sizes or counts
};
struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Series> series;
  std::optional<double> line_at;  // of y
  std::string line_name;
  bool side_by_side = false;       // marks that would cover others are moved sideways
  std::vector<std::string> notes;  // written into the figure
};
std::string to_svg(const Plot& plot);

}  // namespace surety::study
