// Re-checks a certificate file: it must be about what the user means, everything that is read must be what it was made
// from, and every proof in it must pass the independent checker.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "certificate/statement.hpp"
#include "check/subject.hpp"
#include "model/observer.hpp"

namespace surety::api {

// A certificate, and what the user means it to be about. Once files are named, what is not said is as `check` has it:
// no defines, the last composite.
struct CertifyRequest {
  std::string file;
  std::vector<std::string> files = {};  // of the system
  std::string language = {}, system = {};
  std::vector<FspDefine> defines = {};
  std::vector<std::string> properties = {};       // names or files
  std::map<std::string, std::string> texts = {};  // by file: what is taken for its content
  Limits limits = {};
  const std::atomic<bool>* interrupted = nullptr;
  // Told when the files have been read, and which proofs there are; they may be empty.
  std::function<void(const Model&)> loaded = {};
  std::function<void(const Subjects&)> planned = {};
  Observer* observer = nullptr;  // is told of each premise
};
struct Certification {
  struct Line {
    std::string kind, property, rule;
    std::string from = {};  // where the property is written
    bool accepted = false;
    bool finished = true;
    std::string reason = {};
    std::vector<std::string> trace = {};
    std::string sizes = {};  // of a proof for all sizes: which, "K >= 2"
  };
  Statement about;
  std::vector<Line> lines;
  std::vector<Subject> not_covered;  // what else can be asked of the model
  std::size_t covered = 0;           // how much of it is proved
  std::string refused;               // why the certificate as a whole is refused: an input changed, another was meant
  bool accepted() const;
  bool finished() const;  // false: neither accepted nor refused, the budget ended
};
Outcome<Certification> certify_file(const CertifyRequest& request);
// The same of a text that is not in a file; names of files are relative to that of `request.file` all the same.
Outcome<Certification> certify_text(const std::string& text, const CertifyRequest& request);

// By its first lines.
bool is_certificate_file(const std::string& file);

}  // namespace surety::api
