#include "serve/vocabulary.hpp"

namespace surety::serve {

Or<Vocabulary> read_vocabulary(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  try {
    Vocabulary out{json.at("tool"), {}, json.at("methods")};
    for (const auto& [command, options] : json.at("commands").items())
      for (const Json& option : options)
        out.options[command][option.at("name")] = {option.value("flag", false), option.value("equals_only", false),
                                                   option.value("repeatable", false),
                                                   option.value("words", std::vector<std::string>())};
    return out;
  } catch (const nlohmann::json::exception&) {
    return trouble(500, "surety", "the program surety says nothing of its options", "is it of the same version?");
  }
}

}  // namespace surety::serve
