#include "cli/segment_train.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/charset.h"
#include "cli/files.h"
#include "cli/json.h"
#include "engine/site_model.h"
#include "objects/version.h"
#include "segment/tagtree_train.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxPages = 500;
constexpr std::uint64_t kMaxMainText = 16 << 20;

Result<void> check_request(const TrainRequest& request) {
  if (request.files.empty()) return Error{ErrorCode::invalid, "segment train needs pages to learn from"};
  if (request.files.size() > kMaxPages) {
    return Error{ErrorCode::too_large, fmt::format("at most {} pages can be learnt from at once", kMaxPages)};
  }
  if (request.site.empty()) return Error{ErrorCode::invalid, "segment train needs --site: whose pages they are"};
  if (!request.main_files.empty() && request.main_files.size() != request.files.size()) {
    return Error{ErrorCode::invalid, fmt::format("{} pages and {} --main: give one for each page, or none",
                                                 request.files.size(), request.main_files.size())};
  }
  if (!request.profile.empty() && request.profile != "paper" && request.profile != "modern") {
    return Error{ErrorCode::invalid, fmt::format("--profile is modern or paper, not '{}'", request.profile)};
  }
  return {};
}

Json result_document(const std::string& site, const TrainRequest& request, const TrainingResult& result) {
  const TagTreeParameters& p = result.model.parameters;
  return {{"site", site},
          {"profile", result.model.profile == TagTreeProfile::paper ? "paper" : "modern"},
          {"unit", p.relative ? "part of the page" : "pixel"},
          {"gamma", p.gamma},
          {"lambda", p.lambda},
          {"alpha", p.alpha},
          {"beta", p.beta},
          {"theta", p.theta},
          {"pattern", result.model.pattern},
          {"pages", request.files.size()},
          {"matched", result.matched},
          {"score", result.score},
          {"score_without_pattern", result.by_point}};
}

void print_result(Output& out, const std::string& site, const TrainRequest& request, const TrainingResult& result) {
  const TagTreeParameters& p = result.model.parameters;
  out.write(fmt::format("learnt {} from {} pages\n", site, request.files.size()));
  out.write(fmt::format("  point      gamma {:.4g}, lambda {:.4g}{}\n", p.gamma, p.lambda,
                        p.relative ? " of the page" : " pixels"));
  out.write(fmt::format("  least size {:.4g} × width + {:.4g} × height = {:.4g}{}\n", p.alpha, p.beta, p.theta,
                        p.relative ? " of the page's" : ""));
  out.write(fmt::format("  pattern    {} (on {} pages)\n", result.model.pattern.empty() ? "none" : result.model.pattern,
                        result.matched));
  out.write(fmt::format("  words      F {:.3f}, without the pattern {:.3f}\n", result.score, result.by_point));
}

}  // namespace

Result<ExitCode> train_site(Session& session, const TrainRequest& request) {
  BA_TRY(check_request(request));
  BA_ASSIGN(const std::string site, site_of(request.site));
  BA_ASSIGN(Archive archive, open_archive(session));
  std::vector<Bytes> payloads;
  std::vector<TrainingPage> pages;
  payloads.reserve(request.files.size());  // pages look into them
  for (std::size_t i = 0; i < request.files.size(); ++i) {
    BA_ASSIGN(Bytes payload, read_input(request.files[i], kMaxPayload));
    payloads.push_back(std::move(payload));
    TrainingPage page{payloads.back(), detect_charset(payloads.back(), "").name, std::nullopt};
    if (!request.main_files.empty()) {
      BA_ASSIGN(const Bytes text, read_input(request.main_files[i], kMaxMainText));
      page.main_text = to_utf8(text, detect_charset(text, "").name);
    }
    pages.push_back(std::move(page));
  }
  const auto profile = request.profile == "paper" ? TagTreeProfile::paper : TagTreeProfile::modern;
  BA_ASSIGN(const TrainingResult result, train_tagtree(pages, profile));
  BA_ASSIGN(Writer writer, archive.writer());
  BA_TRY(put_site_model(writer, site, result.model));
  if (session.options.json) {
    write_json_document(session.out, result_document(site, request, result));
  } else {
    print_result(session.out, site, request, result);
  }
  return ExitCode::done;
}

}  // namespace blockarch
