#include "lang/promela/network/group.hpp"

#include <utility>

namespace surety::promela::net {
namespace {

// By state of a group: is it a valid end state? It is if those of all members are.
std::vector<bool> ended(const PromelaNetwork& promela, const std::vector<std::size_t>& members,
                        const std::vector<std::vector<State>>& states) {
  std::vector<bool> out;
  for (const auto& tuple : states) {
    bool all = true;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const std::vector<bool>& of_member = promela.ended[members[m]];
      all = all && (of_member.empty() || of_member[tuple[m].value]);
    }
    out.push_back(all);
  }
  return out;
}

}  // namespace

void group_globals(PromelaNetwork& promela, std::size_t processes, std::vector<std::vector<std::size_t>> users,
                   Budget& budget) {
  std::vector<surety::net::Candidate> candidates;
  for (PromelaGlobal& global : promela.globals)
    if (!global.component.empty()) {
      const std::size_t v = candidates.size();
      candidates.push_back({&global, processes + v, std::move(users[v])});
    }
  const auto made = [&](const std::vector<std::size_t>& members, const std::vector<std::vector<State>>& states) {
    promela.ended[members.front()] = ended(promela, members, states);
  };
  const auto gone =
      surety::net::group_variables(promela.network.components, processes, std::move(candidates), made, budget);
  surety::net::drop(promela.ended, gone);
}

}  // namespace surety::promela::net
