// JUnit's XML. It has no standard; what is written here is what GitLab, Jenkins, Azure and the reporters of GitHub
// have in common: a suite for the system, a case for each check, and in it `failure`, `skipped` or `error`.
//
// XML 1.0 has no way to write most control characters, not even as references: they are written as in C, "\x1B".

#include <fmt/format.h>

#include "api/json.hpp"
#include "cli/ci.hpp"
#include "cli/text.hpp"

namespace surety::cli {
namespace {

std::string escaped(std::string_view raw) {
  std::string out;
  const std::string text = utf8(raw);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = std::string_view(text).substr(i, 3);
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\n' || c == '\t' || c == '\r')
      out += fmt::format("&#{};", static_cast<int>(c));  // plain ones become blanks in attributes
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\x{:02X}", static_cast<int>(c));
    else if (rest == "\uFFFE" || rest == "\uFFFF") {  // the two others that XML forbids
      out += rest == "\uFFFE" ? "\\uFFFE" : "\\uFFFF";
      i += 2;
    } else
      out += c;
  }
  return out;
}

// The same for text between tags, where the ends of lines stay as they are.
std::string content(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += escaped(text.substr(begin, end - begin)) + (end < text.size() ? "\n" : "");
    begin = end + 1;
  }
  return out;
}

struct Suite {
  std::string name, cases, warnings;
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double time_s = 0;

  // `outcome` is the element that says it did not pass; none: it did.
  void add(const std::string& attributes, const std::string& properties, const char* outcome, std::string_view type,
           const std::string& message, const std::string& text) {
    ++tests;
    cases += fmt::format("    <testcase classname=\"{}\" {}>\n{}", escaped(name), attributes, properties);
    if (outcome != nullptr) {
      ++(*outcome == 'f' ? failures : *outcome == 'e' ? errors : skipped);
      cases += fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", outcome, type, escaped(message),
                           content(text));
    }
    cases += "    </testcase>\n";
  }
};

void add_check(Suite& suite, const api::Model& model, const api::Check& check, bool strict) {
  const api::TextPlace place = place_to_show(model, check);
  const std::string attributes = fmt::format(
      "name=\"{}{}\" file=\"{}\" line=\"{}\" time=\"{:.6f}\"", name_of(check.kind),
      check.property.empty() ? "" : " " + escaped(check.property), escaped(place.file), place.line, check.time_s);
  const std::string properties = fmt::format(
      "      <properties>\n"
      "        <property name=\"method\" value=\"{}\"/>\n"
      "        <property name=\"states\" value=\"{}\"/>\n"
      "      </properties>\n",
      name_of(check.method), check.cost.states);
  const char* const outcome = check.holds() ? nullptr : check.violated() || strict ? "failure" : "skipped";
  suite.add(attributes, properties, outcome, name_of(verdict_kind(check.verdict)), headline(model, check),
            to_text(model, check, {.detail = 1}));
}

// An input that cannot be read is one case.
void add_failure(Suite& suite, const api::Failure& failure, bool strict) {
  std::string text;
  for (const Diagnostic& d : failure.diagnostics) text += render(d);
  const bool stopped = failure.status == api::Failure::kStopped;
  suite.add("name=\"input\" time=\"0\"", "",
            !stopped ? "error"
            : strict ? "failure"
                     : "skipped",
            stopped ? "unknown" : "input", failure.diagnostics.empty() ? "" : failure.diagnostics.front().message,
            text);
}

}  // namespace

std::string junit(const CiRun& run) {
  Suite suite;
  if (const auto& report = run.outcome) {
    suite.name = report->model.network.name;
    suite.time_s = report->time_s;
    for (const api::Check& check : report->checks) add_check(suite, report->model, check, run.strict);
    for (const Diagnostic& warning : report->model.warnings) suite.warnings += render(warning);
  } else {
    suite.name = run.files.front();
    add_failure(suite, report.error(), run.strict);
  }
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\"",
                                         suite.tests, suite.failures, suite.errors, suite.skipped, suite.time_s);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"{}\" {}>\n"
      "  <testsuite name=\"{}\" {}>\n{}{}"
      "  </testsuite>\n"
      "</testsuites>\n",
      api::tool_name(), counts, escaped(suite.name), counts, suite.cases,
      suite.warnings.empty() ? "" : fmt::format("    <system-err>{}</system-err>\n", content(suite.warnings)));
}

}  // namespace surety::cli
