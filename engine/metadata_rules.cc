#include "engine/metadata_rules.h"

#include <algorithm>
#include <map>

#include "base/charset.h"
#include "engine/glob.h"
#include "engine/rule_parser.h"
#include "segment/html_facts.h"
#include "segment/media_type.h"

namespace blockarch {
namespace {

// One capture as the rules see it. What costs time is found when it is first asked for.
class RuleSubject {
 public:
  explicit RuleSubject(const RuleInput& input) : input_(input), declared_(parse_media_type(input.content_type)) {
    if (!input.headers) return;
    for (const auto& [name, value] : *input.headers) {
      auto [at, is_new] = headers_.emplace(ascii_lower(name), value);
      // A field that comes twice is a list (RFC 9110, 5.3).
      if (!is_new && at->second.size() < kMaxRuleValue) at->second += ", " + value;
    }
  }

  std::string_view url() const { return input_.url; }

  const std::string& mime() {
    if (!mime_) mime_ = declared_.essence.empty() ? sniff_media_type(input_.payload) : declared_.essence;
    return *mime_;
  }

  const std::string* header(const std::string& name) const {
    const auto found = headers_.find(name);
    return found != headers_.end() ? &found->second : nullptr;
  }

  const HtmlFacts& facts() {
    if (!facts_) {
      facts_.emplace();
      if (is_html_media_type(mime())) {
        *facts_ = html_facts(input_.payload, detect_charset(input_.payload, declared_.charset_label).name);
      }
    }
    return *facts_;
  }

  // What the page says itself, else the first that the header names.
  std::string language() {
    if (!facts().language.empty()) return facts().language;
    const std::string* listed = header("content-language");
    if (!listed) return {};
    std::string first = listed->substr(0, listed->find_first_of(", \t"));
    return is_language_tag(first) ? first : std::string();
  }

 private:
  const RuleInput& input_;
  const MediaType declared_;
  std::map<std::string, std::string> headers_;
  std::optional<std::string> mime_;
  std::optional<HtmlFacts> facts_;
};

using Groups = std::vector<std::optional<std::string_view>>;

bool holds(const RuleMatch& match, RuleSubject& subject) {
  switch (match.of) {
    case RuleMatch::Of::url:
      return matches_glob(*match.pattern, subject.url());
    case RuleMatch::Of::mime:
      return matches_glob(*match.pattern, subject.mime());
    case RuleMatch::Of::header: {
      const std::string* value = subject.header(match.header);
      return value && (!match.pattern || matches_glob(*match.pattern, *value));
    }
  }
  return false;
}

bool holds(const Rule& rule, RuleSubject& subject, Groups& groups) {
  const bool all = std::all_of(rule.matches.begin(), rule.matches.end(),
                               [&](const RuleMatch& match) { return holds(match, subject); });
  return all && (!rule.regex || rule.regex->find(subject.url(), groups));
}

std::optional<std::string> value_of(const RuleSetting& setting, RuleSubject& subject, const Groups& groups) {
  const auto unless_empty = [](std::string text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(std::move(text));
  };
  switch (setting.from) {
    case RuleSetting::From::literal:
      return setting.text;
    case RuleSetting::From::group: {
      const auto& group = groups[setting.group];
      return group ? std::optional<std::string>(*group) : std::nullopt;
    }
    case RuleSetting::From::header: {
      const std::string* value = subject.header(setting.text);
      return value ? std::optional<std::string>(*value) : std::nullopt;
    }
    case RuleSetting::From::title:
      return unless_empty(subject.facts().title);
    case RuleSetting::From::language:
      return unless_empty(subject.language());
  }
  return std::nullopt;
}

void add_missing(MetadataEntries& to, MetadataEntries entries) {
  const std::size_t given = to.size();
  for (auto& entry : entries) {
    const bool known = std::any_of(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(given),
                                   [&](const auto& other) { return other.first == entry.first; });
    if (!known) to.push_back(std::move(entry));
  }
}

}  // namespace

struct MetadataRules::Impl {
  std::vector<Rule> rules;
};

Result<MetadataRules> MetadataRules::parse(std::string_view text, const std::string& name) {
  BA_ASSIGN(auto rules, parse_rules(text, name));
  return MetadataRules(std::make_unique<const Impl>(Impl{std::move(rules)}));
}

RuleOutput MetadataRules::apply(const RuleInput& input) const {
  RuleSubject subject(input);
  std::map<std::string, std::string> capture;
  std::map<std::string, std::string> url;
  Groups groups;
  for (const Rule& rule : impl_->rules) {
    if (!holds(rule, subject, groups)) continue;
    for (const RuleSetting& setting : rule.settings) {
      const auto value = value_of(setting, subject, groups);
      if (value) (setting.of_url ? url : capture)[setting.key] = cut_utf8(*value, kMaxRuleValue);
    }
  }
  return {{capture.begin(), capture.end()}, {url.begin(), url.end()}};
}

void MetadataRules::apply(CaptureRequest& request, const MetadataEntries* headers) const {
  RuleOutput output = apply({request.url, request.content_type, headers, request.payload});
  add_missing(request.metadata, std::move(output.capture));
  add_missing(request.url_metadata, std::move(output.url));
}

MetadataRules::MetadataRules(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
MetadataRules::MetadataRules(MetadataRules&&) noexcept = default;
MetadataRules& MetadataRules::operator=(MetadataRules&&) noexcept = default;
MetadataRules::~MetadataRules() = default;

}  // namespace blockarch
