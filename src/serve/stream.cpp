#include "serve/stream.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

namespace surety::serve {
namespace {

// A reader that has gone is only noticed when something is sent to it.
constexpr std::chrono::milliseconds kComment{500};

// Lines as events: "id: 7", "data: {…}". `number`: of the last line before them.
std::string framed(std::string_view lines, std::uint64_t number) {
  std::string out;
  while (!lines.empty()) {
    const auto end = lines.find('\n');
    fmt::format_to(std::back_inserter(out), "id: {}\ndata: {}\n\n", ++number, lines.substr(0, end));
    lines.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace

void send_events(Jobs& jobs, const std::shared_ptr<Job>& job, const std::string& after, const std::atomic<bool>& over,
                 Http::Response& response) {
  std::uint64_t known = 0;
  if (!after.empty() && std::from_chars(after.data(), after.data() + after.size(), known).ec != std::errc())
    return say(response, {400, "request", "'after' is the number of an event"});
  auto listening = jobs.listen(job);
  if (!listening) return say(response, listening.error());
  auto cursor = std::make_shared<JobLog::Cursor>(job->log().behind(known));
  response.set_chunked_content_provider(
      "text/event-stream", [listening = *listening, cursor, &over](std::size_t /*offset*/, httplib::DataSink& sink) {
        const std::uint64_t before = cursor->line;
        const auto piece = listening->job().log().next(*cursor, kComment);
        if (over || piece.over) {
          sink.done();
          return true;
        }
        const std::string text = piece.text.empty() ? ": \n\n" : framed(piece.text, before);
        return sink.write(text.data(), text.size());
      });
}

}  // namespace surety::serve
