#include "history/rule_lines.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "base/charset.h"
#include "history/significance_rules.h"

namespace blockarch {
namespace {

constexpr std::string_view kFirstLine = "blockarch-significance";
constexpr int kLanguage = 1;

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

struct Place {
  const std::string& file;
  std::size_t line;
  std::string_view text;

  Error error(std::size_t at, std::string_view what) const {
    const std::string_view before = text.substr(0, std::min(at, text.size()));
    const auto column = std::count_if(before.begin(), before.end(),
                                      [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    return {ErrorCode::invalid, fmt::format("{}:{}:{}: {}", file, line, column + 1, what)};
  }
};

// The words of a line, and what stands behind them.
class Words {
 public:
  explicit Words(std::string_view line) : line_(line) { skip(); }

  std::size_t at() const { return at_; }
  bool at_end() const { return at_ == line_.size(); }
  std::string_view next() {
    const std::size_t begin = at_;
    while (at_ < line_.size() && !is_blank(line_[at_])) ++at_;
    const std::string_view word = line_.substr(begin, at_ - begin);
    skip();
    return word;
  }
  std::string_view rest() const {
    std::string_view rest = line_.substr(at_);
    while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
    return rest;
  }

 private:
  void skip() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
  }
  std::string_view line_;
  std::size_t at_ = 0;
};

constexpr std::array<std::pair<std::string_view, NoiseRule::Kind>, 7> kKinds = {{
    {"select", NoiseRule::Kind::select},
    {"label", NoiseRule::Kind::label},
    {"attribute", NoiseRule::Kind::attribute},
    {"parameter", NoiseRule::Kind::parameter},
    {"text", NoiseRule::Kind::text},
    {"source", NoiseRule::Kind::source},
    {"comments", NoiseRule::Kind::comments},
}};

class Parser {
 public:
  explicit Parser(const std::string& name) : name_(name) { file_.name = name; }

  Result<NoiseRuleFile> parse(std::string_view text) {
    std::size_t line = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view here = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (here.ends_with('\r')) here.remove_suffix(1);
      BA_TRY(take({name_, ++line, here}));
    }
    if (!begun_)
      return Error{ErrorCode::invalid,
                   fmt::format("{}:1:1: the first line must be '{} {}'", name_, kFirstLine, kLanguage)};
    return std::move(file_);
  }

 private:
  Result<void> take(const Place& place) {
    Words words(place.text);
    if (words.at_end() || place.text[words.at()] == '#') return {};
    const std::size_t begin = words.at();
    const std::string_view word = words.next();
    if (!begun_) return take_first(place, word, begin, words);
    if (word == "name") {
      if (words.at_end()) return place.error(words.at(), "the name is missing");
      file_.name = words.rest();
      return {};
    }
    if (word == "for") {
      if (words.at_end()) return place.error(words.at(), "the pattern of the URLs is missing");
      scope_ = words.rest() == "*" ? "" : std::string(words.rest());
      return {};
    }
    if (word == "ignore" || word == "keep") return take_rule(place, words, word == "keep");
    return place.error(begin, fmt::format("'{}' is no rule: lines begin with ignore, keep, for or name", word));
  }

  Result<void> take_first(const Place& place, std::string_view word, std::size_t begin, Words& words) {
    if (word != kFirstLine)
      return place.error(begin, fmt::format("the first line must be '{} {}'", kFirstLine, kLanguage));
    const std::size_t at = words.at();
    if (words.rest() != std::to_string(kLanguage)) {
      return place.error(at, fmt::format("this program reads version {} of the rules", kLanguage));
    }
    begun_ = true;
    return {};
  }

  Result<void> take_rule(const Place& place, Words& words, bool keep) {
    if (file_.rules.size() == kMaxSignificanceRules) {
      return place.error(0, fmt::format("more than {} rules", kMaxSignificanceRules));
    }
    const std::size_t begin = words.at();
    const std::string_view what = words.next();
    const auto* const kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& k) { return k.first == what; });
    if (kind == kKinds.end()) {
      return place.error(begin, "ignore takes select, label, attribute, parameter, text, source or comments");
    }
    if (keep && kind->second != NoiseRule::Kind::select) return place.error(begin, "keep takes select");
    NoiseRule rule;
    rule.kind = kind->second;
    rule.keep = keep;
    rule.scope = scope_;
    rule.value = words.rest();
    const bool alone = rule.kind == NoiseRule::Kind::comments;
    if (alone && !rule.value.empty()) return place.error(words.at(), "nothing follows 'comments'");
    if (!alone && rule.value.empty())
      return place.error(words.at(), fmt::format("what to ignore by '{}' is missing", what));
    BA_TRY(settle(place, words.at(), rule));
    file_.rules.push_back(std::move(rule));
    return {};
  }

  Result<void> settle(const Place& place, std::size_t at, NoiseRule& rule) {
    switch (rule.kind) {
      case NoiseRule::Kind::select:
        return settle_selector(place, at, rule);
      case NoiseRule::Kind::label:
        return settle_label(place, at, rule);
      case NoiseRule::Kind::text:
      case NoiseRule::Kind::source: {
        std::size_t in_pattern = 0;
        auto pattern = TextPattern::compile(rule.value, in_pattern);
        if (!pattern) return place.error(at + in_pattern, pattern.error().message);
        rule.pattern = std::move(*pattern);
        return {};
      }
      case NoiseRule::Kind::attribute:
      case NoiseRule::Kind::parameter:
        if (rule.value.find_first_of(" \t") != std::string::npos) {
          return place.error(at + rule.value.find_first_of(" \t"), "one name on a line");
        }
        std::transform(rule.value.begin(), rule.value.end(), rule.value.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        return {};
      case NoiseRule::Kind::comments:
        return {};
    }
    return {};
  }

  // A style sheet with this one selector; what the reader leaves out it cannot match.
  Result<void> settle_selector(const Place& place, std::size_t at, NoiseRule& rule) {
    auto sheet = std::make_shared<CssSheet>();
    const bool brackets = rule.value.find_first_of("{}") != std::string::npos;
    const auto wanted = static_cast<std::size_t>(std::count(rule.value.begin(), rule.value.end(), ',')) + 1;
    if (!brackets) CssReader().read_sheet(rule.value + "{display:none}", *sheet);
    if (brackets || sheet->rules.size() < wanted) {
      return place.error(at,
                         "cannot be used as a selector: names, classes, ids, attributes, descendants and children can");
    }
    rule.selector = std::move(sheet);
    return {};
  }

  static Result<void> settle_label(const Place& place, std::size_t at, NoiseRule& rule) {
    std::string names;
    for (int i = 1; i <= static_cast<int>(BlockLabel::data); ++i) {
      const auto label = static_cast<BlockLabel>(i);
      if (rule.value == label_name(label)) {
        rule.label = label;
        return {};
      }
      names += (names.empty() ? "" : ", ") + std::string(label_name(label));
    }
    return place.error(at, fmt::format("'{}' is no label; there are {}", rule.value, names));
  }

  const std::string& name_;
  NoiseRuleFile file_;
  std::string scope_;
  bool begun_ = false;
};

RE2::Options regex_options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(4 << 20);
  return options;
}

}  // namespace

struct TextPattern::Impl {
  explicit Impl(std::string_view pattern) : regex(re2::StringPiece(pattern.data(), pattern.size()), regex_options()) {}
  RE2 regex;
};

TextPattern::TextPattern(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
TextPattern::~TextPattern() = default;

Result<std::shared_ptr<const TextPattern>> TextPattern::compile(std::string_view pattern, std::size_t& at) {
  auto impl = std::make_unique<const Impl>(pattern);
  if (!impl->regex.ok()) {
    const std::size_t found = pattern.find(impl->regex.error_arg());
    at = found == std::string_view::npos ? 0 : found;
    return Error{ErrorCode::invalid, fmt::format("the regular expression cannot be used: {}", impl->regex.error())};
  }
  return std::shared_ptr<const TextPattern>(new TextPattern(std::move(impl)));
}

bool TextPattern::next(std::string_view text, std::size_t& at, std::string_view& found) const {
  std::array<re2::StringPiece, 2> groups;
  const int wanted = std::min(impl_->regex.NumberOfCapturingGroups(), 1) + 1;
  const re2::StringPiece whole(text.data(), text.size());
  if (!impl_->regex.Match(whole, at, text.size(), RE2::UNANCHORED, groups.data(), wanted)) return false;
  const re2::StringPiece& meant = groups[static_cast<std::size_t>(wanted - 1)];
  found = meant.data() == nullptr ? std::string_view() : std::string_view(meant.data(), meant.size());
  const auto end = static_cast<std::size_t>(groups[0].data() + groups[0].size() - text.data());
  at = end > at || !groups[0].empty() ? end : at + 1;
  return true;
}

Result<NoiseRuleFile> parse_noise_rules(std::string_view text, const std::string& name) {
  if (text.size() > kMaxSignificanceFile) {
    return Error{ErrorCode::invalid, fmt::format("{}: over {} bytes of rules", name, kMaxSignificanceFile)};
  }
  if (!is_valid_utf8(text)) return Error{ErrorCode::invalid, fmt::format("{}: rules are written in UTF-8", name)};
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return Parser(name).parse(text);
}

}  // namespace blockarch
