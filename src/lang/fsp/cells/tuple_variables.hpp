// What the names of a process mean while its rules are made (tuple_rules.hpp): a value, or the unread value of a slot.
#pragma once

#include <map>
#include <vector>

#include "lang/fsp/cells/tuple_rules.hpp"
#include "lang/fsp/front/expression.hpp"
#include "lang/fsp/front/names_in.hpp"

namespace surety::fsp {

struct TupleVariable {
  std::string_view name;
  std::uint32_t home = 0;  // the slot it lives in
  std::uint32_t value = SlotChange::kAny;
  std::uint32_t origin = 0;  // if the value is not known: the slot that held it where the path began
};
using TupleVariables = std::vector<TupleVariable>;

const TupleVariable* find(const TupleVariables& variables, std::string_view name);
const TupleVariable* unknown_of(const TupleVariables& variables, const Names& names);  // the first that is not known

// Values have numbers; number 0 is no value.
class TupleValues {
 public:
  std::uint32_t number(const Value& value);
  std::size_t size() const { return values_.size(); }
  // Binds the variables with known values; the others are read before they are looked at.
  Scope scope(const Scope& parameters, const TupleVariables& variables) const;

 private:
  std::map<Value, std::uint32_t> numbers_;
  std::vector<Value> values_{Value(0)};
};

}  // namespace surety::fsp
