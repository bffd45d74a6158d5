#include "agreement/promela_programs.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/random.hpp"

namespace surety {
namespace {

class Writer {
 public:
  Writer(std::uint64_t seed, const ProgramMix& mix) : random_(seed), mix_(mix) {}

  std::string run() {
    out_ = "mtype = { red, green };\n";
    const std::uint32_t globals = random_.below(4);
    for (std::uint32_t i = 0; i < globals; ++i) {
      const char* type = random_.chance(50) ? "byte" : random_.chance(50) ? "bit" : "bool";
      globals_.push_back(fmt::format("g{}", i));
      if (type == std::string("byte")) bytes_.push_back(globals_.back());
      out_ += fmt::format("{} g{}{};\n", type, i, random_.chance(30) ? " = 1" : "");
    }
    if (random_.chance(25)) {
      out_ += "byte a[2];\n";
      array_ = true;
      globals_.insert(globals_.end(), {"a[0]", "a[1]"});
      bytes_.insert(bytes_.end(), {"a[0]", "a[1]"});
    }
    const std::uint32_t channels = 1 + random_.below(3);
    for (std::uint32_t i = 0; i < channels; ++i) {
      const std::uint32_t capacity = random_.chance(60) ? 0 : 1 + random_.below(2);
      const std::uint32_t fields = 1 + random_.below(2);
      channels_.push_back({fmt::format("c{}", i), capacity, fields});
      out_ += fmt::format("chan c{} = [{}] of {{ byte{} }};\n", i, capacity, fields == 2 ? ", bit" : "");
    }
    const bool with_init = random_.chance(40);
    const std::uint32_t types = 2 + random_.below(2);
    std::string starts;
    for (std::uint32_t t = 0; t < types; ++t) {
      const bool active = !with_init || random_.chance(30);
      const std::uint32_t copies = t == 0 && random_.chance(35) ? 2 : 1;
      process(fmt::format("P{}", t), active, copies);
      for (std::uint32_t i = 0; !active && i < copies; ++i) starts += fmt::format("    run P{}({});\n", t, i + 1);
    }
    if (!starts.empty()) {
      starts.erase(starts.rfind(';'), 1);
      out_ += "init {\n  atomic {\n" + starts + "  }\n}\n";
    }
    if (mix_.formula) out_ += "\nltl f { " + formula() + " }\n";
    return out_;
  }

 private:
  struct Channel {
    std::string name;
    std::uint32_t capacity, fields;
  };

  std::string one_of(const std::vector<std::string>& some) {
    return some[random_.below(static_cast<std::uint32_t>(some.size()))];
  }

  void line(const std::string& text) { out_ += std::string(2 * depth_, ' ') + text; }

  void process(const std::string& name, bool active, std::uint32_t copies) {
    out_ += "\n";
    if (active) out_ += copies > 1 ? fmt::format("active [{}] ", copies) : "active ";
    out_ += fmt::format("proctype {}({}) {{\n  byte x, y;\n", name, active ? "" : "byte me");
    locals_ = {"x", "y"};
    readable_ = locals_;
    if (!active) readable_.emplace_back("me");
    depth_ = 1;
    label_ = 0;
    self_ = copies == 1 ? name : active ? fmt::format("{}[{}]", name, running_) : "";
    if (active) running_ += copies;
    const bool loop = random_.chance(75);
    targets_ = {"top"};
    if (loop) {
      out_ += random_.chance(40) ? "end_top:\n" : "";
      targets_ = {"top"};
      out_ += "top:\n";
    }
    if (!loop) targets_.clear();
    sequence(2 + random_.below(3), 2, Where::plain);
    if (loop) line("; goto top\n");
    out_ += "}\n";
  }

  enum class Where { plain, atomic, d_step };

  // Statements with ';' between them.
  void sequence(std::uint32_t length, int levels, Where where) {
    for (std::uint32_t i = 0; i < length; ++i) {
      if (i > 0) line(";\n");
      statement(levels, where, i == 0);
    }
  }

  void statement(int levels, Where where, bool first) {
    if (where == Where::plain && random_.chance(8)) line(fmt::format("end{}:\n", ++label_));
    if (where == Where::plain && mix_.labels && random_.chance(8))
      line(fmt::format("{}_{}:\n", random_.chance(50) ? "accept" : "progress", ++label_));
    const bool may_label = where == Where::plain || (where == Where::atomic && !first);
    if (may_label && mix_.formula && !self_.empty() && random_.chance(25)) {
      line(fmt::format("here{}:\n", ++label_));
      places_.push_back(fmt::format("{}@here{}", self_, label_));
    }
    const std::uint32_t dice = random_.below(100);
    if (levels > 0 && dice < 14) return choice("if", "fi", levels - 1, where);
    if (levels > 0 && dice < 20 && where != Where::d_step) return choice("do", "od", levels - 1, where);
    if (levels > 0 && dice < 30 && where == Where::plain) return block("atomic", Where::atomic);
    if (levels > 0 && dice < 34 && where == Where::plain && mix_.special) {
      line("skip\n");  // spin wants no jump to a d_step, and the end of a loop is one
      line(";\n");
      return block("d_step", Where::d_step);
    }
    if (dice < 38 && where == Where::plain && !targets_.empty() && levels < 2)
      return line(fmt::format("goto {}\n", one_of(targets_)));
    if (dice < 42 && where == Where::plain && levels > 0) {
      if (random_.chance(50)) return line("select (y : 0 .. 1)\n");
      line("for (y : 0 .. 1) {\n");
      nested([&] { simple(Where::plain, true); });
      return line("}\n");
    }
    simple(where, first);
  }

  template <class Inside>
  void nested(Inside inside) {
    ++depth_;
    inside();
    --depth_;
  }

  void block(const std::string& word, Where where) {
    line(word + " {\n");
    nested([&] { sequence(1 + random_.below(3), 1, where); });
    line("}\n");
  }

  void choice(const std::string& open, const std::string& close, int levels, Where where) {
    line(open + "\n");
    const bool with_else = where == Where::d_step || random_.chance(40);
    const std::uint32_t options = 1 + random_.below(3);
    for (std::uint32_t i = 0; i < options; ++i) {
      line(":: ");
      const bool skips = guard(where, with_else);
      if (random_.chance(70) || skips) {  // pan wants no loop that does nothing
        out_ += " ->\n";
        nested([&] { sequence(1 + random_.below(2), levels, where); });
        if (open == "do" && (where != Where::plain || random_.chance(40))) line("; break\n");
      } else {
        out_ += open == "do" && (where != Where::plain || random_.chance(40)) ? "; break\n" : "\n";
      }
    }
    if (with_else) line(open == "do" ? ":: else -> break\n" : random_.chance(50) ? ":: else\n" : ":: else -> skip\n");
    line(close + "\n");
  }

  // The first statement of an option; is it skip? With an else beside it spin wants no messages.
  bool guard(Where where, bool with_else) {
    const bool skips = where == Where::plain && !with_else && random_.chance(10);
    const bool talks = !skips && where == Where::plain && !with_else && random_.chance(60);
    out_ += skips ? "skip" : talks ? message() : condition(!with_else);
    return skips;
  }

  void simple(Where where, bool first) {
    const std::uint32_t dice = random_.below(100);
    const bool may_meet = where == Where::plain || (where == Where::atomic && first && random_.chance(70));
    if (dice < 40 && (may_meet || where == Where::atomic)) {
      const std::string text = message(!may_meet);
      if (!text.empty()) return line(text + "\n");
    }
    if (dice < 50 && where != Where::d_step) return line(condition() + "\n");
    // pan lets a d_step that starts with an assertion run in the middle of a rendezvous of others: keep off.
    if (dice < 58 && mix_.assertions && !(where == Where::d_step && first))
      return line(fmt::format("assert({})\n", assertion()));
    if (mix_.errors && array_ && random_.chance(15)) return line(fmt::format("a[{}] = {}\n", one_of(locals_), value()));
    if (dice < 80 && !globals_.empty()) {
      const std::string g = one_of(globals_);
      return line(g + " = " + value() + "\n");
    }
    line(one_of(locals_) + " = " + value() + "\n");
  }

  std::string atom() {
    if (random_.chance(30) || (globals_.empty() && random_.chance(50))) return fmt::format("{}", random_.below(3));
    if (!globals_.empty() && random_.chance(50)) return one_of(globals_);
    return one_of(readable_);
  }

  std::string value() {
    if (random_.chance(40)) return fmt::format("{}", random_.below(3));
    if (random_.chance(40)) return fmt::format("({} + 1) % 3", atom());
    return atom();
  }

  std::string condition(bool about_buffers = true) {
    if (mix_.special && about_buffers && random_.chance(15))
      for (const Channel& c : channels_)
        if (c.capacity > 0) {
          if (random_.chance(30)) return fmt::format("({}({}))", random_.chance(50) ? "full" : "nempty", c.name);
          if (random_.chance(40)) return fmt::format("(len({}) < {})", c.name, 1 + random_.below(c.capacity));
          return c.fields == 1 ? fmt::format("({}?[1])", c.name) : fmt::format("({}?[1,0])", c.name);
        }
    static const std::vector<std::string> operators = {"==", "!=", "<", ">="};
    const std::string one = fmt::format("({} {} {})", atom(), one_of(operators), atom());
    if (random_.chance(80)) return one;
    return fmt::format("({} {} ({} == {}))", one, random_.chance(50) ? "&&" : "||", atom(), atom());
  }

  std::string assertion() {
    if (random_.chance(50)) return fmt::format("{} <= 2", atom());  // true, but who knows
    return condition();
  }

  // ---- a formula

  std::string proposition() {
    if (!places_.empty() && random_.chance(40)) return one_of(places_);
    for (const Channel& c : channels_)
      if (c.capacity > 0 && random_.chance(20))
        return fmt::format("(len({}) {} {})", c.name, random_.chance(50) ? "<" : "==", random_.below(c.capacity + 1));
    if (globals_.empty()) return places_.empty() ? "true" : one_of(places_);
    static const std::vector<std::string> operators = {"==", "!=", "<", ">="};
    return fmt::format("({} {} {})", one_of(globals_), one_of(operators), random_.below(3));
  }

  std::string literal() {
    if (random_.chance(60)) return proposition();
    if (random_.chance(50)) return "!" + proposition();
    return fmt::format("({} {} {})", proposition(), random_.chance(50) ? "&&" : "||", proposition());
  }

  std::string formula() {
    const std::string p = literal(), q = literal(), r = literal();
    switch (random_.below(13)) {
      case 0: return fmt::format("[] {}", p);
      case 1: return fmt::format("[] ({} -> {})", p, q);
      case 2: return fmt::format("{} W {}", p, q);
      case 3: return fmt::format("[] ({} -> ({} W {}))", p, q, r);
      case 4: return fmt::format("[] ({} -> [] {})", p, q);
      case 5: return fmt::format("{} V {}", p, q);
      case 6: return fmt::format("!({} U {})", p, q);
      case 7: return fmt::format("!(<> ({} && <> {}))", p, q);
      case 8: return fmt::format("({} W {}) && [] {}", p, q, r);
      case 9: return fmt::format("([] {}) || ({} W {})", p, q, r);
      case 10: return fmt::format("({} -> ([] {})) && !({} && <> {})", p, q, r, p);
      case 11: return fmt::format("{} U {}", p, q);
      default: return fmt::format("[] <> {}", p);
    }
  }

  // A send or a receive; of a buffer only, if it must not meet: then perhaps nothing.
  std::string message(bool buffer = false) {
    std::vector<Channel> some;
    for (const Channel& c : channels_)
      if (!buffer || c.capacity > 0) some.push_back(c);
    if (some.empty()) return "";
    const Channel c = some[random_.below(static_cast<std::uint32_t>(some.size()))];
    const bool special = mix_.special && c.capacity > 0 && random_.chance(20);
    if (random_.chance(50)) {
      std::string out = fmt::format("{}{}{}", c.name, special ? "!!" : "!", value());
      return c.fields == 2 ? out + fmt::format(",{}", random_.below(2)) : out;
    }
    std::string out = pattern();
    if (c.fields == 2) out += random_.chance(50) ? ",_" : fmt::format(",{}", random_.below(2));
    if (special && random_.chance(40)) return fmt::format("{}?<{}>", c.name, out);
    return fmt::format("{}{}{}", c.name, special ? "??" : "?", out);
  }

  std::string pattern() {
    const std::uint32_t dice = random_.below(100);
    if (dice < 35) return one_of(locals_);
    // What does not fit into a bit comes back cut when pan backtracks.
    if (dice < 45 && !bytes_.empty()) return one_of(bytes_);
    if (dice < 60) return "_";
    if (dice < 80) return fmt::format("{}", random_.below(3));
    return fmt::format("eval({})", one_of(readable_));
  }

  Random random_;
  ProgramMix mix_;
  std::string out_;
  std::vector<std::string> bytes_;  // globals that hold every message
  std::vector<std::string> globals_, locals_, readable_, targets_;
  std::vector<std::string> places_;  // P1@here2
  std::string self_;                 // how a formula calls this process; empty: it has no name for it
  std::uint32_t running_ = 0;        // processes that run from the start
  std::vector<Channel> channels_;
  bool array_ = false;
  std::size_t depth_ = 0;
  int label_ = 0;
};

}  // namespace

std::string random_promela(std::uint64_t seed, const ProgramMix& mix) { return Writer(seed, mix).run(); }

}  // namespace surety
