#include "engine/rule_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/charset.h"
#include "engine/metadata_rules.h"
#include "objects/metadata.h"
#include "refs/url_table.h"

namespace blockarch {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// Where in the file something stands, for the message.
struct Place {
  const std::string& file;
  std::size_t line;
  std::string_view text;

  Error error(std::size_t at, std::string_view what) const {
    const std::string_view before = text.substr(0, at);
    const auto column = std::count_if(before.begin(), before.end(),
                                      [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    return {ErrorCode::invalid, fmt::format("{}:{}:{}: {}", file, line, column + 1, what)};
  }
};

// The words of one line.
class LineReader {
 public:
  explicit LineReader(Place place) : place_(place) { skip_blanks(); }

  std::size_t at() const { return at_; }
  const Place& place() const { return place_; }
  Error error(std::string_view what) const { return place_.error(at_, what); }

  // Nothing more but a comment.
  bool at_end() const { return at_ == text().size() || text()[at_] == '#'; }

  // Up to a blank or one of `stops`; empty at the end.
  std::string word(std::string_view stops = "") {
    const std::size_t begin = at_;
    if (at_end()) return {};
    while (at_ < text().size() && !is_blank(text()[at_]) && stops.find(text()[at_]) == std::string_view::npos) ++at_;
    const std::string found(text().substr(begin, at_ - begin));
    skip_blanks();
    return found;
  }

  // A word, or text in double quotes where \" and \\ stand for the second character.
  Result<std::string> value(std::string_view what, std::string_view stops = "") {
    if (at_end()) return error(fmt::format("{} is missing", what));
    if (text()[at_] == '"') return quoted();
    std::string found = word(stops);
    if (found.empty()) return error(fmt::format("{} is missing", what));
    return found;
  }

  bool is_quoted() const { return !at_end() && text()[at_] == '"'; }

  bool take(char c) {
    if (at_end() || text()[at_] != c) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  Result<void> finish() const {
    if (at_end()) return {};
    return error(fmt::format("'{}' is too much here", text().substr(at_, text().find(' ', at_) - at_)));
  }

 private:
  std::string_view text() const { return place_.text; }

  void skip_blanks() {
    while (at_ < text().size() && is_blank(text()[at_])) ++at_;
  }

  Result<std::string> quoted() {
    const std::size_t begin = at_++;
    std::string found;
    while (at_ < text().size() && text()[at_] != '"') {
      if (text()[at_] == '\\') {
        const char next = at_ + 1 < text().size() ? text()[at_ + 1] : '\0';
        if (next != '"' && next != '\\') return error("in quotes a backslash is written \\\\ and a quote \\\"");
        ++at_;
      }
      found += text()[at_++];
    }
    if (at_ == text().size()) return place_.error(begin, "the quotes are not closed");
    ++at_;
    if (at_ < text().size() && !is_blank(text()[at_])) return error("a blank is missing after the quotes");
    skip_blanks();
    return found;
  }

  Place place_;
  std::size_t at_ = 0;
};

class RuleParser {
 public:
  explicit RuleParser(const std::string& name) : name_(name) {}

  Result<std::vector<Rule>> parse(std::string_view text) {
    std::size_t line = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view here = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (here.ends_with('\r')) here.remove_suffix(1);
      BA_TRY(take_line({name_, ++line, here}));
    }
    BA_TRY(end_rule());
    return std::move(rules_);
  }

 private:
  Result<void> take_line(const Place& place) {
    for (std::size_t i = 0; i < place.text.size(); ++i) {
      if (is_control(place.text[i]) && place.text[i] != '\t') return place.error(i, "a control character");
    }
    if (std::all_of(place.text.begin(), place.text.end(), is_blank)) return end_rule();
    LineReader line(place);
    if (line.at_end()) return {};
    const std::size_t begin = line.at();
    const std::string word = line.word();
    if (word == "match") {
      if (!rule_.settings.empty()) BA_TRY(end_rule());
      BA_TRY(begin_rule(place, begin));
      return take_match(line);
    }
    if (word == "set" || word == "set-url") {
      BA_TRY(begin_rule(place, begin));
      return take_setting(line, word == "set-url");
    }
    return place.error(begin, fmt::format("'{}' is no rule: lines begin with match, set or set-url", word));
  }

  Result<void> begin_rule(const Place& place, std::size_t at) {
    if (begun_) return {};
    if (rules_.size() == kMaxRules) return place.error(at, fmt::format("more than {} rules", kMaxRules));
    begun_ = true;
    begin_line_ = place.line;
    return {};
  }

  Result<void> end_rule() {
    if (!begun_) return {};
    if (rule_.settings.empty()) {
      return Error{ErrorCode::invalid,
                   fmt::format("{}:{}:1: this rule sets nothing: it needs a set or set-url line", name_, begin_line_)};
    }
    rules_.push_back(std::move(rule_));
    rule_ = {};
    begun_ = false;
    return {};
  }

  Result<void> take_match(LineReader& line) {
    const std::size_t begin = line.at();
    const std::string what = line.word();
    if (what == "url-regex") return take_regex(line);
    RuleMatch match;
    if (what == "url" || what == "mime") {
      match.of = what == "url" ? RuleMatch::Of::url : RuleMatch::Of::mime;
      BA_ASSIGN(match.pattern, line.value("the pattern"));
      if (what == "mime") match.pattern = ascii_lower(*match.pattern);
    } else if (what == "header") {
      match.of = RuleMatch::Of::header;
      BA_ASSIGN(match.header, line.value("the header's name"));
      match.header = ascii_lower(match.header);
      if (!line.at_end()) {
        BA_ASSIGN(match.pattern, line.value("the pattern"));
      }
    } else {
      return line.place().error(begin, "match takes url, url-regex, mime or header");
    }
    rule_.matches.push_back(std::move(match));
    return line.finish();
  }

  Result<void> take_regex(LineReader& line) {
    const std::size_t begin = line.at();
    BA_ASSIGN(const std::string pattern, line.value("the regular expression"));
    if (rule_.regex) return line.place().error(begin, "a rule has one url-regex at most");
    auto regex = UrlRegex::compile(pattern);
    if (!regex) return line.place().error(begin, regex.error().message);
    rule_.regex.emplace(std::move(*regex));
    return line.finish();
  }

  Result<void> take_setting(LineReader& line, bool of_url) {
    RuleSetting setting;
    setting.of_url = of_url;
    BA_TRY(take_key(line, setting));
    if (!line.take('=')) return line.error("'=' is missing after the key");
    BA_TRY(take_value(line, setting));
    BA_TRY(line.finish());
    rule_.settings.push_back(std::move(setting));
    return {};
  }

  Result<void> take_key(LineReader& line, RuleSetting& setting) {
    const std::size_t begin = line.at();
    BA_ASSIGN(setting.key, line.value("the key", "="));
    const auto wrong = [&](std::string_view what) { return line.place().error(begin, what); };
    if (setting.key.empty()) return wrong("the key is empty");
    if (setting.key.size() > kMaxMetadataKey) return wrong(fmt::format("the key is over {} bytes", kMaxMetadataKey));
    if (setting.key.starts_with("http-") || setting.key.starts_with("warc-")) {
      return wrong("keys that begin with http- or warc- are the program's own");
    }
    std::set<std::string>& keys = setting.of_url ? url_keys_ : capture_keys_;
    keys.insert(setting.key);
    // So that what the rules give always fits, whatever they are applied to.
    const std::size_t limit = setting.of_url ? kMaxUrlMetadataEntries : kMaxRuleKeys;
    if (keys.size() > limit) return wrong(fmt::format("more than {} different keys", limit));
    return {};
  }

  Result<void> take_value(LineReader& line, RuleSetting& setting) {
    const std::size_t begin = line.at();
    const bool quoted = line.is_quoted();
    BA_ASSIGN(std::string word, line.value("the value"));
    if (quoted) {
      if (word.size() > kMaxRuleValue) {
        return line.place().error(begin, fmt::format("the value is over {} bytes", kMaxRuleValue));
      }
      setting.text = std::move(word);
      return {};
    }
    if (word == "title" || word == "language") {
      setting.from = word == "title" ? RuleSetting::From::title : RuleSetting::From::language;
      return {};
    }
    if (word == "header") {
      setting.from = RuleSetting::From::header;
      BA_ASSIGN(setting.text, line.value("the header's name"));
      setting.text = ascii_lower(setting.text);
      return {};
    }
    if (word[0] == '$') return take_group(line.place(), begin, word, setting);
    return line.place().error(begin, "a value is \"text in quotes\", $1, title, language or header NAME");
  }

  Result<void> take_group(const Place& place, std::size_t begin, const std::string& word, RuleSetting& setting) const {
    const std::string digits = word.substr(1);
    const bool is_number = !digits.empty() && digits.size() <= 2 &&
                           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number)
      return place.error(begin, fmt::format("'{}' is no group: write $1, or $0 for the whole match", word));
    setting.from = RuleSetting::From::group;
    setting.group = std::stoi(digits);
    if (!rule_.regex) return place.error(begin, fmt::format("{} needs a 'match url-regex' line in the rule", word));
    if (setting.group > rule_.regex->groups()) {
      return place.error(begin, fmt::format("the url-regex of this rule has {} group{}", rule_.regex->groups(),
                                            rule_.regex->groups() == 1 ? "" : "s"));
    }
    return {};
  }

  const std::string& name_;
  std::vector<Rule> rules_;
  Rule rule_;
  bool begun_ = false;
  std::size_t begin_line_ = 0;
  std::set<std::string> capture_keys_;
  std::set<std::string> url_keys_;
};

}  // namespace

std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

Result<std::vector<Rule>> parse_rules(std::string_view text, const std::string& name) {
  if (text.size() > kMaxRulesFile) {
    return Error{ErrorCode::invalid, fmt::format("{}: over {} bytes of rules", name, kMaxRulesFile)};
  }
  if (!is_valid_utf8(text)) return Error{ErrorCode::invalid, fmt::format("{}: rules are written in UTF-8", name)};
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return RuleParser(name).parse(text);
}

}  // namespace blockarch
