// What the random programs are made of.

#include <gtest/gtest.h>

#include <regex>

#include "agreement/promela_programs.hpp"

namespace surety {
namespace {

struct Construct {
  const char* name;
  const char* pattern;
};

const std::vector<Construct> kConstructs = {
    {"a global array", R"((^|\n)(byte|bit|bool|short|int|pid|mtype) g\d+\[)"},
    {"a global array of bits", R"(\n(bit|bool) g\d+\[)"},
    {"a global array of mtype", R"(\nmtype g\d+\[)"},
    {"a global array of short or int", R"(\n(short|int) g\d+\[)"},
    {"a local array", R"( (byte|bit|bool|short|int|pid|mtype) x\d+\[)"},
    {"a list of values", R"(\] = \{ )"},
    {"an array in a structure", R"(typedef S\d \{.*f\d+\[)"},
    {"a structure in a structure", R"(typedef S1 \{.*S0 )"},
    {"an array of structures", R"(\nS\d r\d+\[2\])"},
    {"an array of structures in a structure", R"(S0 f\d+\[2\])"},
    {"a local structure", R"(  S\d r\d+;)"},
    {"a structure in a message", R"(of \{[^}]*S\d)"},
    {"several fields", R"(of \{ [^}]*, )"},
    {"three fields", R"(of \{ [^}]*,[^}]*, )"},
    {"a message of mtype", R"(of \{[^}]*mtype)"},
    {"a message of short or int", R"(of \{[^}]*(short|int))"},
    {"a message of a bit", R"(of \{[^}]*(bit|bool))"},
    {"an array of channels", R"(chan c\d\[2\])"},
    {"a rendezvous", R"(= \[0\] of)"},
    {"a buffer", R"(= \[[12]\] of)"},
    {"several channels", R"(chan c1)"},
    {"a local channel", R"(  chan own\d+)"},
    {"a channel as a parameter", R"(proctype P\d\([^)]*chan)"},
    {"an initial value that does not fit",
     R"((byte|bit|bool|pid) [gx]\d+(\[\d\])? = (256|257|\(-1\)|32767|32768|65537|70000))"},
    {"an initial value of a short that does not fit", R"(short [gx]\d+(\[\d\])? = (32768|65537|70000))"},
    {"an initial value that is an expression", R"([gx]\d+ = \d \+ \d)"},
    {"a local initial value from a variable", R"( x\d+ = [^;]*[gx]\d+[^;]*;)"},
    {"unsigned", R"(unsigned [gx]\d+ : [123])"},
    {"unsigned in a structure", R"(unsigned f\d+ : 2)"},
    {"mtype sets", R"(mtype:fruit [gx]\d+)"},
    {"select", R"(select \(x\d+ : )"},
    {"for", R"(for \(i\d+ : )"},
    {"for in an array", R"(for \(i\d+ in )"},
    {"a declaration in a loop", R"(\b(do|for)\b[^}]*\n +(byte|bit|bool|short|int) x\d+)"},
    {"a declaration in a block", R"(\n +\{\n +(byte|bit|bool|short|int|unsigned|mtype|pid) x\d+)"},
    {"a declaration in an atomic sequence", R"(atomic \{\n +(byte|bit|bool|short|int|unsigned|mtype|pid) x\d+)"},
    {"an inline with a local", R"(inline act\d\([^)]*\) \{\n +(byte|bit|bool|short|int|unsigned|mtype|pid))"},
    {"an inline with parameters", R"(inline act\d\(a)"},
    {"a label in an inline", R"(again\d: if)"},
    {"d_step", R"(d_step \{)"},
    {"d_step with a receive", R"(d_step \{\n +\w+(\[[^\]]*\])?\?)"},
    {"atomic with a channel", R"(atomic \{[^}]*\w[!?]\w)"},
    {"a sorted send", R"(!!)"},
    {"a random receive", R"(\?\?[^<\[])"},
    {"a peek", R"([^?]\?<)"},
    {"a random peek", R"(\?\?<)"},
    {"a poll", R"([^?]\?\[)"},
    {"a random poll", R"(\?\?\[)"},
    {"eval", R"(eval\()"},
    {"_", R"(\?_|,_)"},
    {"an assignment to _", R"(\n *(\w+: )*_ = )"},
    {"len", R"(len\()"},
    {"full and empty", R"((full|empty|nfull|nempty)\()"},
    {"division", R"( / )"},
    {"a remainder", R"( % )"},
    {"shifts", R"( (<<|>>) )"},
    {"bits", R"(~\()"},
    {"a negative value", R"(-\()"},
    {"a conditional expression", R"(\([^()]*\) -> [^\n]* : )"},
    {"++ and --", R"(\+\+|--)"},
    {"goto", R"(goto to)"},
    {"an end label", R"(end\d+: )"},
    {"else", R"(:: else)"},
    {"a loop", R"(\bdo\n)"},
    {"init with arguments", R"(run P\d\([^)])"},
    {"several of a kind", R"(active \[2\])"},
    {"_pid", R"(_pid)"},
    {"assert", R"(assert ?\()"},
    {"print", R"(print[fm]\()"},
    {"xr and xs", R"(xs own)"},
    {"an mtype head", R"(!(red|green|blue)\()"},
    {"trace", R"(\ntrace \{)"},
    {"notrace", R"(\nnotrace \{)"},
    {"a formula", R"(\nltl f0)"},
    {"a formula about a place", R"(ltl [^\n]*@here)"},
    {"a formula about a buffer", R"(ltl [^\n]*len\()"},
    {"macros", R"(#define)"},
    {"for through messages", R"(for \(r\d+ in c\d\))"},
    {"a channel in a message", R"(post\?back)"},
    {"a channel that is assigned", R"(back\d+ = c0)"},
    {"a channel in a structure", R"(port\[[01]\]\.q[!?])"},
    {"the number of a new process", R"(= run P)"},
    {"unless", R"(\} unless \{)"},
    {"timeout", R"(:: timeout)"},
    {"provided", R"( provided )"},
    {"_nr_pr", R"(_nr_pr)"},
    {"a place of another process", R"(:: P\d(\[\d\])?@here)"},
};

TEST(RandomProgramText, HasAllOfTheLanguage) {
  constexpr std::uint64_t kPrograms = 3'000;
  std::vector<std::pair<std::regex, int>> found;
  for (const Construct& construct : kConstructs)
    found.emplace_back(std::regex(construct.pattern, std::regex::optimize), 0);
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    const std::string text = random_promela(seed);
    for (auto& [pattern, count] : found) count += std::regex_search(text, pattern);
  }
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_GE(found[i].second, 5) << kConstructs[i].name;
}

TEST(RandomProgramText, IsTheSameForTheSameSeed) {
  EXPECT_EQ(random_promela(7), random_promela(7));
  EXPECT_NE(random_promela(7), random_promela(8));
}

}  // namespace
}  // namespace surety
