#include "segment/tagtree_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace blockarch {
namespace {

std::optional<double> read_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

Error bad_model(std::string_view part) {
  return {ErrorCode::invalid, fmt::format("'{}' is no part of a tag-tree model", part.substr(0, 80))};
}

Result<void> read_part(TagTreeModel& model, std::string_view part) {
  const std::size_t equals = part.find('=');
  const std::string_view name = part.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
  TagTreeParameters& parameters = model.parameters;
  if (equals == std::string_view::npos) {
    if (name == "paper" || name == "modern") {
      model.profile = name == "paper" ? TagTreeProfile::paper : TagTreeProfile::modern;
    } else if (name == "pixels" || name == "relative") {
      parameters.relative = name == "relative";
    } else {
      return bad_model(part);
    }
    return {};
  }
  double* const target = name == "gamma"    ? &parameters.gamma
                         : name == "lambda" ? &parameters.lambda
                         : name == "alpha"  ? &parameters.alpha
                         : name == "beta"   ? &parameters.beta
                         : name == "theta"  ? &parameters.theta
                                            : nullptr;
  const auto number = read_number(value);
  if (!target || !number) return bad_model(part);
  *target = *number;
  return {};
}

}  // namespace

std::string encode_model(const TagTreeModel& model) {
  const TagTreeParameters& p = model.parameters;
  std::string text = fmt::format("{};{};gamma={};lambda={};alpha={};beta={};theta={}",
                                 model.profile == TagTreeProfile::paper ? "paper" : "modern",
                                 p.relative ? "relative" : "pixels", p.gamma, p.lambda, p.alpha, p.beta, p.theta);
  if (!model.pattern.empty()) text += ";pattern=" + model.pattern;
  return text;
}

Result<TagTreeModel> decode_model(std::string_view text) {
  constexpr std::string_view kPattern = "pattern=";
  TagTreeModel model;
  while (!text.empty()) {
    if (text.starts_with(kPattern)) {  // the last
      model.pattern = text.substr(kPattern.size());
      if (model.pattern.size() > kMaxPattern) return bad_model("pattern");
      return model;
    }
    const std::size_t end = std::min(text.find(';'), text.size());
    BA_TRY(read_part(model, text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return model;
}

}  // namespace blockarch
