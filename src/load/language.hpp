// Which language a file is in, by what was said or by the ending of its name.
#pragma once

#include <optional>
#include <string>

#include "load/load.hpp"

namespace surety::api {

enum class Language { aut, fsp, promela, ada };

std::string ending(const std::string& file);
std::optional<Language> language_of(const std::string& file, const std::string& said);

// One LTS: as Aldebaran writes it, or as we do.
bool is_lts_file(const std::string& file);

tl::unexpected<Failure> unknown_language(const std::string& file, const std::string& said);

}  // namespace surety::api
