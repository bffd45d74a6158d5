#include "serve/http.hpp"

#include "base/check.hpp"
#include "base/json.hpp"
#include "serve/gate.hpp"
#include "serve/head.hpp"

namespace surety::serve {
namespace {

// httplib would pack replies by itself, with brotli at its slowest: seconds for a megabyte that only goes through
// memory. Files of the page are packed already, and look at the header.
void keep_plain(httplib::Request& request) {
  if (!request.path.starts_with("/assets/") && request.path != "/licences.txt")
    request.headers.erase("Accept-Encoding");
}

}  // namespace

void say(Http::Response& response, const Trouble& trouble) {
  Json error{{"code", trouble.code}, {"message", utf8(trouble.message)}};
  if (!trouble.hint.empty()) error["hint"] = utf8(trouble.hint);
  if (!trouble.sha256.empty()) error["sha256"] = trouble.sha256;
  response.status = trouble.status;
  response.set_content(dump({{"error", error}}), "application/json");
  if (trouble.status == 401) response.set_header("WWW-Authenticate", "Bearer");
}

Http::Http(Guard guard) {
  svr_sock_ = 0;  // "it is not stopped", by which httplib ends replies that go on; there is no socket of its own
  set_payload_max_length(kMostBody);
  set_pre_routing_handler([guard = std::move(guard)](const Request& request, Response& response) {
    const auto refused = guard(request);
    if (!refused) return HandlerResponse::Unhandled;
    say(response, *refused);
    return HandlerResponse::Handled;
  });
  set_post_routing_handler([](const Request& /*request*/, Response& response) {
    if (!response.has_header("Content-Security-Policy")) add_safety(response, "");
  });
  set_exception_handler([](const Request& /*request*/, Response& response, const std::exception_ptr& thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Trouble& trouble) {
      say(response, trouble);
    } catch (const nlohmann::json::exception& wrong) {
      say(response, {400, "request", std::string("the question is not as it should be: ") + wrong.what()});
    } catch (const std::exception& error) {
      say(response, {500, "internal", std::string("internal error: ") + error.what(), "please report this"});
    }
  });
  set_error_handler([](const Request& /*request*/, Response& response) {
    if (!response.body.empty()) return;
    const int status = response.status;
    say(response, {status, status == 404 ? "missing" : "request", status == 404 ? "there is nothing here" : "refused"});
  });
}

void Http::on(const std::string& method, const std::string& pattern, Handler handler) {
  if (method == "GET")
    Get(pattern, std::move(handler));
  else if (method == "POST")
    Post(pattern, std::move(handler));
  else if (method == "PUT")
    Put(pattern, std::move(handler));
  else if (method == "PATCH")
    Patch(pattern, std::move(handler));
  else if (method == "DELETE")
    Delete(pattern, std::move(handler));
  else
    check(false, "a method that is known");
}

void Http::answer(Connection& connection) {
  bool closed = false;
  process_request(connection, true, closed, keep_plain);
}

}  // namespace surety::serve
