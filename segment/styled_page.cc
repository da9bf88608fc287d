// Built in one walk over the elements in source order. A stack holds the open nodes with what selectors ask about them;
// the texts between two tags are found when the second one is reached.
#include "segment/styled_page.h"

#include <lexbor/tag/const.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <unordered_map>

#include "segment/css_match.h"
#include "segment/html_elements.h"
#include "segment/page_texts.h"
#include "segment/start_tag.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxNodes = 8'000'000;
constexpr std::size_t kMaxStyles = 1 << 16;  // elements past this look like their parents
constexpr std::size_t kMaxCachedAttributes = 4096;
constexpr std::uint64_t kMatchSteps = 4'000'000;
constexpr std::uint64_t kMatchStepsPerElement = 32;
constexpr std::size_t kMaxName = 64;

struct StyleHash {
  std::size_t operator()(const ComputedStyle& style) const {
    const auto bits = [](float value) {
      std::uint32_t result = 0;
      std::memcpy(&result, &value, sizeof result);
      return result;
    };
    std::uint64_t hash = style.color;
    for (const std::uint32_t value :
         {style.background, bits(style.font_size), bits(style.width), bits(style.height), bits(style.width_percent),
          bits(style.height_percent), static_cast<std::uint32_t>(style.display), static_cast<std::uint32_t>(style.flow),
          std::uint32_t{style.bold}, std::uint32_t{style.hidden}, std::uint32_t{style.preformatted}}) {
      hash = (hash ^ value) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

// "100", "100px", "50%".
std::optional<Length> attribute_length(ByteView value) {
  float number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || !(number >= 0)) return std::nullopt;
  const bool percent = end != value.data() + value.size() && *end == '%';
  return Length{number, percent ? Length::Unit::percent : Length::Unit::px};
}

// <font size="5">, "+1".
std::optional<Length> font_length(ByteView value) {
  const bool relative = value.starts_with('+') || value.starts_with('-');
  int number = 0;
  const std::size_t skip = value.starts_with('+') ? 1 : 0;
  const auto [end, error] = std::from_chars(value.data() + skip, value.data() + value.size(), number);
  if (error != std::errc()) return std::nullopt;
  static constexpr float kSizes[] = {10, 13, 16, 18, 24, 32, 48};
  const int step = std::clamp((relative ? 3 + std::clamp(number, -7, 7) : number), 1, 7);
  return Length{kSizes[step - 1], Length::Unit::px};
}

bool takes_size(std::uint16_t tag) {
  switch (tag) {
    case LXB_TAG_COL:
    case LXB_TAG_EMBED:
    case LXB_TAG_HR:
    case LXB_TAG_IFRAME:
    case LXB_TAG_IMG:
    case LXB_TAG_OBJECT:
    case LXB_TAG_SVG:
    case LXB_TAG_TABLE:
    case LXB_TAG_TD:
    case LXB_TAG_TH:
    case LXB_TAG_TR:
    case LXB_TAG_VIDEO:
      return true;
    default:
      return false;
  }
}

class PageBuilder {
 public:
  explicit PageBuilder(ByteView payload) : payload_(payload), tree_(html_elements(payload)) { page_.payload = payload; }

  StyledPage run() {
    read_sheets();
    count_nodes();
    CssMatcher matcher(sheet_, kMatchSteps + kMatchStepsPerElement * tree_.elements.size());
    matcher_ = &matcher;
    add_document();
    for (std::uint32_t i = 1; i < tree_.elements.size(); ++i) {
      const Element& element = tree_.elements[i];
      // An implied tag has no bytes; </p> that closes nothing implies an element without any.
      if (element.dropped || element.inner_begin == element.begin) continue;
      close_before(element.begin);
      add_texts(element.begin);
      if (page_.nodes.size() < kMaxNodes) open(element);
    }
    close_before(0xffffffff);
    return std::move(page_);
  }

 private:
  struct OpenNode {
    std::uint32_t node;
    std::uint32_t cursor;  // where the text not yet looked at begins
    bool opaque;           // its text is no text of the page
    bool raw;              // its text is no markup
  };

  void read_sheets() {
    for (const Element& element : tree_.elements) {
      if (element.dropped || element.kind != ElementKind::leaf) continue;
      if (!equals_ignoring_case(element_name(payload_, element), "style")) continue;
      css_.read_sheet(payload_.substr(element.inner_begin, element.inner_end - element.inner_begin), sheet_);
    }
  }

  // Growing arrays twice the size of what they hold is most of the memory otherwise.
  void count_nodes() {
    std::size_t elements = 0;
    for (const Element& element : tree_.elements) elements += element.dropped ? 0 : 1;
    page_.nodes.reserve(std::min(elements * 3 / 2 + 16, kMaxNodes));
  }

  void add_document() {
    StyledNode& document = page_.nodes.emplace_back();
    document.end = document.inner_end = static_cast<std::uint32_t>(payload_.size());
    ComputedStyle style;
    style.display = Display::block;
    document.style = style_index(style);
    open_.push_back({0, 0, false, false});
  }

  void close_before(std::uint32_t position) {
    while (!open_.empty() && (position == 0xffffffff || page_.nodes[open_.back().node].end <= position)) {
      const OpenNode closed = open_.back();
      add_texts(page_.nodes[closed.node].inner_end);
      page_.nodes[closed.node].subtree_end = static_cast<std::uint32_t>(page_.nodes.size());
      open_.pop_back();
      if (!path_.empty()) path_.pop_back();
      if (!open_.empty()) open_.back().cursor = page_.nodes[closed.node].end;
    }
  }

  void add_texts(std::uint32_t end) {
    OpenNode& around = open_.back();
    if (around.cursor >= end) return;
    texts_.clear();
    if (!around.opaque) find_texts(payload_, {around.cursor, end}, around.raw, texts_);
    around.cursor = end;
    for (const PageText& text : texts_) {
      if (page_.nodes.size() >= kMaxNodes) return;
      const std::uint32_t style = page_.nodes[around.node].style;
      page_.nodes.push_back({text.begin, text.begin, text.end, text.end, around.node,
                             static_cast<std::uint32_t>(page_.nodes.size() + 1), style, kTextTag});
    }
  }

  void open(const Element& element) {
    const auto index = static_cast<std::uint32_t>(page_.nodes.size());
    std::string name(element_name(payload_, element));
    if (name.starts_with('!')) return;  // a large comment
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const TagId tag = tag_by_name(name);
    StyledNode& node = page_.nodes.emplace_back();
    node.begin = element.begin;
    node.inner_begin = element.inner_begin;
    node.inner_end = element.inner_end;
    node.end = element.end;
    node.parent = open_.back().node;
    node.subtree_end = index + 1;
    node.tag = tag == 0 ? kOtherTag : static_cast<std::uint16_t>(tag);
    path_.push_back({std::move(name), {}, {}, page_.start_tag(node)});
    node.style = style_of(node);
    const bool opaque = kind_of_tag(tag) == ElementKind::leaf && tag != LXB_TAG_XMP;
    open_.push_back({index, node.inner_begin, opaque, is_raw_text_tag(tag)});
  }

  std::uint32_t style_of(const StyledNode& node) {
    const ComputedStyle& parent = page_.styles[page_.nodes[node.parent].style];
    CssChange in_tag;
    StyleChange from_attributes;
    read_attributes(node, from_attributes, in_tag);
    ComputedStyle style = inherit(parent, default_display(node.tag));
    apply(style, default_change(node.tag), parent);
    StyleChange total = std::move(from_attributes);
    const std::vector<const CssChange*>& matched = matcher_->match(path_);
    for (const CssChange* change : matched) total.merge(change->normal);
    total.merge(in_tag.normal);
    for (const CssChange* change : matched) total.merge(change->important);
    total.merge(in_tag.important);
    apply(style, total, parent);
    return style_index(style);
  }

  void read_attributes(const StyledNode& node, StyleChange& change, CssChange& in_tag) {
    AttributeReader attributes(page_.start_tag(node));
    Attribute attribute;
    while (attributes.next(attribute)) {
      const ByteView value = attribute.value;
      const auto is = [&](ByteView name) { return equals_ignoring_case(attribute.name, name); };
      if (is("id")) path_.back().id = value;
      if (is("class")) path_.back().classes = value;
      if (is("style")) in_tag = read_style_attribute(value);
      if (is("bgcolor")) change.background = parse_color(value);
      if (is("text") && node.tag == LXB_TAG_BODY) change.color = parse_color(value);
      if (is("hidden")) change.display = Display::none;
      if (node.tag == LXB_TAG_FONT && is("color")) change.color = parse_color(value);
      if (node.tag == LXB_TAG_FONT && is("size")) change.font_size = font_length(value);
      if (takes_size(node.tag) && is("width")) change.width = attribute_length(value);
      if (takes_size(node.tag) && is("height")) change.height = attribute_length(value);
      if (node.tag == LXB_TAG_INPUT && is("type") && equals_ignoring_case(value, "hidden")) {
        change.display = Display::none;
      }
    }
  }

  // Pages repeat them.
  const CssChange& read_style_attribute(ByteView value) {
    const auto found = attributes_.find(value);
    if (found != attributes_.end()) return found->second;
    if (attributes_.size() >= kMaxCachedAttributes) attributes_.clear();
    return attributes_.emplace(value, css_.read_declarations(value)).first->second;
  }

  std::uint32_t style_index(const ComputedStyle& style) {
    const auto found = style_numbers_.find(style);
    if (found != style_numbers_.end()) return found->second;
    if (page_.styles.size() >= kMaxStyles) return page_.nodes[page_.nodes.back().parent].style;
    const auto index = static_cast<std::uint32_t>(page_.styles.size());
    page_.styles.push_back(style);
    style_numbers_.emplace(style, index);
    return index;
  }

  ByteView payload_;
  ElementTree tree_;
  StyledPage page_;
  CssReader css_;
  CssSheet sheet_;
  CssMatcher* matcher_ = nullptr;
  std::unordered_map<ComputedStyle, std::uint32_t, StyleHash> style_numbers_;
  std::unordered_map<ByteView, CssChange> attributes_;
  std::vector<OpenNode> open_;
  std::vector<ElementIdentity> path_;
  std::vector<PageText> texts_;  // scratch
};

void append_safe(std::string& text, ByteView bytes) {
  for (const char c : bytes) {
    if (text.size() >= kMaxName) return;
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    text.push_back(plain ? c : '_');
  }
}

}  // namespace

ByteView StyledPage::attribute(const StyledNode& node, std::string_view lower_case_name) const {
  if (is_text(node) || node.tag == kDocumentTag) return {};
  AttributeReader attributes(start_tag(node));
  Attribute attribute;
  while (attributes.next(attribute)) {
    if (equals_ignoring_case(attribute.name, lower_case_name)) return attribute.value;
  }
  return {};
}

std::string StyledPage::name(const StyledNode& node) const {
  if (is_text(node)) return "#text";
  std::string name;
  if (node.tag == kDocumentTag) return name;
  ByteView tag = start_tag(node).substr(1);
  tag = tag.substr(0, tag.find_first_of(" \t\n\r\f/>"));
  append_safe(name, tag);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const ByteView id = attribute(node, "id");
  if (id.empty() || id.size() >= kMaxName) return name;
  name.push_back('#');
  append_safe(name, id);
  return name;
}

StyledPage read_styled_page(ByteView payload) {
  return PageBuilder(payload).run();
}

std::uint32_t visible_length(ByteView text) {
  std::uint32_t length = 0;
  bool blank = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    if (space ? !blank : (static_cast<unsigned char>(c) & 0xc0) != 0x80) ++length;
    blank = space;
    if (c != '&') continue;
    const std::size_t end = text.substr(i, 12).find(';');
    if (end != ByteView::npos) i += end;
  }
  return length;
}

}  // namespace blockarch
