// The report of a study: a page in Markdown, figures as SVG, and the data of each table and figure as CSV.
//
// It begins with one sentence per question. Tables have the paper's numbers beside ours. What is only best known,
// because some run was over a limit, or ended before it was known which constraints it needs, is marked with ≤.
#pragma once

#include <map>
#include <string>

#include "base/json.hpp"
#include "load/load.hpp"
#include "study/report/facts.hpp"

namespace surety::study {

struct StudyReport {
  std::string text;                          // the page
  std::map<std::string, std::string> files;  // the others, by name
  Json json;
};
StudyReport make_report(const Study& study);
api::Outcome<void> write_report(const StudyReport& report, const std::string& folder);

// The parts, in the order of the page.
std::string answers(const Study& study, const std::vector<TrackFacts>& facts);
std::string tables(const Study& study, const std::vector<TrackFacts>& facts, std::map<std::string, std::string>& files);
std::string figures(const Study& study, const std::vector<TrackFacts>& facts,
                    std::map<std::string, std::string>& files);
std::string methods(const Study& study, const std::vector<TrackFacts>& facts,
                    std::map<std::string, std::string>& files);  // and alphabets; empty if there is one way only
std::string further_sections(const Study& study, const std::vector<TrackFacts>& facts,
                             std::map<std::string, std::string>& files);

// The tracks of an engine that count: their property holds and all decompositions of size 2 are done.
std::vector<const TrackFacts*> counted(const std::vector<TrackFacts>& facts, Engine engine);
std::string per_cent(std::size_t part, std::size_t whole);  // "56.7 %"
std::string csv_row(const std::vector<std::string>& cells);

}  // namespace surety::study
