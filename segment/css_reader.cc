#include "segment/css_reader.h"

#include <lexbor/css/css.h>

#include <algorithm>
#include <cstdlib>

#include "segment/css_values.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxBytes = 1 << 20;  // of all style sheets of a page
constexpr std::size_t kMaxDeclarations = 16 << 10;
constexpr std::size_t kMaxRules = 20'000;
constexpr std::size_t kMaxCompounds = 16;
constexpr std::size_t kMaxTests = 16;
constexpr int kMaxNesting = 16;  // of brackets of all kinds

std::string text_of(const lexbor_str_t& text) {
  return text.data ? std::string(reinterpret_cast<const char*>(text.data), text.length) : std::string();
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

CssTest::Match match_of(const lxb_css_selector_t& selector) {
  const auto& attribute = selector.u.attribute;
  if (!attribute.value.data) return CssTest::Match::any;
  switch (attribute.match) {
    case LXB_CSS_SELECTOR_MATCH_INCLUDE:
      return CssTest::Match::word;
    case LXB_CSS_SELECTOR_MATCH_DASH:
      return CssTest::Match::dash;
    case LXB_CSS_SELECTOR_MATCH_PREFIX:
      return CssTest::Match::prefix;
    case LXB_CSS_SELECTOR_MATCH_SUFFIX:
      return CssTest::Match::suffix;
    case LXB_CSS_SELECTOR_MATCH_SUBSTRING:
      return CssTest::Match::substring;
    default:
      return CssTest::Match::equal;
  }
}

// False where it is of a kind that never matches here.
bool add_test(const lxb_css_selector_t& selector, CssCompound& compound) {
  switch (selector.type) {
    case LXB_CSS_SELECTOR_TYPE_ANY:
      return true;
    case LXB_CSS_SELECTOR_TYPE_ELEMENT:
      compound.tests.push_back({CssTest::Kind::tag, {}, lower(text_of(selector.name)), {}});
      return true;
    case LXB_CSS_SELECTOR_TYPE_ID:
      compound.tests.push_back({CssTest::Kind::id, {}, text_of(selector.name), {}});
      return true;
    case LXB_CSS_SELECTOR_TYPE_CLASS:
      compound.tests.push_back({CssTest::Kind::class_name, {}, text_of(selector.name), {}});
      return true;
    case LXB_CSS_SELECTOR_TYPE_ATTRIBUTE:
      compound.tests.push_back({CssTest::Kind::attribute, match_of(selector), lower(text_of(selector.name)),
                                text_of(selector.u.attribute.value)});
      return true;
    default:
      return false;
  }
}

bool read_selector(const lxb_css_selector_list_t& list, CssRule& rule) {
  for (const lxb_css_selector_t* selector = list.first; selector; selector = selector->next) {
    switch (selector->combinator) {
      case LXB_CSS_SELECTOR_COMBINATOR_CLOSE:
        if (rule.compounds.empty()) rule.compounds.emplace_back();
        break;
      case LXB_CSS_SELECTOR_COMBINATOR_DESCENDANT:
      case LXB_CSS_SELECTOR_COMBINATOR_CHILD:
        rule.compounds.emplace_back().of_child =
            selector != list.first && selector->combinator == LXB_CSS_SELECTOR_COMBINATOR_CHILD;
        break;
      default:
        return false;
    }
    if (rule.compounds.size() > kMaxCompounds || rule.compounds.back().tests.size() >= kMaxTests) return false;
    if (!add_test(*selector, rule.compounds.back())) return false;
  }
  return !rule.compounds.empty();
}

void read_style(const lxb_css_rule_style_t& style, CssSheet& sheet) {
  CssChange change = change_of(style.declarations);
  if (change.normal.empty() && change.important.empty()) return;
  const auto index = static_cast<std::uint32_t>(sheet.changes.size());
  bool used = false;
  for (const lxb_css_selector_list_t* list = style.selector; list; list = list->next) {
    CssRule rule{{}, list->specificity, index};
    if (sheet.rules.size() >= kMaxRules || !read_selector(*list, rule)) continue;
    sheet.rules.push_back(std::move(rule));
    used = true;
  }
  if (used) sheet.changes.push_back(std::move(change));
}

// Media that every screen has.
bool is_for_screens(ByteView prelude) {
  const std::string media = lower(std::string(prelude));
  const auto has = [&](std::string_view word) { return media.find(word) != std::string::npos; };
  return !has("(") && !has("not") && (has("screen") || has("all"));
}

void read_rules(const lxb_css_rule_t* rule, ByteView css, CssSheet& sheet, int depth) {
  for (; rule; rule = rule->next) {
    if (rule->type == LXB_CSS_RULE_STYLE) {
      read_style(*reinterpret_cast<const lxb_css_rule_style_t*>(rule), sheet);
    } else if (rule->type == LXB_CSS_RULE_LIST) {
      if (depth > 0) read_rules(reinterpret_cast<const lxb_css_rule_list_t*>(rule)->first, css, sheet, depth - 1);
    } else if (rule->type == LXB_CSS_RULE_AT_RULE) {
      const auto& at = *reinterpret_cast<const lxb_css_rule_at_t*>(rule);
      if (at.type != LXB_CSS_AT_RULE_MEDIA || !at.u.media || !at.u.media->block || depth == 0) continue;
      if (at.prelude_begin > at.prelude_end || at.prelude_end > css.size()) continue;
      if (!is_for_screens(css.substr(at.prelude_begin, at.prelude_end - at.prelude_begin))) continue;
      read_rules(at.u.media->block->first, css, sheet, depth - 1);
    }
  }
}

// Depth costs lexbor more than linear time, and no page needs it. Counted without regard for strings and comments, which
// at worst leaves a style sheet out.
bool nests_deeply(ByteView css) {
  int depth = 0;
  for (const char c : css) {
    if (c == '{' || c == '(' || c == '[') ++depth;
    if ((c == '}' || c == ')' || c == ']') && depth > 0) --depth;
    if (depth > kMaxNesting) return true;
  }
  return false;
}

// Takes the first declaration off; strings and brackets may hold semicolons.
ByteView take_declaration(ByteView& css) {
  std::size_t at = 0;
  std::size_t open = 0;
  char quote = 0;
  for (; at < css.size(); ++at) {
    const char c = css[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(') {
      ++open;
    } else if (c == ')' && open > 0) {
      --open;
    } else if (c == ';' && open == 0) {
      break;
    }
  }
  const ByteView declaration = css.substr(0, at);
  css.remove_prefix(std::min(at + 1, css.size()));
  return declaration;
}

}  // namespace

struct CssReader::Parser {
  lxb_css_parser_t* parser = lxb_css_parser_create();
  lxb_css_memory_t* memory = lxb_css_memory_create();
  bool good = false;

  Parser() {
    good = parser && memory && lxb_css_parser_init(parser, nullptr) == LXB_STATUS_OK &&
           lxb_css_memory_init(memory, 64) == LXB_STATUS_OK;
    if (good) lxb_css_parser_memory_set(parser, memory);
  }
  ~Parser() {
    lxb_css_parser_destroy(parser, true);
    lxb_css_memory_destroy(memory, true);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
};

CssReader::CssReader() : parser_(std::make_unique<Parser>()) {}
CssReader::~CssReader() = default;

void CssReader::read_sheet(ByteView css, CssSheet& sheet) {
  if (!parser_->good || css.size() > kMaxBytes - bytes_read_ || nests_deeply(css)) return;
  bytes_read_ += css.size();
  lxb_css_stylesheet_t* parsed = lxb_css_stylesheet_create(parser_->memory);
  if (!parsed) return;
  const auto* data = reinterpret_cast<const lxb_char_t*>(css.data());
  if (lxb_css_stylesheet_parse(parsed, parser_->parser, data, css.size()) == LXB_STATUS_OK && parsed->root) {
    const lxb_css_rule_t* root = parsed->root;
    if (root->type == LXB_CSS_RULE_LIST) root = reinterpret_cast<const lxb_css_rule_list_t*>(root)->first;
    read_rules(root, css, sheet, 4);
  }
  lxb_css_stylesheet_destroy(parsed, false);
  lxb_css_memory_clean(parser_->memory);
  lxb_css_parser_erase(parser_->parser);
}

// One by one: from a declaration without a value that is followed by something else ("width:;x") lexbor never returns.
CssChange CssReader::read_declarations(ByteView css) {
  CssChange all;
  if (!parser_->good || css.size() > kMaxDeclarations || nests_deeply(css)) return all;
  while (!css.empty()) {
    const ByteView one = take_declaration(css);
    if (one.find(':') == ByteView::npos) continue;
    lxb_css_parser_memory_set(parser_->parser, parser_->memory);
    const auto* data = reinterpret_cast<const lxb_char_t*>(one.data());
    const CssChange change = change_of(lxb_css_declaration_list_parse(parser_->parser, data, one.size()));
    lxb_css_memory_clean(parser_->memory);
    all.normal.merge(change.normal);
    all.important.merge(change.important);
  }
  return all;
}

}  // namespace blockarch
