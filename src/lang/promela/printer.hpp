// A tree as Promela text that real spin reads as the same program.
#pragma once

#include <string>

#include "lang/promela/tree.hpp"

namespace surety::promela {

std::string to_promela(const Program& program);

// Parts of a program, for code that puts a new program together from them.
std::string print(const Program& program, const Process& process);    // the whole proctype, ends with a newline
std::string print(const Program& program, const Variable& variable);  // a declaration without ';'
std::string print(const Program& program, const Type& type);
std::string print(const Expression& expression);  // every operator in parentheses
std::string print(const Reference& reference);
std::string print(const Pattern& pattern);

// One line, as a trace shows it: without labels; of a compound statement its first word.
std::string brief(const Statement& statement);

}  // namespace surety::promela
