// What names stand for: types, objects, subprograms and so on, in nested scopes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lang/ada/tree.hpp"
#include "model/flow_graph.hpp"

namespace surety::ada {

using flow::Code;
using flow::kNone;
using flow::Value;

struct Entity;
struct Scope;

// How many slots, tasks and protected objects something takes.
struct Extent {
  std::uint32_t slots = 0, tasks = 0, objects = 0;
  friend Extent operator+(Extent a, Extent b) { return {a.slots + b.slots, a.tasks + b.tasks, a.objects + b.objects}; }
  friend Extent operator*(Extent a, std::uint32_t n) { return {a.slots * n, a.tasks * n, a.objects * n}; }
  bool operator==(const Extent&) const = default;
};

// A type or a subtype. Subtypes of one type have the same base.
struct Type {
  enum class Kind : std::uint8_t {
    enumeration,
    integer,
    modular,
    universal,  // of whole numbers without a type
    array,
    record,
    task,
    protected_unit,
    opaque,  // not modelled
  };
  struct Field {
    std::string name;
    const Type* type = nullptr;
    const Expression* value = nullptr;  // by default
    Extent at;
    bool discriminant = false;
  };
  enum class Opaque : std::uint8_t { other, real, text };
  Kind kind = Kind::opaque;
  Opaque opaque = Opaque::other;  // what it is, so that overloaded names are told apart
  std::string name;               // as it is written
  const Type* base = nullptr;
  const Type* parent = nullptr;  // of a derived type: the base of the one that it is derived from
  Value low = 0, high = 0;
  Value modulus = 0;
  std::uint32_t display = 0;                      // in Program::displays
  std::vector<std::string> literals;              // of the base of an enumeration
  std::vector<const Type*> indices;               // of an array
  bool unconstrained = false;                     // an array whose bounds are not known
  const Type* component = nullptr;                // of an array
  std::vector<Field> fields;                      // of a record; of tasks and protected objects: their discriminants
  bool access = false;                            // access to an object of this type, which is made once
  const Declaration* unit = nullptr;              // of a task or protected type
  const Declaration* body = nullptr;              // once it is known
  Scope* scope = nullptr;                         // where unit (or record) stands
  Scope* body_scope = nullptr;                    // where the body stands
  std::string why_opaque;                         // a floating-point type, a string ...
  bool ranged = false;                            // of an opaque one: with a range, which is not checked
  Extent extent;                                  // of an object of it
  const SubtypeIndication* constraint = nullptr;  // W (3): what gives values to its discriminants
  Scope* constraint_scope = nullptr;              // where that stands

  bool discrete() const { return kind <= Kind::universal; }
  bool whole_number() const { return kind >= Kind::integer && kind <= Kind::universal; }
  bool is_boolean() const { return kind == Kind::enumeration && base->name == "Boolean"; }
  std::uint64_t count() const { return high < low ? 0 : static_cast<std::uint64_t>(high - low) + 1; }
};

// An object or a part of one: where its slots, tasks and protected objects begin. If an index is not known, `offset`
// is a code for how many elements further it is.
struct Location {
  const Type* type = nullptr;
  Extent first;
  Code index;  // empty: it is known where it is. Else it is `stride` times the value of this further
  Extent stride;
  std::uint32_t count = 1;  // of the elements that it can be
  bool constant = false;    // it may not be written
  bool ignored = false;     // annotated so: it is opaque
  Entity* entity = nullptr;
};

struct Entity {
  enum class Kind : std::uint8_t {
    object,  // location; known: its value
    number,  // known
    type,
    literal,     // type, known: an enumeration literal
    subprogram,  // declaration with profile, body
    entry,       // of the task or protected object around
    package,
    exception,
    generic,
    label,  // of a statement
    known,  // something of a known unit: known_name
  };
  Kind kind = Kind::object;
  std::string name;  // as it is written
  Place place;
  const Type* type = nullptr;
  Location location;
  std::optional<Value> value;                // of a number, a literal, a constant that is known
  const Declaration* declaration = nullptr;  // of a subprogram, entry, generic
  const Declaration* body = nullptr;         // of a subprogram
  Scope* scope = nullptr;                    // where the declaration stands; of a package: what is in it
  Scope* body_scope = nullptr;               // where the body stands
  std::uint32_t number = 0;                  // of an exception; of an entry or operation: its place in the unit
  std::string known;                         // of a known unit, and what is in it: ada.text_io.put
  std::vector<const Type*> parameter_types;  // of a subprogram or entry, one per name
  const Type* result = nullptr;
  const Type* unit = nullptr;  // of an entry or protected operation: the type that it belongs to
  bool active = false;         // it is being expanded: a call of it is recursion
  std::string given_name;      // annotated
  bool used = false;
  Entity* renamed = nullptr;           // the entry or protected operation of `location` that this is another name of
  const Expression* family = nullptr;  // of a renamed entry: its index
  std::uint32_t reference = kNone;     // of an access object that may be null: the slot that tells
  std::size_t making = 0;              // and how the object is made: in Expander::makings_
  bool access = false;                 // of an object: it is named by an access object, which is never assigned
};

struct Scope {
  Scope* outer = nullptr;
  std::map<std::string, std::vector<Entity*>> entities;
  std::vector<Scope*> used;  // packages in a use clause
  struct Known {
    std::string unit;
    const Type* type = nullptr;  // of an instance: its first parameter
  };
  std::vector<Known> known;  // known units in a use clause
  struct UsedType {
    const Type* type = nullptr;
    Scope* scope = nullptr;  // where it is declared
    bool all = false;        // not the operators only
  };
  std::vector<UsedType> used_types;
  Entity* unit = nullptr;  // the subprogram, package or task that it is of
  bool ordered = false;    // a body or a block: what is declared further down is not there yet
};

}  // namespace surety::ada
