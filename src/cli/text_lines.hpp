// What the texts of all commands are made of: lines, rows, numbers, traces, LTSs.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "api/verify.hpp"
#include "model/lts.hpp"

namespace surety::cli {

inline constexpr std::size_t kShowStates = 12;  // larger assumptions are only summed up

template <class... Args>
void line(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  out += '\n';
}

// "  name         text"
template <class... Args>
void row(std::string& out, const char* name, fmt::format_string<Args...> format, Args&&... args) {
  line(out, "  {:<12} {}", name, fmt::format(format, std::forward<Args>(args)...));
}

std::string grouped(std::uint64_t n);                           // 1,234
std::string plural(std::uint64_t n, const char* noun);          // "1 state", "2 states"
std::string indented(const std::string& text, std::size_t by);  // every line, without the last newline
std::string shown_trace(const Trace& trace, const ActionTable& actions);
void show_lts(std::string& out, const Lts& lts, const ActionTable& actions, const std::string& name);  // as FSP
std::string about_spin(const spin::Statistics& spin);

}  // namespace surety::cli
