#include "lang/ada/ignored.hpp"

#include <algorithm>
#include <array>

namespace surety::ada {
namespace {

using namespace std::string_view_literals;

// Pragmas, and aspects of the same name: about time, memory, storage, the compiler, or what is modelled anyway.
constexpr std::array kEither{
    "atomic"sv,
    "atomic_components"sv,
    "async_readers"sv,
    "async_writers"sv,
    "convention"sv,
    "cpu"sv,
    "depends"sv,
    "discard_names"sv,
    "dispatching_domain"sv,
    "effective_reads"sv,
    "effective_writes"sv,
    "elaborate_body"sv,
    "exclusive_functions"sv,
    "export"sv,
    "ghost"sv,
    "global"sv,
    "independent"sv,
    "independent_components"sv,
    "inline"sv,
    "inline_always"sv,
    "interrupt_priority"sv,
    "no_inline"sv,
    "no_return"sv,
    "nonblocking"sv,
    "obsolescent"sv,
    "pack"sv,
    "preelaborable_initialization"sv,
    "preelaborate"sv,
    "priority"sv,
    "pure"sv,
    "refined_depends"sv,
    "refined_global"sv,
    "relative_deadline"sv,
    "secondary_stack_size"sv,
    "shared_passive"sv,
    "spark_mode"sv,
    "storage_size"sv,
    "suppress_initialization"sv,
    "universal_aliasing"sv,
    "unmodified"sv,
    "unreferenced"sv,
    "unused"sv,
    "volatile"sv,
    "volatile_components"sv,
};

constexpr std::array kPragmas{
    "ada_05"sv,
    "ada_12"sv,
    "ada_2005"sv,
    "ada_2012"sv,
    "ada_2022"sv,
    "ada_83"sv,
    "ada_95"sv,
    "annotate"sv,
    "assert"sv,
    "assertion_policy"sv,
    "check_policy"sv,
    "compile_time_error"sv,
    "compile_time_warning"sv,
    "controlled"sv,
    "debug_policy"sv,
    "detect_blocking"sv,
    "elaborate"sv,
    "elaborate_all"sv,
    "elaboration_checks"sv,
    "ident"sv,
    "import"sv,
    "linker_options"sv,
    "list"sv,
    "locking_policy"sv,
    "normalize_scalars"sv,
    "optimize"sv,
    "overflow_mode"sv,
    "page"sv,
    "partition_elaboration_policy"sv,
    "priority_specific_dispatching"sv,
    "profile"sv,
    "queuing_policy"sv,
    "restriction_warnings"sv,
    "restrictions"sv,
    "reviewable"sv,
    "shared"sv,
    "source_reference"sv,
    "style_checks"sv,
    "subtitle"sv,
    "suppress"sv,
    "suppress_all"sv,
    "task_dispatching_policy"sv,
    "task_info"sv,
    "task_name"sv,
    "time_slice"sv,
    "title"sv,
    "unsuppress"sv,
    "validity_checks"sv,
    "warnings"sv,
};

constexpr std::array kAspects{
    "alignment"sv,     "bit_order"sv,       "component_size"sv,       "external_name"sv, "link_name"sv,
    "machine_radix"sv, "object_size"sv,     "scalar_storage_order"sv, "size"sv,          "small"sv,
    "stream_size"sv,   "synchronization"sv, "value_size"sv,           "warnings"sv,
};

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

bool is_known_pragma(std::string_view name) { return has(kEither, name) || has(kPragmas, name); }

bool is_known_aspect(std::string_view name) { return has(kEither, name) || has(kAspects, name); }

std::string why_aspect_is_refused(std::string_view name) {
  if (name == "static_predicate" || name == "dynamic_predicate" || name == "predicate")
    return "predicates of subtypes are not supported";
  if (name == "default_value" || name == "default_component_value") return "default values of types are not supported";
  if (name == "address") return "addresses of variables and entries are not supported";
  if (name == "attach_handler") return "interrupts are not supported";
  if (name == "import") return "imported subprograms are not supported";
  return {};
}

}  // namespace surety::ada
