#include "certificate/certify_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "certificate/read.hpp"
#include "certify/certify.hpp"
#include "check/recheck.hpp"
#include "load/apart.hpp"

namespace surety::api {
namespace {

namespace fs = std::filesystem;
using Files = std::set<FileLog::Entry>;

std::string shown(const std::vector<FspDefine>& defines) {
  std::vector<std::string> out;
  for (const auto& define : defines) out.push_back(fmt::format("{}={}", define.name, define.value));
  std::ranges::sort(out);
  return out.empty() ? "no --define" : fmt::format("{}", fmt::join(out, ", "));
}

std::string shown(const Subject& subject) {
  return fmt::format("{}{}{}", name_of(subject.kind), subject.name.empty() ? "" : " ", subject.name);
}

std::string changed(const std::string& file) {
  return fmt::format("{} has changed since the certificate was made", file);
}

// Such files can have several properties: FILE.lts:NAME. Only Ada programs have those of FSP.
std::string with_name(const std::string& file, const Input& input) {
  return is_fsp_file(file, {}) || is_qre_file(file) ? fmt::format("{}:{}", file, input.name) : file;
}

std::string whole(const std::string& path) { return fs::weakly_canonical(path).string(); }

// Is the certificate about what the user means, and is that what it was?
class Agreement {
 public:
  Agreement(const CertifyRequest& request, const Statement& statement) : request_(request), statement_(statement) {}

  // Before anything is read for good: a file that has changed need not even make sense. Otherwise `source` is known.
  Outcome<std::string> before(Source& source) {
    const bool files_said = !request_.files.empty();
    if ((files_said || !request_.defines.empty()) && shown(request_.defines) != shown(statement_.defines))
      return fmt::format("the certificate is for {}, and you mean {}", shown(statement_.defines),
                         shown(request_.defines));
    source.defines = statement_.defines;
    source.cells = statement_.cells;
    source.group = statement_.grouped;
    source.language = files_said ? request_.language : statement_.language();
    source.system = request_.system;
    for (const Input& input : statement_.inputs) {
      if (input.role != Input::Role::property && files_said) continue;
      if (input.role == Input::Role::property)
        source.property_files.push_back(with_name(input.file, input));
      else
        source.files.push_back(input.file);
      if (input.role == Input::Role::model && source.system.empty()) source.system = input.name;
    }
    if (files_said) source.files = request_.files;
    if (auto other = property_files(source); !other || !other->empty()) return other;
    return hashes(source);
  }

  // Now that it has been read: was that what the certificate names?
  Outcome<std::string> after(const Model& model, Budget& budget) const {
    if (!request_.system.empty() && model.network.name != request_.system)
      return fmt::format("the certificate is about {}, and you mean {}", statement_.system, request_.system);
    if (model.network.name != statement_.system)
      return fmt::format("the certificate is about {}, and these files are {}", statement_.system, model.network.name);
    for (const Input& input : model.inputs) {
      const auto same = [&](const Input& other) { return other.role == input.role && other.name == input.name; };
      const auto named = std::ranges::find_if(statement_.inputs, same);
      if (named == statement_.inputs.end())
        return fmt::format("{} is '{}' now, which the certificate does not name", input.file, input.name);
      if (named->sha256 != input.sha256) return changed(input.file);
    }
    if (model.inputs.size() != statement_.inputs.size()) return std::string("the certificate names other inputs");
    return cpp(model, budget);
  }

  // What files were imported or included, some of them not before the proofs were checked.
  std::string read(const Model& model) const {
    Files named;
    for (const auto& [file, sha256] : statement_.read) named.emplace(whole(moved(file)), sha256);
    for (const auto& [file, sha256] : model.read->entries()) {
      if (named.contains({whole(file), sha256})) continue;
      const auto same = [&](const FileLog::Entry& entry) { return entry.first == whole(file); };
      return std::ranges::any_of(named, same) ? changed(file)
                                              : fmt::format("{} is read, and the certificate does not name it", file);
    }
    return {};
  }

  // Where a file that was imported or included is, if the user's own copy of the model is meant.
  std::string moved(const std::string& file) const {
    if (request_.files.empty()) return file;
    const auto from = fs::absolute(statement_.inputs[0].file).lexically_normal().parent_path();
    const auto relative = fs::absolute(file).lexically_normal().lexically_relative(from);
    if (relative.empty()) return file;
    return (fs::path(request_.files[0]).parent_path() / relative).lexically_normal().string();
  }

 private:
  // The user's files in the place of those of the certificate. A reason: it is not about one of them.
  Outcome<std::string> property_files(Source& source) const {
    for (const auto& file : request_.properties) {
      if (!is_property_file(file)) continue;
      auto text = text_of(request_.texts, file_and_name(file).first);
      if (!text) return bad_input(std::move(text.error()));
      const std::string hash = sha256_hex(*text);
      std::size_t next = 0;
      bool found = false;
      for (const Input& input : statement_.inputs) {
        if (input.role != Input::Role::property) continue;
        if (input.sha256 == hash) {
          source.property_files[next] = with_name(file_and_name(file).first, input);
          found = true;
        }
        ++next;
      }
      if (!found) return fmt::format("the certificate is not about the property of {}", file);
    }
    return std::string();
  }

  Outcome<std::string> hashes(const Source& source) const {
    Files named;
    for (const Input& input : statement_.inputs) named.emplace(input.name, input.sha256);
    const auto known = [&](const std::string& hash) {
      return std::ranges::any_of(named, [&](const FileLog::Entry& entry) { return entry.second == hash; });
    };
    auto files = source.files;
    for (const auto& where : source.property_files) files.push_back(file_and_name(where).first);
    for (const auto& file : files) {
      auto text = text_of(request_.texts, file);
      if (!text) return bad_input(std::move(text.error()));
      if (!known(sha256_hex(*text)))
        return request_.files.empty() ? changed(file) : fmt::format("the certificate is not about {}", file);
    }
    for (const auto& [file, sha256] : statement_.read) {
      auto text = text_of(request_.texts, moved(file));
      if (!text) return bad_input(std::move(text.error()));
      if (sha256_hex(*text) != sha256) return changed(moved(file));
    }
    return std::string();
  }

  Outcome<std::string> cpp(const Model& model, Budget& budget) const {
    if (!model.promela || !model.promela->source->by_cpp) return std::string();
    if (!statement_.cpp) return std::string("the certificate does not say by which cpp the program was read");
    const Statement::Cpp now = preprocessed(*model.promela->source, budget);
    if (budget.why() != Stop::none)
      return tl::unexpected(Failure{
          2,
          {file_error(model.inputs[0].file,
                      fmt::format("unknown: stopped by {} while asking which cpp there is", describe(budget.why())))}});
    if (statement_.cpp->version != now.version)
      return fmt::format("cpp has changed since the certificate was made: it was {}, it is {}", statement_.cpp->version,
                         now.version);
    if (statement_.cpp->macros != now.macros) return changed("what cpp defines by itself");
    if (statement_.cpp->text != now.text) return changed("what cpp makes of " + model.inputs[0].file);
    return std::string();
  }

  const CertifyRequest& request_;
  const Statement& statement_;
};

// Each proof by its kind, about the one thing of that kind and name.
class Judge {
 public:
  Judge(const Source& source, const Model& model, const Subjects& subjects, std::string not_apart)
      : source_(source), model_(model), subjects_(subjects), not_apart_(std::move(not_apart)) {}

  Certification::Line line(const Proof& proof, Budget& whole, const Teller& tell) const {
    Certification::Line line{proof.kind_name, proof.property, proof.rule_name};
    if (const auto& induction = proof.certificate.induction)
      line.sizes = fmt::format("{} >= {}", induction->parameter, induction->from);
    for (const Subject& subject : subjects_)
      if (subject.kind == proof.kind && subject.name == proof.property) line.from = subject.from;
    Budget budget(whole, {});
    const auto judgement = whole.go_on() ? judge(proof, budget, tell) : unfinished(whole);
    line.accepted = judgement.kind == certify::Judgement::Kind::accepted;
    line.finished = judgement.kind != certify::Judgement::Kind::unfinished;
    line.reason = line.finished ? judgement.reason : fmt::format("not finished ({})", judgement.reason);
    line.trace = names(*model_.actions, judgement.trace);
    return line;
  }

 private:
  static certify::Judgement unfinished(const Budget& budget) {
    return {certify::Judgement::Kind::unfinished, describe(budget.why()), {}, 0};
  }

  certify::Judgement judge(const Proof& proof, Budget& budget, const Teller& tell) const {
    if (!proof.unknown.empty()) return refuse(proof.unknown);
    Subject subject{proof.kind, proof.property, {}};
    if (has_name(proof.kind)) {
      if (auto why = find(proof, subject); !why.empty()) return refuse(std::move(why));
    }
    const bool by_parts = model_.promela && !proof.certificate.split.empty();
    if (by_parts && !model_.parts) return refuse(not_apart_);
    return recheck(model_, &source_, subject, proof.certificate, budget, tell);
  }

  // What the proof is about; else why there is nothing that it could be about.
  std::string find(const Proof& proof, Subject& subject) const {
    if (proof.kind == CheckKind::progress) return "the checker knows no proofs of progress";
    if (proof.kind == CheckKind::ltl && !model_.promela) return "the checker knows no proofs of assertions";
    const auto same = [&](const Subject& s) { return s.kind == proof.kind && s.name == proof.property; };
    const auto count = std::ranges::count_if(subjects_, same);
    if (count > 1)
      return fmt::format("there are {} called '{}' of kind {}", count, proof.property, name_of(proof.kind));
    if (count == 1) subject = *std::ranges::find_if(subjects_, same);
    const char* what = proof.kind == CheckKind::ltl ? "formula" : "property";
    if (count == 0 && proof.certificate.rule != Method::all_sizes)  // it may be one of other sizes
      return fmt::format("the certificate names no {} '{}' among its inputs", what, proof.property);
    return {};
  }

  const Source& source_;
  const Model& model_;
  const Subjects& subjects_;
  std::string not_apart_;
};

// Does the line prove this check of the model as it is?
bool covers(const Certification::Line& line, const Proof& proof, const Subject& subject, const Model& model) {
  if (!line.accepted || proof.kind != subject.kind || proof.property != subject.name) return false;
  const auto& induction = proof.certificate.induction;
  if (!induction || proof.certificate.rule != Method::all_sizes) return true;
  return std::ranges::any_of(model.fsp->constants(), [&](const FspConstant& c) {
    const int* number = std::get_if<int>(&c.value);
    return c.name == induction->parameter && number != nullptr && *number >= induction->from;
  });
}

// What the user asks for, by name or by file.
Outcome<Subjects> asked_subjects(const CertifyRequest& request, const Statement& statement, const Model& model,
                                 const Subjects& all) {
  Subjects out;
  for (const auto& property : request.properties) {
    if (is_property_file(property)) {
      const auto [file, name] = file_and_name(property);
      const std::string hash = sha256_hex(text_of(request.texts, file).value_or(""));
      for (const Input& input : statement.inputs)
        if (input.role == Input::Role::property && input.sha256 == hash && (name.empty() || input.name == name))
          out.push_back({CheckKind::safety, input.name, {}});
      continue;
    }
    auto named = named_subjects(model, all, {property});
    if (!named) return named;
    std::erase_if(*named, &Subject::own_file);
    if (named->empty())
      return usage(fmt::format("'{}' is a property of a file of its own", property), "name that file: --property FILE");
    out.insert(out.end(), named->begin(), named->end());
  }
  return out;
}

class Certifier {
 public:
  Certifier(const CertifyRequest& request, const CertificateText& certificate, Certification& result)
      : request_(request), certificate_(certificate), result_(result), budget_(request.limits, request.interrupted) {}

  Outcome<void> run() {
    Agreement agreement(request_, certificate_.about);
    auto other = agreement.before(source_);
    if (!other) return tl::unexpected(std::move(other.error()));
    if (refuse(*other)) return {};
    source_.texts = request_.texts;
    auto model = load(source_, budget_);
    if (!model) return load_failure(std::move(model.error()));
    source_.read = model->read;  // of other sizes, too
    auto differs = agreement.after(*model, budget_);
    if (!differs) return tl::unexpected(std::move(differs.error()));
    if (refuse(*differs) || refuse(agreement.read(*model))) return {};
    result_.about.inputs = model->inputs;
    for (auto& [file, sha256] : result_.about.read) file = agreement.moved(file);
    if (model->priority() != nullptr && refuse("the checker does not know priorities")) return {};
    if (auto judged = judge(*model); !judged) return judged;
    refuse(agreement.read(*model));
    return {};
  }

 private:
  bool refuse(const std::string& reason) {
    if (!reason.empty()) result_.refused = reason;
    return !reason.empty();
  }

  // The certificate is to blame for what it names, and the command line for what stands there.
  tl::unexpected<Failure> load_failure(Failure failure) const {
    if (failure.status == Failure::kUsage && request_.files.empty()) failure.status = Failure::kInput;
    return tl::unexpected(std::move(failure));
  }

  Outcome<void> judge(Model& model) {
    std::string not_apart;
    if (model.promela && certificate_.by_parts())
      if (const auto why = take_apart(model, budget_, certificate_.formulas()))
        not_apart = fmt::format("the program cannot be taken apart: {}", why->message);
    auto proofs = read_proofs(certificate_, *model.actions);
    if (!proofs) return tl::unexpected(std::move(proofs.error()));
    if (proofs->empty() && refuse("it has no proofs")) return {};
    std::vector<std::string> named = request_.properties;
    for (const auto& proof : *proofs) {
      named.push_back(proof.property);
      named.insert(named.end(), proof.certificate.properties.begin(), proof.certificate.properties.end());
    }
    if (auto added = add_outside_properties(model, named, &budget_); !added)
      return tl::unexpected(std::move(added.error()));
    const auto subjects = all_subjects(model);
    if (!subjects) return tl::unexpected(subjects.error());
    const auto asked = asked_subjects(request_, result_.about, model, *subjects);
    if (!asked) return tl::unexpected(asked.error());
    announce(model, *proofs);
    const Judge judge(source_, model, *subjects, not_apart);
    for (std::size_t i = 0; i < proofs->size(); ++i) {
      const Teller tell = Teller{request_.observer}.check(static_cast<int>(i));
      result_.lines.push_back(judge.line((*proofs)[i], budget_, tell));
    }
    cover(model, *proofs, *subjects, *asked);
    return {};
  }

  void announce(const Model& model, const std::vector<Proof>& proofs) const {
    if (request_.loaded) request_.loaded(model);
    Subjects planned;
    for (const Proof& proof : proofs) {
      planned.push_back({proof.kind, proof.property, {}});
      planned.back().id = static_cast<int>(planned.size()) - 1;
    }
    if (request_.planned) request_.planned(planned);
  }

  void cover(const Model& model, const std::vector<Proof>& proofs, const Subjects& subjects, const Subjects& asked) {
    const auto covered = [&](const Subject& subject) {
      for (std::size_t i = 0; i < proofs.size(); ++i)
        if (covers(result_.lines[i], proofs[i], subject, model)) return true;
      return false;
    };
    const auto mentioned = [&](const Subject& subject) {
      return std::ranges::any_of(result_.lines, [&](const Certification::Line& line) {
        return line.kind == name_of(subject.kind) && line.property == subject.name && !line.accepted;
      });
    };
    for (const Subject& subject : subjects)
      if (covered(subject))
        ++result_.covered;
      else
        result_.not_covered.push_back(subject);
    for (const Subject& subject : asked)
      if (!covered(subject) && !mentioned(subject)) refuse(fmt::format("it has no proof of {}", shown(subject)));
  }

  const CertifyRequest& request_;
  const CertificateText& certificate_;
  Certification& result_;
  Budget budget_;
  Source source_;
};

}  // namespace

bool Certification::finished() const {
  // One refusal settles it, whatever was not finished.
  return !refused.empty() || std::ranges::all_of(lines, &Line::finished) ||
         std::ranges::any_of(lines, [](const Line& line) { return line.finished && !line.accepted; });
}

bool Certification::accepted() const {
  return refused.empty() && !lines.empty() && std::ranges::all_of(lines, &Line::accepted);
}

Outcome<Certification> certify_text(const std::string& text, const CertifyRequest& request) {
  auto certificate = read_certificate(text, request.file);
  if (!certificate) return tl::unexpected(std::move(certificate.error()));
  Certification result;
  result.about = certificate->about;
  if (auto done = Certifier(request, *certificate, result).run(); !done) return tl::unexpected(std::move(done.error()));
  return result;
}

Outcome<Certification> certify_file(const CertifyRequest& request) {
  auto text = text_of(request.texts, request.file);
  if (!text) return bad_input(std::move(text.error()));
  return certify_text(*text, request);
}

bool is_certificate_file(const std::string& file) {
  std::error_code none;
  if (file.empty() || !std::filesystem::is_regular_file(file, none)) return false;
  const auto text = read_file(file);
  return text && text->substr(0, 200).find("\"certificate\": \"surety ") != std::string::npos;
}

}  // namespace surety::api
