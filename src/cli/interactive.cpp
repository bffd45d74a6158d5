#include "cli/interactive.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>

#include "base/random.hpp"
#include "cli/text.hpp"

namespace surety::cli {
namespace {

constexpr const char* kHelp =
    "  N      take the choice with this number\n"
    "  enter  show the choices again\n"
    "  r      take one at random\n"
    "  u      undo the last step\n"
    "  v      show all values\n"
    "  p      show all properties, fluents and formulas, and since when they are so\n"
    "  w      show where each process is\n"
    "  t      show the steps so far\n"
    "  m NAME only the choices of this menu of the model; m alone: all choices\n"
    "  q      quit\n"
    "  h      this help\n";

// "P(1), line 7: c!3; with Q, line 9: c?x"
std::string described(const api::TraceStep& step) {
  std::vector<std::string> parts;
  for (const ShownStep& part : step.parts)
    parts.push_back(fmt::format("{}{}: {}{}", part.process, part.line > 0 ? fmt::format(", line {}", part.line) : "",
                                part.statement, part.note.empty() ? "" : " -- " + part.note));
  return fmt::format("{}", fmt::join(parts, "; with "));
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "a, b, c and 4 more"
std::string first_few(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  if (names.size() <= kShown + 1) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kShown, ", "), names.size() - kShown);
}

std::string number_of(std::size_t step) { return step == 0 ? "the start" : fmt::format("step {}", step); }

class Walk {
 public:
  Walk(const api::OpenWalk& walk, std::uint64_t seed, std::ostream& out)
      : walk_(walk), walker_(*walk.walker), random_(seed), out_(out) {
    moments_.push_back({{}, walk.way[0], watched_at_start()});
    if (!walker_.model().fsp) return;
    if (auto menus = walker_.model().fsp->menus()) menus_ = std::move(*menus);
  }

  int run(std::istream& in, bool echo) {
    out_ << "h shows what can be typed\n";
    if (!menus_.empty()) out_ << fmt::format("menus: {}\n", fmt::join(names_of(menus_), ", "));
    show_all();
    follow();
    look_around();
    for (std::string line; ask() && std::getline(in, line);) {
      if (echo) out_ << line << "\n";
      if (!obey(trimmed(line))) return status();
    }
    out_ << "\n";
    return status();
  }

 private:
  struct Moment {
    std::string shown;  // the step that led here
    api::Choice by;
    std::vector<std::uint32_t> watched;  // the states of the watchers
  };

  int status() const {
    const auto& watched = moments_.back().watched;
    for (std::size_t w = 0; w < watched.size(); ++w)
      if (watchers()[w]->is_violated(watched[w])) return 1;
    return wrong() ? 1 : 0;
  }

  const api::Watchers& watchers() const { return walk_.watchers; }
  bool wrong() const { return moments_.back().by.is_wrong(); }
  const api::Position& here() const { return moments_.back().by.target; }

  bool ask() {
    out_ << "> " << std::flush;
    return true;
  }

  // False: that is all.
  bool obey(const std::string& command) {
    if (command == "q") return false;
    if (command.empty())
      show_choices();
    else if (command == "h" || command == "?")
      out_ << kHelp;
    else if (command == "u")
      undo();
    else if (command == "v")
      show_values({});
    else if (command == "p")
      list_watchers();
    else if (command == "w")
      show_stands();
    else if (command == "t")
      show_steps();
    else if (command == "m" || command.starts_with("m "))
      choose_menu(trimmed(command.substr(1)));
    else if (command == "r" && !choices_.empty())
      take(random_.below(static_cast<std::uint32_t>(choices_.size())));
    else if (command == "r")
      out_ << "there is nothing to choose from; u goes back\n";
    else if (const auto number = chosen(command))
      take(*number);
    else
      out_ << fmt::format("'{}' is no choice; h shows what can be typed\n", command);
    return true;
  }

  std::optional<std::size_t> chosen(const std::string& text) const {
    std::size_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || number < 1 || number > choices_.size()) return std::nullopt;
    return number - 1;
  }

  void take(std::size_t number) {
    go(api::Choice(choices_[number]));
    look_around();
  }

  // Makes a step, and shows what it changes.
  void go(const api::Choice& choice) {
    const api::Position before = here();
    const std::string printed = walker_.printed(before, choice);
    moments_.push_back({described_choice(choice), choice, watched_after(choice)});
    out_ << fmt::format("step {}: {}\n", moments_.size() - 1, moments_.back().shown);
    if (!printed.empty()) out_ << "  prints: " << printed << (printed.back() == '\n' ? "" : "\n");
    if (!choice.target.empty()) show_values(before);
    show_watchers([&](std::size_t w) { return is_new(w) && !is_violated_here(w); });
    show_wrong();
  }

  // The trace that leads to where the walk begins, and whether it is as it says.
  void follow() {
    for (std::size_t i = 1; i < walk_.way.size(); ++i) go(walk_.way[i]);
    if (walk_.followed) out_ << how_followed(*walk_.followed);
  }

  void undo() {
    if (moments_.size() == 1) {
      out_ << "this is the start\n";
      return;
    }
    moments_.pop_back();
    out_ << fmt::format("back at {}\n", number_of(moments_.size() - 1));
    show_all();
    look_around();
  }

  // A menu of the model, by name; none: all that can happen.
  void choose_menu(const std::string& name) {
    const auto menu = std::ranges::find(menus_, name, &FspMenu::name);
    if (!name.empty() && menu == menus_.end()) {
      out_ << (menus_.empty()
                   ? "the model has no menus\n"
                   : fmt::format("'{}' is no menu; there are: {}\n", name, fmt::join(names_of(menus_), ", ")));
      return;
    }
    menu_ = name.empty() ? nullptr : &*menu;
    look_around();
  }

  // Leaves those of the menu, if there is one.
  void keep_menu() {
    if (menu_ == nullptr) return;
    const std::size_t all = choices_.size();
    std::erase_if(choices_, [&](const api::Choice& c) { return !menu_->actions.contains(c.action); });
    hidden_ = all - choices_.size();
  }

  // What can happen next.
  void look_around() {
    choices_.clear();
    hidden_ = 0;
    if (!wrong()) choices_ = walker_.choices(here());
    keep_menu();
    show_choices();
  }

  // What the last step has made wrong.
  void show_wrong() {
    const std::string& error = moments_.back().by.error;
    if (!error.empty()) out_ << "error: " << error << "\n";
    for (std::size_t w = 0; w < watchers().size(); ++w)
      if (is_violated_here(w)) out_ << fmt::format("{} is violated\n", watchers()[w]->name());
  }

  void show_choices() {
    if (wrong()) {
      out_ << "the walk is over; u goes back\n";
    } else if (choices_.empty() && hidden_ > 0) {
      out_ << fmt::format("menu {} has nothing to choose here\n", menu_->name);
    } else if (choices_.empty() && walker_.may_end(here())) {
      out_ << "ended: nothing is left to do; u goes back\n";
    } else if (choices_.empty()) {
      out_ << "deadlock: nothing can happen any more; u goes back\n";
      show_stands();
    }
    std::size_t width = 0;
    for (const auto& choice : choices_) width = std::max(width, std::min<std::size_t>(walker_.name(choice).size(), 40));
    for (std::size_t i = 0; i < choices_.size(); ++i)
      out_ << fmt::format("{:>4}  {}\n", i + 1, described_choice(choices_[i], width));
    if (hidden_ > 0) out_ << fmt::format("      {} more outside the menu {}; m shows all\n", hidden_, menu_->name);
  }

  // "P, line 7: c!3; with Q, line 9: c?x  [c.3]", or "a.enter  a:USER, LOCK"
  std::string described_choice(const api::Choice& choice, std::size_t width = 0) {
    const api::TraceStep step = walker_.shown(here(), choice);
    if (!step.parts.empty()) return described(step) + (step.action == "tau" ? "" : fmt::format("  [{}]", step.action));
    const auto who = walker_.takes_part(choice);
    return fmt::format("{:<{}}  {}", step.action, width,
                       who.empty() ? "no process has this action" : fmt::format("{}", fmt::join(who, ", ")));
  }

  void show_stands() {
    if (here().empty()) return;
    for (const auto& stand : walker_.stands(here())) out_ << "  " << to_text(stand) << "\n";
  }

  void show_steps() {
    if (moments_.size() == 1) out_ << "this is the start\n";
    for (std::size_t i = 1; i < moments_.size(); ++i) out_ << fmt::format("{:>4}  {}\n", i, moments_[i].shown);
  }

  std::vector<std::uint32_t> watched_at_start() const {
    std::vector<std::uint32_t> out;
    for (const auto& watcher : watchers()) out.push_back(watcher->start(walk_.way[0].target));
    return out;
  }

  std::vector<std::uint32_t> watched_after(const api::Choice& choice) const {
    std::vector<std::uint32_t> out = moments_.back().watched;
    for (std::size_t w = 0; w < out.size(); ++w) out[w] = watchers()[w]->after(out[w], choice);
    return out;
  }

  std::string shown_watcher(std::size_t w) const {
    return fmt::format("{} = {}", watchers()[w]->name(), watchers()[w]->shown(moments_.back().watched[w]));
  }

  // Is the watcher shown there as before? Different states may look the same.
  bool is_as_before(std::size_t w, std::size_t moment) const {
    const auto shown = [&](std::size_t m) { return watchers()[w]->shown(moments_[m].watched[w]); };
    return moment > 0 && shown(moment - 1) == shown(moment);
  }

  // Since which step it is shown as it is now.
  std::size_t since(std::size_t w) const {
    std::size_t at = moments_.size() - 1;
    while (is_as_before(w, at)) --at;
    return at;
  }

  bool is_new(std::size_t w) const { return !is_as_before(w, moments_.size() - 1); }
  bool is_violated_here(std::size_t w) const {
    return watchers()[w]->is_violated(moments_.back().watched[w]) && is_new(w);
  }

  template <class Which>
  void show_watchers(const Which& which) {
    std::vector<std::string> shown;
    for (std::size_t w = 0; w < watchers().size(); ++w)
      if (which(w)) shown.push_back(shown_watcher(w));
    if (!shown.empty()) out_ << fmt::format("  {}\n", fmt::join(shown, ", "));
  }

  void list_watchers() {
    if (watchers().empty()) out_ << "there are no properties, fluents or formulas\n";
    for (std::size_t w = 0; w < watchers().size(); ++w) {
      const auto forbidden = watchers()[w]->forbidden(moments_.back().watched[w]);
      out_ << fmt::format("  {}, since {}{}\n", shown_watcher(w), number_of(since(w)),
                          forbidden.empty() ? "" : fmt::format("; forbids {}", first_few(forbidden)));
    }
  }

  void show_all() {
    show_values({});
    show_watchers([&](std::size_t w) { return !is_violated_here(w); });
    show_wrong();
  }

  // Those that differ from before; all if there is no before.
  void show_values(const api::Position& before) {
    if (here().empty()) return;
    const auto old = before.empty() ? std::vector<api::Walker::Value>() : walker_.values(before);
    std::vector<std::string> shown;
    for (const auto& value : walker_.values(here())) {
      const auto same = [&](const auto& v) { return v.name == value.name && v.value == value.value; };
      if (std::ranges::none_of(old, same)) shown.push_back(fmt::format("{} = {}", value.name, value.value));
    }
    if (!shown.empty()) out_ << fmt::format("  {}\n", fmt::join(shown, ", "));
  }

  const api::OpenWalk& walk_;
  api::Walker& walker_;
  Random random_;
  std::ostream& out_;
  std::vector<Moment> moments_;
  std::vector<api::Choice> choices_;  // of the menu, if one is chosen
  std::vector<FspMenu> menus_;
  const FspMenu* menu_ = nullptr;
  std::size_t hidden_ = 0;  // choices that are not of the menu
};

}  // namespace

int walk_by_hand(const api::OpenWalk& walk, std::uint64_t seed, std::istream& in, std::ostream& out, bool echo) {
  return Walk(walk, seed, out).run(in, echo);
}

}  // namespace surety::cli
