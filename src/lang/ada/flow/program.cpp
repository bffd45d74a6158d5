#include "lang/ada/flow/program.hpp"

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/unit_texts.hpp"

namespace surety {
namespace {

void expand(const ada::Library& library, const std::vector<AdaDefine>& defines, text::Report& report, AdaProgram& out) {
  ada::Foresight foresight;
  const AdaProgram empty = out;
  const Diagnostics warnings = report.warnings(), errors = report.errors();
  while (true) {
    ada::Expander expander(library, defines, foresight, report, out);
    expander.run();
    // What follows a call that was left out may be no mistake.
    const bool left_out = expander.seen().deferred != foresight.deferred;
    if ((report.failed() && !left_out) || expander.seen() == foresight) return;
    foresight = expander.seen();
    out = empty;
    report.warnings() = warnings;
    report.errors() = errors;
  }
}

}  // namespace

Result<AdaProgram> read_ada(const std::vector<std::string>& files, const ada::FileReader& read,
                            const std::vector<AdaDefine>& defines, const std::string& main, Budget* budget) {
  AdaProgram out;
  out.source = std::make_shared<text::Source>();
  text::Report report(*out.source, budget);
  ada::Library library = ada::read_library(files, read, main, report, *out.source);
  library.source = out.source;
  if (!report.failed() && library.main != nullptr) expand(library, defines, report, out);
  if (report.failed()) return tl::unexpected(std::move(report.errors()));
  out.warnings = std::move(report.warnings());
  for (const auto& file : out.source->files)
    if (!ada::text_of_unit(file.name)) out.files.push_back(file.name);
  return out;
}

}  // namespace surety
