#include "serve/routes.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <thread>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "serve/certificates.hpp"
#include "serve/exports.hpp"
#include "serve/gate.hpp"
#include "serve/question.hpp"
#include "serve/stream.hpp"

namespace surety::serve {
namespace {

using Request = Http::Request;
using Response = Http::Response;

void say_json(Response& response, const Json& json, int status = 200) {
  response.status = status;
  response.set_content(dump(json), "application/json");
}

// A value becomes JSON, trouble an error.
template <class T, class Make>
void reply(Response& response, const Or<T>& what, Make make, int status = 200) {
  if (what)
    say_json(response, make(*what), status);
  else
    say(response, what.error());
}

Json body_of(const Request& request) { return read_question(request.body); }

// --- The page.

void send_asset(const Request& request, Response& response, const Or<Asset>& asset) {
  if (!asset) return say(response, asset.error());
  if (asset->tag.empty()) return response.set_content(asset->text, asset->type);
  const std::string tag = '"' + asset->tag + '"';
  response.set_header("ETag", tag);
  response.set_header("Cache-Control", "public, max-age=31536000, immutable");
  if (request.get_header_value("If-None-Match") == tag) {
    response.status = 304;
    return;
  }
  if (asset->gzipped) {
    if (request.get_header_value("Accept-Encoding").find("gzip") == std::string::npos)
      return say(response, {406, "request", "this is kept compressed", "ask with Accept-Encoding: gzip"});
    response.set_header("Content-Encoding", "gzip");
  }
  response.set_content_provider(asset->bytes.size(), asset->type,
                                [bytes = asset->bytes](std::size_t from, std::size_t size, httplib::DataSink& sink) {
                                  return sink.write(bytes.data() + from, size);
                                });
}

void send_index(const Assets& assets, Response& response) {
  const auto asset = assets.find("index.html");
  if (!asset) return say(response, asset.error());
  const std::string nonce = random_token();
  std::string text = asset->text.empty() ? std::string(asset->bytes) : asset->text;
  constexpr std::string_view kPlace = "@NONCE@";
  for (auto at = text.find(kPlace); at != std::string::npos; at = text.find(kPlace, at + nonce.size()))
    text.replace(at, kPlace.size(), nonce);
  add_safety(response, nonce);
  response.set_content(text, asset->type);
}

void add_page(Http& http, const House& house) {
  http.on("GET", "/", [&house](const Request&, Response& response) { send_index(house.assets, response); });
  http.on("GET", "/(assets/[^/]+|licences\\.txt)", [&house](const Request& request, Response& response) {
    send_asset(request, response, house.assets.find(request.matches[1]));
  });
}

// --- Who we are, and the files.

Json hello(const House& house) {
  const Settings& s = house.settings;
  Json out{{"tool", house.vocabulary.tool},
           {"folder", utf8(std::filesystem::path(house.places.own().path()).filename().string())},
           {"read_only", s.read_only},
           {"spin", s.spin},
           {"cores", std::max(1U, std::thread::hardware_concurrency())},
           {"limits",
            {{"time_s", s.time.count()},
             {"memory_bytes", s.memory},
             {"jobs", s.jobs},
             {"queued", Jobs::kMostQueued},
             {"models", Models::kMostProcesses},
             {"streams", Jobs::kMostReaders},
             {"file_bytes", Folder::kMostBytes}}},
           {"methods", house.vocabulary.methods},
           {"examples", house.gallery.list()}};
  if (!s.file.empty()) out["open"] = utf8(s.file);
  return out;
}

Json entry_of(const FileEntry& file) {
  return {{"path", utf8(file.path)}, {"language", file.language}, {"size", file.size}, {"modified", file.modified}};
}

void add_files(Http& http, const House& house) {
  http.on("GET", "/api/hello", [&house](const Request&, Response& response) { say_json(response, hello(house)); });
  http.on("GET", "/api/files", [&house](const Request&, Response& response) {
    Json out = Json::array();
    for (const FileEntry& file : house.places.list()) out.push_back(entry_of(file));
    say_json(response, out);
  });
  http.on("GET", "/api/file", [&house](const Request& request, Response& response) {
    const std::string path = request.get_param_value("path");
    const auto where = house.places.find(path);
    reply(response, house.places.read(path), [&](const std::string& text) {
      return Json{{"text", utf8(text)}, {"sha256", sha256_hex(text)}, {"read_only", !where || where->read_only}};
    });
  });
  http.on("PUT", "/api/file", [&house](const Request& request, Response& response) {
    const Json asked = body_of(request);
    reply(response,
          house.places.write(asked.at("path"), asked.at("text").get<std::string>(), asked.value("if_sha256", "")),
          [](const std::string& sha256) {
            return Json{{"sha256", sha256}};
          });
  });
}

// --- Models.

void add_models(Http& http, House& house) {
  const std::string one = "/api/models/(m[0-9]+)";
  http.on("POST", "/api/models", [&house](const Request& request, Response& response) {
    reply(response, house.models.open(body_of(request)), [](const Json& opened) { return opened; });
  });
  http.on("POST", one, [&house](const Request& request, Response& response) {
    auto answer = house.models.ask(request.matches[1], body_of(request));
    if (!answer) return say(response, answer.error());
    response.body = std::move(*answer);
    response.set_header("Content-Type", "application/json");
  });
  http.on("PATCH", one, [&house](const Request& request, Response& response) {
    const auto done = house.models.change(request.matches[1], body_of(request).at("text"));
    done ? say_json(response, Json::object()) : say(response, done.error());
  });
  http.on("DELETE", one, [&house](const Request& request, Response& response) {
    const auto done = house.models.close(request.matches[1]);
    done ? say_json(response, Json::object()) : say(response, done.error());
  });
}

// --- Jobs.

Allowance allowance_of(const Settings& settings) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return {settings.time, settings.memory, std::max(1U, cores / settings.jobs), settings.spin};
}

void start_job(House& house, Order order, Response& response) {
  const std::string shown = order.shown;
  reply(
      response, house.jobs.add(std::move(order)),
      [&](const std::shared_ptr<Job>& job) {
        return Json{{"job", job->id()}, {"command_line", shown}};
      },
      202);
}

// What the program has answered, if all of it is there. It says nothing of a command line that it does not understand,
// but to a person.
void send_report(const Job& job, Response& response) {
  const auto text = read_file(job.file("report"));
  if (text && text->ends_with("}\n")) return response.set_content(*text, "application/json");
  const auto errors = read_file(job.file("errors"));
  if (!errors || errors->empty()) return say(response, {404, "missing", "there is no report, or not yet"});
  say_json(response, {{"schema", 1}, {"errors", {{{"severity", "error"}, {"message", utf8(*errors)}}}}});
}

// Names in it are relative to where it will be.
Or<std::string> save_certificate(const House& house, const Job& job, const std::string& path,
                                 const std::string& if_sha256) {
  constexpr std::uint64_t kMost = 256 << 20;
  const auto text = job.certificate();
  if (!text) return text;
  if (!path.ends_with(".json")) return bad_request("a certificate is a .json file");
  const auto folder = (std::filesystem::path(house.places.own().path()) / path).parent_path();
  const auto moved = moved_certificate(*text, job.order().folder->path(), folder.lexically_normal().string());
  if (!moved) return moved;
  return house.places.write(path, *moved, if_sha256, kMost);
}

Wanted wanted_of(const Request& request) {
  Wanted out;
  const auto take = [&](const char* name, std::string& into) {
    if (request.has_param(name)) into = request.get_param_value(name);
  };
  take("of", out.of);
  take("k", out.k);
  take("check", out.check);
  take("lane", out.lane);
  take("format", out.format);
  return out;
}

template <class Do>
Http::Handler with_job(House& house, Do what) {
  return [&house, what](const Request& request, Response& response) {
    const auto job = house.jobs.find(request.matches[1]);
    if (!job) return say(response, job.error());
    what(*job, request, response);
  };
}

void add_jobs(Http& http, House& house) {
  using One = const std::shared_ptr<Job>&;
  const std::string one = "/api/jobs/(j[0-9]+)";
  http.on("GET", "/api/jobs", [&house](const Request&, Response& response) { say_json(response, house.jobs.list()); });
  http.on("POST", "/api/jobs", [&house](const Request& request, Response& response) {
    auto order = read_order(body_of(request), house.places, house.vocabulary, allowance_of(house.settings));
    order ? start_job(house, std::move(*order), response) : say(response, order.error());
  });
  http.on("GET", one + "/events", with_job(house, [&house](One job, const Request& request, Response& response) {
            send_events(house.jobs, job, request.get_param_value("after"), house.over, response);
          }));
  http.on("POST", one + "/cancel", with_job(house, [&house](One job, const Request&, Response& response) {
            house.jobs.cancel(job);
            say_json(response, Json::object(), 202);
          }));
  http.on("GET", one + "/report",
          with_job(house, [](One job, const Request&, Response& response) { send_report(*job, response); }));
  http.on("GET", one + "/errors", with_job(house, [](One job, const Request&, Response& response) {
            say_json(response, {{"text", utf8(read_file(job->file("errors")).value_or(""))}});
          }));
  http.on("GET", one + "/certificate", with_job(house, [](One job, const Request&, Response& response) {
            const auto text = job->certificate();
            text ? response.set_content(*text, "application/json") : say(response, text.error());
          }));
  http.on("PUT", one + "/certificate", with_job(house, [&house](One job, const Request& request, Response& response) {
            const Json asked = body_of(request);
            reply(response, save_certificate(house, *job, asked.at("path"), asked.value("if_sha256", "")),
                  [](const std::string& sha256) {
                    return Json{{"sha256", sha256}};
                  });
          }));
  http.on("POST", one + "/recheck", with_job(house, [&house](One job, const Request&, Response& response) {
            auto order = house.jobs.recheck(job);
            order ? start_job(house, std::move(*order), response) : say(response, order.error());
          }));
  http.on("GET", one + "/lts", with_job(house, [&house](One job, const Request& request, Response& response) {
            const auto lts = export_lts(*job, wanted_of(request), house.settings.surety, house.over);
            lts ? response.set_content(lts->text, lts->type) : say(response, lts.error());
          }));
}

}  // namespace

void add_routes(Http& http, House& house) {
  add_page(http, house);
  add_files(http, house);
  add_models(http, house);
  add_jobs(http, house);
}

}  // namespace surety::serve
