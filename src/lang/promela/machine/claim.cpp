#include "lang/promela/machine/claim.hpp"

namespace surety::promela {
namespace {

class ClaimMaker {
 public:
  ClaimMaker(const std::function<std::uint32_t(const Expression&)>& proposition, Report& report)
      : proposition_(proposition), report_(report) {}

  MachineClaim run(const Process& never, const Flow& flow) {
    if (!never.variables.empty()) refuse(never.variables[0].place, "a variable");
    MachineClaim out;
    out.start = flow.start;
    over_ = static_cast<std::uint32_t>(flow.places.size());
    for (const Flow::Place& p : flow.places) out.places.push_back(place(p));
    out.places.emplace_back().over = true;
    return out;
  }

 private:
  void refuse(Place place, const std::string& what) {
    report_.error(place, what + " in a never claim is not supported", "a claim consists of conditions");
  }

  MachineClaim::Place place(const Flow::Place& from) {
    MachineClaim::Place made;
    made.accepting = from.accept;
    made.over = from.end;  // pan takes a label end* for the end
    std::vector<std::uint32_t> before;
    for (const Flow::Edge& edge : from.edges) {
      MachineClaim::Edge next;
      next.target = edge.target;
      switch (edge.kind) {
        case Flow::Edge::Kind::finish: made.over = true; continue;
        case Flow::Edge::Kind::skip: break;
        case Flow::Edge::Kind::otherwise: next.none = before; break;
        case Flow::Edge::Kind::d_step: refuse(edge.statement->place, "d_step"); continue;
        case Flow::Edge::Kind::statement: {
          const Statement& s = *edge.statement;
          const bool asserts = s.kind == Statement::Kind::assertion;
          if (!asserts && s.kind != Statement::Kind::condition) {
            refuse(s.place, "this statement");
            continue;
          }
          const std::uint32_t condition = proposition_(s.value);
          if (asserts) made.edges.push_back({{}, {condition}, over_});
          next.all = {condition};
          before.push_back(condition);
        }
      }
      made.edges.push_back(std::move(next));
    }
    return made;
  }

  const std::function<std::uint32_t(const Expression&)>& proposition_;
  Report& report_;
  std::uint32_t over_ = 0;  // where the claim is when an assertion in it fails: that ends it
};

}  // namespace

MachineClaim claim_of(const Process& never, const Flow& flow,
                      const std::function<std::uint32_t(const Expression&)>& proposition, Report& report) {
  return ClaimMaker(proposition, report).run(never, flow);
}

}  // namespace surety::promela
