#include "study/report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace surety::study {
namespace {

constexpr double kWidth = 720, kHeight = 440;
constexpr double kLeft = 78, kRight = 190, kTop = 46;  // margins; the legend is on the right
constexpr double kInset = 12;                          // marks stay clear of the axes
constexpr double kMark = 9;                            // how wide a mark is
constexpr std::array kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  return out;
}

// At most two decimals, without zeros at the end.
std::string number(double value) {
  std::string out = fmt::format("{:.2f}", value);
  while (out.ends_with('0')) out.pop_back();
  if (out.ends_with('.')) out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string tick_text(double value) {
  if (value >= 1e6) return fmt::format("{}M", number(value / 1e6));
  if (value >= 1e3) return fmt::format("{}k", number(value / 1e3));
  return number(value);
}

// 1, 2 or 5 times a power of ten: the next one downwards, or upwards.
double round_number(double value, bool upwards) {
  const double decade = std::pow(10, std::floor(std::log10(value) + 1e-9));
  if (upwards) {
    for (const double factor : {1.0, 2.0, 5.0})
      if (value <= factor * decade * (1 + 1e-9)) return factor * decade;
    return 10 * decade;
  }
  for (const double factor : {5.0, 2.0})
    if (value >= factor * decade * (1 - 1e-9)) return factor * decade;
  return decade;
}

// From values to places on one axis.
class Scale {
 public:
  Scale(const Axis& axis, const std::vector<double>& values, double begin, double end)
      : logarithmic_(axis.logarithmic),
        begin_(begin + (begin < end ? kInset : -kInset)),
        end_(end - (begin < end ? kInset : -kInset)) {
    double low = logarithmic_ ? 1 : 0, high = logarithmic_ ? 10 : 1;
    if (!values.empty()) {
      const auto [least, most] = std::ranges::minmax(values);
      low = least;
      high = most;
    }
    low = axis.from.value_or(low);
    high = axis.to.value_or(high);
    if (logarithmic_) {
      low = std::max(low, 1e-6);
      high = std::max(high, low);
      low_ = std::log10(axis.from ? low : round_number(low, false));
      high_ = std::log10(axis.to ? high : round_number(high, true));
    } else {
      low_ = low;
      high_ = high;
    }
    if (high_ - low_ < 1e-9) high_ = low_ + 1;
  }

  double at(double value) const {
    const double v = logarithmic_ ? std::log10(std::max(value, 1e-6)) : value;
    return begin_ + std::clamp((v - low_) / (high_ - low_), 0.0, 1.0) * (end_ - begin_);
  }
  std::vector<double> ticks(bool whole) const;

 private:
  bool logarithmic_;
  double begin_, end_, low_ = 0, high_ = 1;
};

std::vector<double> Scale::ticks(bool whole) const {
  std::vector<double> out;
  if (logarithmic_) {
    const bool few = high_ - low_ <= 2.5;
    for (int decade = static_cast<int>(std::floor(low_)); decade <= high_ + 1e-9; ++decade)
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = std::log10(factor) + decade;
        if ((factor == 1.0 || few) && value >= low_ - 1e-9 && value <= high_ + 1e-9)
          out.push_back(factor * std::pow(10, decade));
      }
    return out;
  }
  double step = std::pow(10, std::floor(std::log10(high_ - low_)));
  for (const double part : {0.1, 0.2, 0.5, 1.0})
    if ((high_ - low_) / (step * part) <= 9) {
      step *= part;
      break;
    }
  if (whole) step = std::max(1.0, std::round(step));
  const double first = std::ceil(low_ / step) * step;
  for (int i = 0; first + i * step <= high_ + 1e-9; ++i) out.push_back(first + i * step);
  return out;
}

std::string mark(std::size_t kind, double x, double y, const std::string& colour, const PlotPoint& point,
                 double ring = 9) {
  if (point.cross)
    return fmt::format("<path d=\"M{} {}l10 10m0 -10l-10 10\" stroke=\"{}\" stroke-width=\"2.4\" fill=\"none\"/>",
                       number(x - 5), number(y - 5), colour);
  if (point.ring)
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>",
                       number(x), number(y), number(ring), colour);
  const std::string style =
      fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.6\"", point.hollow ? "#ffffff" : colour, colour);
  const auto path = [&](const char* shape) {
    return fmt::format("<path d=\"M{} {}{}\" {}/>", number(x), number(y), shape, style);
  };
  switch (kind % 6) {
    case 0: return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"4.5\" {}/>", number(x), number(y), style);
    case 1: return path("m-4.2 -4.2h8.4v8.4h-8.4z");
    case 2: return path("m0 -5.4l5.2 9.2h-10.4z");
    case 3: return path("m0 -5.8l5.8 5.8l-5.8 5.8l-5.8 -5.8z");
    case 4: return path("m0 5.4l5.2 -9.2h-10.4z");
    default: return path("m-1.6 -5.4h3.2v3.8h3.8v3.2h-3.8v3.8h-3.2v-3.8h-3.8v-3.2h3.8z");
  }
}

std::string text(double x, double y, const std::string& what, const char* anchor, int size = 12,
                 const char* more = "") {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" font-size=\"{}\"{}>{}</text>\n", number(x), number(y),
                     anchor, size, more, escaped(what));
}

bool rings(const Series& series) { return std::ranges::any_of(series.points, &PlotPoint::ring); }

class Drawing {
 public:
  explicit Drawing(const Plot& plot)
      : plot_(plot), x_(plot.x, values(true), kLeft, kWidth - kRight), y_(plot.y, values(false), bottom(), kTop) {}

  std::string draw() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"Helvetica, Arial, sans-serif\">\n<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" "
        "fill=\"#ffffff\"/>\n",
        kWidth, kHeight, escaped(plot_.title));
    out_ += text(kLeft, 26, plot_.title, "start", 15, " font-weight=\"bold\"");
    axes();
    if (plot_.line_at) reference();
    for (std::size_t i = 0; i < plot_.series.size(); ++i) series(i);
    legend();
    return out_ + "</svg>\n";
  }

 private:
  std::vector<double> values(bool of_x) const {
    std::vector<double> out;
    for (const auto& s : plot_.series)
      for (const auto& p : s.points) out.push_back(of_x ? p.x : p.y);
    if (!of_x && plot_.line_at) out.push_back(*plot_.line_at);
    return out;
  }
  // Names stand aslant and need room.
  double bottom() const { return kHeight - (plot_.x.labels.empty() ? 56 : 90); }
  double beside_others(double x, double y);
  void axes();
  void x_labels();
  void reference();
  void series(std::size_t i);
  void legend();
  void line(double x1, double y1, double x2, double y2, const char* style) {
    out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", number(x1), number(y1), number(x2),
                        number(y2), style);
  }

  const Plot& plot_;
  Scale x_, y_;
  std::string out_;
  std::vector<std::pair<double, double>> taken_;  // by marks
  static constexpr const char* kGrid = "stroke=\"#e4e4e4\"";
  static constexpr const char* kAxis = "stroke=\"#333333\"";
};

void Drawing::x_labels() {
  const double bottom = this->bottom();
  if (!plot_.x.labels.empty()) {
    for (const auto& [at, name] : plot_.x.labels) {
      const double x = x_.at(at);
      out_ += fmt::format(
          "<text transform=\"translate({},{}) rotate(-32)\" text-anchor=\"end\" font-size=\"11\">{}</text>\n",
          number(x + 4), number(bottom + 16), escaped(name));
    }
    return;
  }
  for (const double tick : x_.ticks(plot_.x.whole)) {
    const double x = x_.at(tick);
    line(x, kTop, x, bottom, kGrid);
    line(x, bottom, x, bottom + 5, kAxis);
    out_ += text(x, bottom + 19, tick_text(tick), "middle");
  }
}

void Drawing::axes() {
  const double bottom = this->bottom(), right = kWidth - kRight;
  for (const double tick : y_.ticks(plot_.y.whole)) {
    const double y = y_.at(tick);
    line(kLeft, y, right, y, kGrid);
    line(kLeft - 5, y, kLeft, y, kAxis);
    out_ += text(kLeft - 9, y + 4, tick_text(tick), "end");
  }
  x_labels();
  line(kLeft, kTop, kLeft, bottom, kAxis);
  line(kLeft, bottom, right, bottom, kAxis);
  out_ += text((kLeft + right) / 2, kHeight - 12, plot_.x.title, "middle", 13);
  out_ += fmt::format(
      "<text transform=\"translate(20,{}) rotate(-90)\" text-anchor=\"middle\" font-size=\"13\">{}</text>\n",
      number((kTop + bottom) / 2), escaped(plot_.y.title));
}

void Drawing::reference() {
  const double y = y_.at(*plot_.line_at);
  line(kLeft, y, kWidth - kRight, y, "stroke=\"#333333\" stroke-dasharray=\"6 4\"");
}

void Drawing::series(std::size_t i) {
  const Series& s = plot_.series[i];
  const std::string colour = kColours[i % kColours.size()];
  if (s.line && s.points.size() > 1) {
    out_ += "<polyline fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"1.8\"" +
            (i % 3 == 1   ? " stroke-dasharray=\"7 3\""
             : i % 3 == 2 ? " stroke-dasharray=\"2 3\""
                          : "") +
            " points=\"";
    for (std::size_t p = 0; p < s.points.size(); ++p)
      out_ += (p == 0 ? "" : " ") + number(x_.at(s.points[p].x)) + "," + number(y_.at(s.points[p].y));
    out_ += "\"/>\n";
  }
  for (const auto& p : s.points) {
    const double y = y_.at(p.y), x = plot_.side_by_side ? beside_others(x_.at(p.x), y) : x_.at(p.x);
    out_ += fmt::format("<g><title>{}</title>{}</g>\n", escaped(p.title), mark(i, x, y, colour, p));
  }
}

// The nearest free place to the right or to the left.
double Drawing::beside_others(double x, double y) {
  const auto is_free = [&](double at) {
    return std::ranges::none_of(taken_, [&](const auto& mark) {
      return std::abs(mark.first - at) < kMark && std::abs(mark.second - y) < kMark;
    });
  };
  double at = x;
  for (int step = 1; !is_free(at); ++step) {
    const int away = (step + 1) / 2;
    at = x + (step % 2 == 1 ? away : -away) * (kMark + 0.5);
  }
  taken_.emplace_back(at, y);
  return at;
}

void Drawing::legend() {
  const double x = kWidth - kRight + 22;
  double y = kTop + 10;
  for (std::size_t i = 0; i < plot_.series.size(); ++i, y += 20) {
    out_ += mark(i, x, y - 4, kColours[i % kColours.size()], {.ring = rings(plot_.series[i])}, 6) + "\n";
    out_ += text(x + 12, y, plot_.series[i].name, "start");
  }
  if (plot_.line_at) {
    line(x - 7, y - 4, x + 7, y - 4, "stroke=\"#333333\" stroke-dasharray=\"6 4\"");
    out_ += text(x + 12, y, plot_.line_name, "start");
    y += 20;
  }
  y += 6;
  for (const auto& note : plot_.notes) {
    out_ += text(x - 7, y, note, "start", 11, " fill=\"#444444\"");
    y += 15;
  }
}

}  // namespace

std::string to_svg(const Plot& plot) { return Drawing(plot).draw(); }

}  // namespace surety::study
