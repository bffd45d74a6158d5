// Who may ask: the page itself, in a browser of the user who started the server, and nobody else.
//
// Other users of the machine can connect, and so can pages of other sites in the same browser, by name tricks even as
// if they were of this one. So the request must be for the address that was printed, come from no other site, and, if
// it is for more than the page itself, have the token. The token is in no cookie, because cookies of 127.0.0.1 go to
// every port; and in no address that is sent, because those are written to logs.
#pragma once

#include <optional>
#include <string>

#include "serve/trouble.hpp"

namespace httplib {
struct Request;
struct Response;
}  // namespace httplib

namespace surety::serve {

class Gate {
 public:
  explicit Gate(int port);

  const std::string& token() const { return token_; }
  std::optional<Trouble> refuses(const httplib::Request& request) const;

 private:
  bool is_here(const std::string& host) const;
  bool has_token(const httplib::Request& request) const;

  std::string hosts_[2];
  std::string token_;
};

// 256 bits that nobody can guess, as text for addresses.
std::string random_token();

// What each reply tells the browser to do with it, and not to do.
void add_safety(httplib::Response& response, const std::string& nonce);

}  // namespace surety::serve
