// Who verifies in a study. A further engine is one enumerator and one line in engine.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace surety::study {

enum class Engine : std::uint8_t { exact, flavers };
inline constexpr std::array kEngines = {Engine::exact, Engine::flavers};

std::string_view name_of(Engine engine);  // "exact", as definitions and databases have it
std::optional<Engine> engine_from_name(std::string_view name);

std::string api_word(Engine engine);       // what a request for a check calls it
std::string paper_name(Engine engine);     // of the tool that took this part in the paper
bool is_there(Engine engine);              // this version has it
std::string why_not_there(Engine engine);  // for people
bool takes_constraints(Engine engine);     // and so has more to say of an instance than its property

}  // namespace surety::study
