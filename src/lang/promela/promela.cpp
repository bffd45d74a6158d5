#include "lang/promela/promela.hpp"

#include "lang/promela/parser.hpp"

namespace surety {

Result<PromelaFile> read_promela(std::string_view text, const std::string& file,
                                 const std::vector<promela::Define>& defines) {
  auto source = promela::preprocess(text, file, defines);
  if (!source) return tl::unexpected(std::move(source.error()));
  PromelaFile out;
  out.source = std::make_shared<const promela::Source>(std::move(*source));
  promela::Report report(*out.source);
  auto program = promela::Parser(*out.source, report).run();
  if (report.failed()) return tl::unexpected(std::move(report.errors()));
  const bool nothing = program.processes.empty();
  if (nothing)
    return fail(file_error(file, "the file defines no process", "a process is written active proctype P() { skip }"));
  out.program = std::make_shared<const promela::Program>(std::move(program));
  out.warnings = std::move(report.warnings());
  return out;
}

}  // namespace surety
