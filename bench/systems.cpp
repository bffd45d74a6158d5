#include "systems.hpp"

#include <fmt/format.h>

#include <array>

namespace surety::bench {
namespace {

// Steps written as (from, action, to).
class Maker {
 public:
  explicit Maker(ActionTable& actions) : actions_(actions) {}
  Maker& step(std::uint32_t from, const std::string& action, std::uint32_t to) {
    states_ = std::max({states_, from + 1, to + 1});
    builder_.add_step(State{from}, actions_.intern(action), State{to});
    return *this;
  }
  Lts build() {
    builder_.set_state_count(states_);
    return builder_.build();
  }

 private:
  ActionTable& actions_;
  LtsBuilder builder_;
  std::uint32_t states_ = 1;
};

std::string numbered(const char* name, unsigned i) { return fmt::format("{}.{}", name, i); }

// At most one of 0 .. n-1 is between its `enter` and its `leave`.
Property mutual_exclusion(ActionTable& actions, unsigned n, const char* enter, const char* leave) {
  Maker property(actions);
  for (unsigned i = 0; i < n; ++i) property.step(0, numbered(enter, i), 1).step(1, numbered(leave, i), 0);
  return {"mutual_exclusion", property.build()};
}

}  // namespace

System philosophers(ActionTable& actions, unsigned n, bool deadlock) {
  System system;
  system.name = fmt::format("philosophers {}{}", n, deadlock ? ", deadlock" : "");
  for (unsigned i = 0; i < n; ++i) {
    auto fork = [&](const char* verb, unsigned which) { return fmt::format("{}.{}.{}", verb, i, which); };
    unsigned first = i, second = (i + 1) % n;
    if (!deadlock && i == n - 1) std::swap(first, second);
    const std::array round = {numbered("sit", i), fork("take", first), numbered("pause", i),       fork("take", second),
                              numbered("eat", i), fork("put", first),  numbered("pause_again", i), fork("put", second)};
    Maker philosopher(actions);
    for (unsigned k = 0; k < 8; ++k) philosopher.step(k, round[k], (k + 1) % 8);
    system.components.push_back({numbered("philosopher", i), philosopher.build()});
  }
  for (unsigned i = 0; i < n; ++i) {
    Maker fork(actions);
    for (const auto& [user, taken] : {std::pair(i, 1U), std::pair((i + n - 1) % n, 2U)})
      fork.step(0, fmt::format("take.{}.{}", user, i), taken).step(taken, fmt::format("put.{}.{}", user, i), 0);
    system.components.push_back({numbered("fork", i), fork.build()});
  }
  // Forks remember which side took them, as the LTSs do.
  system.promela = fmt::format(R"(byte fork[{0}];
#define left _pid
#define right ((_pid + 1) % {0})
active [{1}] proctype philosopher() {{
  do
  :: skip;
     d_step {{ fork[left] == 0; fork[left] = 1 }};
     skip;
     d_step {{ fork[right] == 0; fork[right] = 2 }};
     skip;
     fork[left] = 0;
     skip;
     fork[right] = 0
  od
}}
)",
                               n, deadlock ? n : n - 1);
  if (!deadlock)
    system.promela += R"(active proctype other_hand() {
  do
  :: skip;
     d_step { fork[right] == 0; fork[right] = 2 };
     skip;
     d_step { fork[left] == 0; fork[left] = 1 };
     skip;
     fork[right] = 0;
     skip;
     fork[left] = 0
  od
}
)";
  system.spin_depth_share = 0.75;
  return system;
}

System milner(ActionTable& actions, unsigned n) {
  System system;
  system.name = fmt::format("Milner's scheduler {}", n);
  for (unsigned i = 0; i < n; ++i) {
    // 0: has the turn, 1: task started, 2: task ended, 3: turn passed on, 4: waits. The first has the turn.
    const std::array<std::uint32_t, 5> at = i == 0 ? std::array{0U, 1U, 2U, 3U, 4U} : std::array{1U, 2U, 3U, 4U, 0U};
    Maker cycler(actions);
    cycler.step(at[0], numbered("start", i), at[1]);
    cycler.step(at[1], numbered("end", i), at[2]).step(at[2], numbered("turn", (i + 1) % n), at[4]);
    cycler.step(at[1], numbered("turn", (i + 1) % n), at[3]).step(at[3], numbered("end", i), at[4]);
    cycler.step(at[4], numbered("turn", i), at[0]);
    system.components.push_back({numbered("cycler", i), cycler.build()});
  }
  system.promela = fmt::format(R"(chan turn[{0}] = [0] of {{ bit }};
inline cycle() {{
  skip;  /* start */
  if
  :: skip; turn[(_pid + 1) % {0}]!1  /* end, pass the turn on */
  :: turn[(_pid + 1) % {0}]!1; skip
  fi
}}
active proctype first() {{
  do :: cycle(); turn[_pid]?_ od
}}
active [{1}] proctype cycler() {{
  do :: turn[_pid]?_; cycle() od
}}
)",
                               n, n - 1);
  system.spin_depth_share = 0.72;
  return system;
}

System token_ring(ActionTable& actions, unsigned n) {
  System system;
  system.name = fmt::format("token ring {}", n);
  for (unsigned i = 0; i < n; ++i) {
    // 0: idle, 1: wants; 2, 3: the same with the token; 4: in its critical section.
    const std::array<std::uint32_t, 5> at = i == 0 ? std::array{1U, 2U, 0U, 3U, 4U} : std::array{0U, 1U, 2U, 3U, 4U};
    Maker station(actions);
    station.step(at[0], numbered("want", i), at[1]).step(at[2], numbered("want", i), at[3]);
    station.step(at[0], numbered("token", i), at[2]).step(at[1], numbered("token", i), at[3]);
    station.step(at[3], numbered("enter", i), at[4]).step(at[4], numbered("leave", i), at[2]);
    station.step(at[2], numbered("token", (i + 1) % n), at[0]);
    system.components.push_back({numbered("station", i), station.build()});
  }
  system.property = mutual_exclusion(actions, n, "enter", "leave");
  system.promela = fmt::format(R"(byte token, inside;
active [{0}] proctype station() {{
  do
  :: d_step {{ token == _pid; token = (_pid + 1) % {0} }}
  :: skip;  /* want */
     d_step {{ token == _pid; assert(inside == 0); inside++ }};
     inside--
  od
}}
)",
                               n);
  system.spin_depth_share = 0.45;
  return system;
}

System client_server(ActionTable& actions, unsigned n) {
  System system;
  system.name = fmt::format("client-server {}", n);
  Maker server(actions);
  for (unsigned i = 0; i < n; ++i) {
    Maker client(actions);
    client.step(0, numbered("request", i), 1);
    client.step(1, numbered("grant", i), 2).step(1, numbered("deny", i), 0);
    client.step(2, numbered("use", i), 3).step(3, numbered("release", i), 0);
    system.components.push_back({numbered("client", i), client.build()});
    server.step(0, numbered("grant", i), i + 1).step(i + 1, numbered("release", i), 0);
    for (unsigned j = 0; j < n; ++j)
      if (j != i) server.step(i + 1, numbered("deny", j), i + 1);
  }
  system.components.push_back({"server", server.build()});
  system.property = mutual_exclusion(actions, n, "grant", "release");
  system.promela = fmt::format(R"(mtype = {{ grant, deny, release }};
chan server = [0] of {{ mtype }};
byte inside;
active [{0}] proctype client() {{
  do
  :: skip;  /* request */
     if
     :: server!grant;
        skip;  /* use */
        server!release
     :: server!deny
     fi
  od
}}
active proctype the_server() {{
  do
  :: atomic {{ server?grant; assert(inside == 0); inside++ }};
     do
     :: server?deny
     :: atomic {{ server?release; inside--; break }}
     od
  od
}}
)",
                               n);
  system.spin_depth_share = 0.5;
  return system;
}

System widened(ActionTable& actions, System system, unsigned parts) {
  const std::string never = "never";
  system.name += fmt::format(" + {} idle parts", parts);
  for (unsigned p = 0; p < parts; ++p) {
    Maker idle(actions);
    for (unsigned s = 0; s < 15; ++s) idle.step(s, never, s + 1);
    system.components.push_back({numbered("idle", p), idle.build()});
  }
  LtsBuilder refuses;
  refuses.add_to_alphabet({actions.intern(never)});
  system.components.push_back({"refuses", refuses.build()});
  system.promela.clear();
  return system;
}

std::vector<Part> parts_of(const System& system) {
  std::vector<Part> parts;
  for (const auto& component : system.components) parts.push_back({&component.lts});
  if (system.property) parts.push_back({&system.property->lts, Role::watch});
  return parts;
}

}  // namespace surety::bench
