#include "lang/ada/program.hpp"

#include "lang/ada/expander.hpp"
#include "lang/ada/unit_texts.hpp"

namespace surety {

Result<AdaProgram> read_ada(const std::vector<std::string>& files, const ada::FileReader& read,
                            const std::vector<AdaDefine>& defines, const std::string& main) {
  AdaProgram out;
  out.source = std::make_shared<text::Source>();
  text::Report report(*out.source);
  ada::Library library = ada::read_library(files, read, main, report, *out.source);
  library.source = out.source;
  if (!report.failed() && library.main != nullptr) ada::Expander(library, defines, report, out).run();
  if (report.failed()) return tl::unexpected(std::move(report.errors()));
  out.warnings = std::move(report.warnings());
  for (const auto& file : out.source->files)
    if (!ada::text_of_unit(file.name)) out.files.push_back(file.name);
  return out;
}

}  // namespace surety
