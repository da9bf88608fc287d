#include "segment/cut_rules.h"

#include <algorithm>

#include "segment/element_path.h"

namespace blockarch {
namespace {

constexpr std::string_view kWhole = "whole:";
constexpr std::string_view kFine = "fine:";

// What path_name() may give, with the slashes between.
bool is_path(std::string_view text) {
  return !text.empty() && text.size() <= kMaxPath && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_.:#/").find(c) != std::string_view::npos;
  });
}

bool is_sorted_set(const std::vector<std::string>& paths) {
  return std::is_sorted(paths.begin(), paths.end()) && std::adjacent_find(paths.begin(), paths.end()) == paths.end();
}

}  // namespace

bool CutRules::is_whole(const std::string& path) const {
  return std::binary_search(whole.begin(), whole.end(), path);
}

bool CutRules::is_fine(const std::string& path) const {
  return std::binary_search(fine.begin(), fine.end(), path);
}

std::string encode_cut_rules(const CutRules& rules) {
  std::string text;
  for (const std::string& path : rules.whole) text.append(text.empty() ? "" : " ").append(kWhole).append(path);
  for (const std::string& path : rules.fine) text.append(text.empty() ? "" : " ").append(kFine).append(path);
  return text;
}

std::optional<CutRules> decode_cut_rules(std::string_view text) {
  CutRules rules;
  const std::string_view all = text;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view rule = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool whole = rule.starts_with(kWhole);
    if (!whole && !rule.starts_with(kFine)) return std::nullopt;
    const std::string_view path = rule.substr(whole ? kWhole.size() : kFine.size());
    if (!is_path(path)) return std::nullopt;
    (whole ? rules.whole : rules.fine).emplace_back(path);
    if (rules.whole.size() + rules.fine.size() > kMaxCutRules) return std::nullopt;
  }
  if (!is_sorted_set(rules.whole) || !is_sorted_set(rules.fine) || encode_cut_rules(rules) != all) return std::nullopt;
  return rules;
}

}  // namespace blockarch
