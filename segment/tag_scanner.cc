#include "segment/tag_scanner.h"

#include <algorithm>
#include <array>

namespace blockarch {
namespace {

constexpr TagTraits block(std::string_view name) {
  return {.name = name, .block = true};
}
constexpr TagTraits heading(std::string_view name) {
  return {.name = name, .block = true, .heading = static_cast<std::uint8_t>(name[1] - '0')};
}
constexpr TagTraits item(std::string_view name) {
  return {.name = name, .block = true, .item = true};
}
constexpr TagTraits cell(std::string_view name) {
  return {.name = name, .block = true, .item = true, .scope = true};
}
constexpr TagTraits single(std::string_view name) {
  return {.name = name, .single = true};
}
constexpr TagTraits rule(std::string_view name) {
  return {.name = name, .block = true, .single = true};
}
constexpr TagTraits picture(std::string_view name) {
  return {.name = name, .single = true, .picture = true};
}
constexpr TagTraits hidden(std::string_view name) {
  return {.name = name, .block = true, .hidden = true};
}
constexpr TagTraits raw(std::string_view name) {
  return {.name = name, .raw = true};
}

// Sorted by name; the first stands for all others.
constexpr auto kTags = std::to_array<TagTraits>({
    {},
    block("address"),
    single("area"),
    block("article"),
    block("aside"),
    single("base"),
    block("blockquote"),
    block("body"),
    single("br"),
    block("caption"),
    block("center"),
    single("col"),
    block("colgroup"),
    item("dd"),
    block("details"),
    block("dialog"),
    block("dir"),
    block("div"),
    block("dl"),
    item("dt"),
    picture("embed"),
    block("fieldset"),
    block("figcaption"),
    block("figure"),
    block("footer"),
    block("form"),
    single("frame"),
    block("frameset"),
    heading("h1"),
    heading("h2"),
    heading("h3"),
    heading("h4"),
    heading("h5"),
    heading("h6"),
    block("head"),
    block("header"),
    block("hgroup"),
    rule("hr"),
    block("html"),
    {.name = "iframe", .raw = true, .picture = true},
    picture("img"),
    picture("input"),
    block("legend"),
    item("li"),
    single("link"),
    block("listing"),
    block("main"),
    block("menu"),
    single("meta"),
    block("nav"),
    raw("noembed"),
    raw("noframes"),
    hidden("noscript"),
    {.name = "object", .picture = true},
    block("ol"),
    block("optgroup"),
    item("option"),
    item("p"),
    single("param"),
    block("pre"),
    raw("script"),
    block("search"),
    block("section"),
    {.name = "select", .block = true},
    single("source"),
    raw("style"),
    block("summary"),
    {.name = "svg", .hidden = true, .picture = true},
    {.name = "table", .block = true, .scope = true},
    item("tbody"),
    cell("td"),
    hidden("template"),
    raw("textarea"),
    item("tfoot"),
    cell("th"),
    item("thead"),
    raw("title"),
    item("tr"),
    single("track"),
    block("ul"),
    {.name = "video", .picture = true},
    single("wbr"),
    raw("xmp"),
});
static_assert(kTags.size() <= kMaxTagNumbers);
static_assert(std::is_sorted(kTags.begin(), kTags.end(),
                             [](const TagTraits& a, const TagTraits& b) { return a.name < b.name; }));

constexpr std::size_t kLongestName = 10;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool ends_name(char c) {
  return c == '>' || c == '/' || c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

std::size_t or_end(std::size_t found, std::size_t size) {
  return std::min(found, size);
}

}  // namespace

const TagTraits& traits_of(std::uint8_t tag) {
  return kTags[tag < kTags.size() ? tag : kUnknownTag];
}

std::uint8_t tag_number(std::string_view name) {
  const auto* const found = std::lower_bound(kTags.begin(), kTags.end(), name,
                                             [](const TagTraits& a, std::string_view b) { return a.name < b; });
  const bool known = found != kTags.end() && found->name == name;
  return known ? static_cast<std::uint8_t>(found - kTags.begin()) : kUnknownTag;
}

Piece TagScanner::take(std::size_t end, PieceKind kind, std::uint8_t tag) {
  const Piece piece{static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end), kind, tag};
  at_ = end;
  return piece;
}

Piece TagScanner::next() {
  if (at_ >= page_.size()) return take(page_.size(), PieceKind::end);
  if (raw_ != kUnknownTag) {
    const std::size_t end = end_of_raw();
    raw_ = kUnknownTag;
    if (end > at_) return take(end, PieceKind::raw);
  }
  if (!opens_markup(at_)) return take(end_of_text(), PieceKind::text);
  const ByteView rest = page_.substr(at_);
  if (rest.starts_with("<!--")) {
    const std::size_t close = page_.find("-->", at_ + 2);  // "<!-->" is a whole comment
    return take(close == ByteView::npos ? page_.size() : close + 3, PieceKind::other);
  }
  const bool closing = rest[1] == '/';
  const std::size_t name_at = at_ + (closing ? 2 : 1);
  if (!is_letter(page_[name_at])) return take(or_end(page_.find('>', at_), page_.size() - 1) + 1, PieceKind::other);

  std::array<char, kLongestName> name{};
  std::size_t name_end = name_at;
  for (; name_end < page_.size() && !ends_name(page_[name_end]); ++name_end) {
    if (name_end - name_at < kLongestName) name[name_end - name_at] = lower(page_[name_end]);
  }
  const std::size_t size = name_end - name_at;
  const std::uint8_t tag = size <= kLongestName ? tag_number({name.data(), size}) : kUnknownTag;
  const std::size_t end = end_of_tag(name_end);
  if (closing) return take(end, PieceKind::end_tag, tag);
  const TagTraits& traits = traits_of(tag);
  if (traits.raw) raw_ = tag;
  // A slash says nothing about an HTML element, and that it is empty about all others.
  const bool slash = tag == kUnknownTag && end - at_ > 2 && page_[end - 1] == '>' && page_[end - 2] == '/';
  return take(end, traits.single || slash ? PieceKind::single_tag : PieceKind::start_tag, tag);
}

bool TagScanner::opens_markup(std::size_t at) const {
  if (page_[at] != '<' || at + 1 >= page_.size()) return false;
  const char c = page_[at + 1];
  return is_letter(c) || c == '!' || c == '?' || (c == '/' && at + 2 < page_.size());
}

std::size_t TagScanner::end_of_text() const {
  std::size_t at = page_.find('<', at_ + 1);
  while (at != ByteView::npos && !opens_markup(at)) at = page_.find('<', at + 1);
  return or_end(at, page_.size());
}

// A quote counts where a value begins, and there only.
std::size_t TagScanner::end_of_tag(std::size_t after_name) const {
  std::size_t at = after_name;
  while (at < page_.size()) {
    at = page_.find_first_of(">=", at);
    if (at == ByteView::npos) return page_.size();
    if (page_[at] == '>') return at + 1;
    at = page_.find_first_not_of(" \t\r\n\f", at + 1);
    if (at == ByteView::npos) return page_.size();
    if (page_[at] != '"' && page_[at] != '\'') continue;
    const std::size_t close = page_.find(page_[at], at + 1);
    if (close == ByteView::npos) return page_.size();
    at = close + 1;
  }
  return page_.size();
}

// Where there is no end tag the rest of the page is inside, so this looks at every byte once.
std::size_t TagScanner::end_of_raw() const {
  const std::string_view name = traits_of(raw_).name;
  for (std::size_t at = page_.find("</", at_); at != ByteView::npos; at = page_.find("</", at + 2)) {
    const ByteView rest = page_.substr(at + 2);
    const bool same = rest.size() >= name.size() &&
                      std::equal(name.begin(), name.end(), rest.begin(), [](char x, char y) { return x == lower(y); });
    if (same && (rest.size() == name.size() || ends_name(rest[name.size()]))) return at;
  }
  return page_.size();
}

}  // namespace blockarch
