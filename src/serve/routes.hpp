// What the page can ask for (doc/manual.md#serve has the table), and who answers.
#pragma once

#include <atomic>

#include "serve/assets.hpp"
#include "serve/gallery.hpp"
#include "serve/http.hpp"
#include "serve/jobs.hpp"
#include "serve/models.hpp"
#include "serve/places.hpp"
#include "serve/settings.hpp"
#include "serve/vocabulary.hpp"

namespace surety::serve {

// All that there is; it outlives the requests.
struct House {
  const Settings& settings;
  const Places& places;
  const Vocabulary& vocabulary;
  const Assets& assets;
  const Gallery& gallery;
  Jobs& jobs;
  Models& models;
  std::atomic<bool>& over;  // streams end
};

void add_routes(Http& http, House& house);

}  // namespace surety::serve
