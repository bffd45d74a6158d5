#include "lang/promela/machine/label_claim.hpp"

namespace surety {

MachineClaim label_claim(std::string_view check, PromelaMachine& machine) {
  MachineClaim out;
  out.places.resize(1);
  out.places[0].edges.push_back({});
  if (check == "accept") {
    out.accepting = machine.add_accepting();
    return out;
  }
  promela::Expression np;
  np.op = promela::Expression::Op::non_progress;
  const std::uint32_t non_progress = machine.add_proposition(np);
  out.endless = true;
  const MachineClaim::Edge stays{{non_progress}, {}, 1};
  out.places[0].edges.push_back(stays);
  out.places.emplace_back().edges.push_back(stays);
  out.places[1].accepting = true;
  return out;
}

}  // namespace surety
