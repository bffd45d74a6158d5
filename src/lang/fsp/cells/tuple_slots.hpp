// Which indices of a process share a slot of its tuple (tuple_rules.hpp).
//
// Every index of a local process and every variable of a label is a source. Those of one
// local process have different slots, since they may be in use together; others share one
// when a value is handed on from one to the other, or when they have the same name.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lang/fsp/front/tree.hpp"

namespace surety::fsp {

class TupleSlots {
 public:
  explicit TupleSlots(const ProcessDefinition& definition);

  std::uint32_t of(std::size_t local, std::size_t position) const { return slot_[first_[local] + position]; }
  std::uint32_t of(const Index& label_index) const { return slot_[labels_.at(&label_index)]; }
  const std::vector<std::string>& names() const { return slot_names_; }

 private:
  using Sources = std::map<std::string_view, std::size_t>;

  void add(std::size_t local, std::string_view name);
  void add_labels(std::size_t local, const Body& body);
  Sources scope_of(std::size_t local) const;
  void hand_on(const Body& body, const Sources& scope);
  std::size_t find(std::size_t source) const;
  void unite(std::size_t a, std::size_t b);
  void number();

  const ProcessDefinition& definition_;
  std::vector<std::size_t> first_;              // source of the first index, by local process
  std::map<const Index*, std::size_t> labels_;  // sources
  std::vector<std::size_t> parent_;             // by source: a forest of those that share a slot
  std::vector<std::set<std::size_t>> owners_;   // by root: the local processes
  std::vector<std::string_view> names_;         // by source
  std::vector<std::uint32_t> slot_;             // by source
  std::vector<std::string> slot_names_;
};

}  // namespace surety::fsp
