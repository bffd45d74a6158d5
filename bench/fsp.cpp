// FSP from the text to the composed and minimised LTS, with LTSA's times beside ours.
//
//   bench_fsp
//
// Compile is reading and elaborating; compose is what `surety compose` does then; minimise
// is as LTSA minimises, once all actions but those with `visible` in their names are
// hidden. CPU time of one run each. LTSA's times are constants, from the issue on FSP
// (its own figures, start of its virtual machine excluded, on a loaded machine): only
// their order of magnitude counts.

#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "lang/fsp/fsp.hpp"
#include "model/transform.hpp"

using namespace surety;

namespace {

struct Model {
  std::string name, text;
  std::string visible;  // in the names of the actions that are not hidden; empty: nothing is minimised
  std::string ltsa_compose, ltsa_minimise;
};

std::string philosophers(unsigned n) {
  return fmt::format("const N = {}\n", n) +
         "PHIL = (sit -> right.get -> left.get -> eat -> left.put -> right.put -> arise -> PHIL).\n"
         "FORK = (get -> put -> FORK).\n"
         "||DINERS = forall [i:0..N-1]\n"
         "  (phil[i]:PHIL || {phil[i].left, phil[((i-1)+N)%N].right}::FORK).\n";
}

std::string client_server(unsigned n) {
  return fmt::format("const N = {}\n", n) +
         "CLIENT = (think -> request -> (grant -> use -> release -> CLIENT | deny -> CLIENT)).\n"
         "SERVER = (c[i:1..N].request -> c[i].grant -> BUSY[i]),\n"
         "BUSY[i:1..N] = (c[i].release -> SERVER | c[j:1..N].request -> c[j].deny -> BUSY[i]).\n"
         "||SYSTEM = (forall [i:1..N] c[i]:CLIENT || SERVER).\n";
}

// Guests draw tickets, and boats are hired out in the order of the tickets.
std::string boats(unsigned guests, unsigned boats) {
  return fmt::format("const G = {}\nconst B = {}\n", guests, boats) +
         "range T = 0..G-1\n"
         "GUEST = (arrive -> draw[t:T] -> hire[t] -> row -> land -> GUEST).\n"
         "TICKETS = NEXT[0], NEXT[t:T] = (draw[t] -> NEXT[(t+1)%G]).\n"
         "HIRE = FREE[0][B],\n"
         "FREE[t:T][b:0..B] = (when (b>0) hire[t] -> FREE[(t+1)%G][b-1] | when (b<B) land -> FREE[t][b+1]).\n"
         "||LAKE = (g[1..G]:GUEST || g[1..G]::TICKETS || g[1..G]::HIRE).\n";
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void measure(const Model& model) {
  ActionTable actions;
  Budget budget;
  const double start = cpu_seconds();
  const auto file = read_fsp(model.text, "bench.lts", actions);
  check(file.has_value(), "a text of the benchmark is wrong");
  const auto composite = file->composite(file->composites().back(), budget);
  check(composite.has_value(), "a text of the benchmark is wrong");
  const double compiled = cpu_seconds();
  const Lts lts = compose_fsp(*composite, budget).value();
  const double composed = cpu_seconds();
  std::vector<Action> visible;
  for (const Action a : lts.alphabet())
    if (actions.name(a).find(model.visible) != std::string_view::npos) visible.push_back(a);
  const Lts hidden = project(lts, Alphabet(visible));
  const double projected = cpu_seconds();
  const auto minimal = model.visible.empty() ? 0 : minimise_ltsa(hidden).state_count();
  const double minimised = cpu_seconds();
  const std::string minimise = minimal == 0 ? "-" : fmt::format("{:.2f} s to {}", minimised - projected, minimal);
  fmt::print("{:<18} {:>10} {:>11} | {:>8.4f} {:>8.3f} {:>11.2f} {:>18} | {:>9} {:>9}\n", model.name, lts.state_count(),
             lts.transition_count(), compiled - start, composed - compiled,
             lts.state_count() / (composed - compiled) / 1e6, minimise, model.ltsa_compose, model.ltsa_minimise);
  std::fflush(stdout);
}

}  // namespace

int main() {
  fmt::print("{:<18} {:>10} {:>11} | {:>8} {:>8} {:>11} {:>18} | {:>9} {:>9}\n", "FSP", "states", "transitions",
             "compile", "compose", "M states/s", "minimise", "LTSA:comp", "minimise");
  for (const Model& model : std::vector<Model>{
           {"philosophers 6", philosophers(6), ".eat", "-", "-"},
           {"philosophers 7", philosophers(7), "0.eat", "2.1 s", "-"},
           {"philosophers 8", philosophers(8), "", "-", "-"},
           {"client-server 13", client_server(13), "", "-", "-"},
           {"boats 4, 4", boats(4, 4), "hire", "0.3 s", "35-44 s"},
       })
    measure(model);
  fmt::print(
      "LTSA: its own times; 'boats' stands beside GolfClubFifo (50,336 states). It makes about 50,000 states/s "
      "at 10^6 states, and took 197 s for 5.36 M.\n");
}
