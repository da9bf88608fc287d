#include "engine/url_regex.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace blockarch {
namespace {

// For the program and its states. A rule file may have thousands of patterns, and RE2 goes on without cached states where
// they do not fit.
constexpr std::int64_t kMaxMemory = 256 << 10;
constexpr int kMaxGroups = 64;

RE2::Options options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  return options;
}

}  // namespace

struct UrlRegex::Impl {
  explicit Impl(re2::StringPiece pattern) : regex(pattern, options()) {}
  RE2 regex;
};

Result<UrlRegex> UrlRegex::compile(std::string_view pattern) {
  auto impl = std::make_unique<Impl>(re2::StringPiece(pattern.data(), pattern.size()));
  if (!impl->regex.ok()) {
    return Error{ErrorCode::invalid, fmt::format("the regular expression cannot be used: {}", impl->regex.error())};
  }
  if (impl->regex.NumberOfCapturingGroups() > kMaxGroups) {
    return Error{ErrorCode::invalid, fmt::format("the regular expression has more than {} groups", kMaxGroups)};
  }
  return UrlRegex(std::move(impl));
}

int UrlRegex::groups() const {
  return impl_->regex.NumberOfCapturingGroups();
}

bool UrlRegex::find(std::string_view text, std::vector<std::optional<std::string_view>>& groups) const {
  std::vector<re2::StringPiece> found(this->groups() + 1);
  const re2::StringPiece whole(text.data(), text.size());
  if (!impl_->regex.Match(whole, 0, text.size(), RE2::UNANCHORED, found.data(), static_cast<int>(found.size()))) {
    return false;
  }
  groups.clear();
  for (const re2::StringPiece& group : found) {
    groups.push_back(group.data() ? std::optional<std::string_view>({group.data(), group.size()}) : std::nullopt);
  }
  return true;
}

UrlRegex::UrlRegex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
UrlRegex::UrlRegex(UrlRegex&&) noexcept = default;
UrlRegex& UrlRegex::operator=(UrlRegex&&) noexcept = default;
UrlRegex::~UrlRegex() = default;

}  // namespace blockarch
