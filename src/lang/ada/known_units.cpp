#include "lang/ada/known_units.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace surety::ada {
namespace {

using namespace std::string_view_literals;

constexpr std::array kUnits{
    "ada"sv,
    "ada.text_io"sv,
    "ada.integer_text_io"sv,
    "ada.float_text_io"sv,
    "ada.long_float_text_io"sv,
    "ada.wide_text_io"sv,
    "ada.strings"sv,
    "ada.characters"sv,
    "ada.calendar"sv,
    "ada.real_time"sv,
    "ada.numerics"sv,
    "ada.command_line"sv,
    "ada.exceptions"sv,
    "ada.task_identification"sv,
    "ada.integer_wide_text_io"sv,
    "system"sv,
    "gnat"sv,
    "gnat.io"sv,
    "report"sv,
    "impdef"sv,
    "text_io"sv,
    "calendar"sv,
};

// What use clauses make visible, by the beginning of the unit's name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kNames{{
    {"ada.numerics",
     " generator random reset state save image value initiator pi e sqrt log exp sin cos tan arcsin arccos "
     "arctan float_random discrete_random elementary_functions uniformly_distributed max_image_width "},
    {"ada.task_identification", " task_id null_task_id image current_task environment_task is_terminated is_callable "},
    {"impdef", " minimum_task_switch switch_to_new_task clear_ready_queue long_minimum_task_switch "},
    {"system", " priority any_priority default_priority max_priority min_int max_int address storage_unit "},
    {"ada.characters",
     " to_upper to_lower is_letter is_digit is_upper is_lower is_alphanumeric is_control is_graphic nul lf cr ht "
     "esc bel bs space "},
    {"report",
     " test failed comment result not_applicable special_action ident_int ident_bool ident_char ident_str "
     "equal "},
    {"ada.calendar",
     " clock time year month day seconds split time_of day_duration year_number month_number "
     "day_number time_error image hour minute second formatting "},
    {"calendar", " clock time year month day seconds split time_of day_duration "},
    {"ada.real_time",
     " clock time time_span milliseconds microseconds nanoseconds seconds minutes to_duration "
     "to_time_span time_first time_last time_span_zero time_unit tick split time_of "},
    {"ada.exceptions",
     " exception_name exception_message exception_information exception_occurrence exception_id "
     "raise_exception exception_identity reraise_occurrence save_occurrence null_id null_occurrence "},
    {"ada.command_line", " argument argument_count command_name set_exit_status exit_status success failure "},
    {"ada.strings",
     " trim both left right index head tail unbounded_string to_unbounded_string to_string "
     "null_unbounded_string length append count translate replace_slice insert delete overwrite element slice "
     "unbounded_slice set_unbounded_string bounded_string to_bounded_string fixed bounded unbounded maps "},
}};

constexpr std::string_view kInputOutput =
    " put put_line new_line get get_line get_immediate skip_line set_col set_line col line page new_page flush "
    "file_type file_mode in_file out_file append_file open close create delete reset is_open end_of_file end_of_line "
    "set_output set_input standard_output standard_input standard_error current_output current_input integer_io "
    "float_io enumeration_io modular_io fixed_io decimal_io count field number_base look_ahead set_error "
    "default_width default_base name_error use_error data_error status_error mode_error end_error device_error ";

bool has_word(std::string_view list, std::string_view word) {
  const auto at = list.find(word);
  if (at == std::string_view::npos) return false;
  for (auto i = at; i != std::string_view::npos; i = list.find(word, i + 1))
    if (i > 0 && list[i - 1] == ' ' && i + word.size() < list.size() && list[i + word.size()] == ' ') return true;
  return false;
}

bool is_below(std::string_view unit, std::string_view parent) {
  return unit.starts_with(parent) && (unit.size() == parent.size() || unit[parent.size()] == '.');
}

}  // namespace

bool is_known_unit(std::string_view unit) {
  return std::ranges::any_of(kUnits, [&](std::string_view known) {
    return known == "ada" || known == "gnat" ? unit == known : is_below(unit, known);
  });
}

bool is_refused_unit(std::string_view unit) {
  return is_below(unit, "interfaces") || unit == "ada.asynchronous_task_control" || unit == "ada.dynamic_priorities" ||
         unit == "ada.finalization" || is_below(unit, "ada.containers") || unit == "ada.unchecked_deallocation" ||
         unit == "ada.unchecked_conversion" || unit == "system.machine_code" ||
         unit == "system.address_to_access_conversions" || is_below(unit, "ada.streams") || unit == "ada.tags";
}

bool is_known_name(std::string_view unit, std::string_view name) {
  for (const auto& [known, names] : kNames)
    if (is_below(unit, known) && has_word(names, name)) return true;
  return unit.find("io") != std::string_view::npos && has_word(kInputOutput, name);
}

std::string_view symbol_of(Operator op) {
  constexpr std::array kSymbols{"and"sv, "or"sv,  "xor"sv, "and then"sv, "or else"sv, "="sv,   "/="sv, "<"sv,
                                "<="sv,  ">"sv,   ">="sv,  "+"sv,        "-"sv,       "&"sv,   "*"sv,  "/"sv,
                                "mod"sv, "rem"sv, "**"sv,  "+"sv,        "-"sv,       "abs"sv, "not"sv};
  return kSymbols[static_cast<std::size_t>(op)];
}

}  // namespace surety::ada
