// HTTP by cpp-httplib, one request per connection; what is asked for is decided in routes.hpp.
#pragma once

#include <httplib.h>

#include <functional>
#include <optional>

#include "serve/connection.hpp"
#include "serve/trouble.hpp"

namespace surety::serve {

class Http : private httplib::Server {
 public:
  using Request = httplib::Request;
  using Response = httplib::Response;
  using Guard = std::function<std::optional<Trouble>(const Request&)>;
  using Handler = httplib::Server::Handler;

  explicit Http(Guard guard);

  // `pattern`: a regular expression for the whole path.
  void on(const std::string& method, const std::string& pattern, Handler handler);
  void answer(Connection& connection);
};

void say(Http::Response& response, const Trouble& trouble);

}  // namespace surety::serve
