// The tokenizer alone, without a tree: nothing that matters here depends on nesting, apart from the elements
// whose content is text, which is switched to as the tree builder would.
#include "segment/links.h"

#include <lexbor/html/html.h>
#include <lexbor/html/tokenizer.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <utility>

#include "segment/html_elements.h"
#include "segment/link_values.h"

namespace blockarch {
namespace {

// lexbor's tables of names have a fixed size and are searched in vain for each new one: emptied between tags,
// and the page is given up inside a tag that makes up more, or that has attributes without end.
constexpr std::size_t kKeepNames = 1024;
constexpr std::size_t kMaxNames = 16'384;
constexpr std::size_t kMaxAttributes = 1 << 18;
constexpr std::size_t kNameTable = 1024;
constexpr std::size_t kSlice = 64 << 10;

enum class AttributeUse : std::uint8_t { none, url, href, srcset, style };

AttributeUse use_of(std::string_view name, lxb_tag_id_t tag) {
  if (name == "href" || name == "xlink:href") return AttributeUse::href;
  if (name == "style") return AttributeUse::style;
  if (name == "srcset" || name == "imagesrcset") return AttributeUse::srcset;
  constexpr std::array<std::string_view, 7> kUrls{"src",        "action",   "formaction", "poster",
                                                  "background", "longdesc", "cite"};
  const bool is_url = std::find(kUrls.begin(), kUrls.end(), name) != kUrls.end();
  return is_url || (name == "data" && tag == LXB_TAG_OBJECT) ? AttributeUse::url : AttributeUse::none;
}

std::string_view name_of(const lxb_html_token_attr_t& attribute) {
  std::size_t size = 0;
  const lxb_char_t* name =
      attribute.name ? lxb_html_token_attr_name(const_cast<lxb_html_token_attr_t*>(&attribute), &size) : nullptr;
  return name ? std::string_view(reinterpret_cast<const char*>(name), size) : std::string_view();
}

bool is_refresh(std::string_view value) {
  constexpr std::string_view kRefresh = "refresh";
  return std::equal(value.begin(), value.end(), kRefresh.begin(), kRefresh.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

class LinkFinder {
 public:
  LinkFinder(lxb_html_tokenizer_t& tokenizer, ByteView html) : tokenizer_(tokenizer), html_(html) {
    lxb_html_tokenizer_callback_token_done_set(&tokenizer_, on_token, this);
  }

  std::vector<Link> find();

 private:
  static lxb_html_token_t* on_token(lxb_html_tokenizer_t*, lxb_html_token_t* token, void* self) {
    static_cast<LinkFinder*>(self)->take(*token);
    return token;
  }

  void take(const lxb_html_token_t& token);
  void take_start_tag(const lxb_html_token_t& token);
  void take_attribute(const lxb_html_token_attr_t& attribute, lxb_tag_id_t tag);
  void take_meta(const lxb_html_token_t& token);
  void take_style_text();
  void follow_text_elements(const lxb_html_token_t& token);
  void forget_names();

  void add(std::size_t begin, std::size_t end, LinkKind kind, LinkQuote quote, std::string value);
  void add_parts(const lxb_html_token_attr_t& attribute, LinkKind kind);

  std::size_t offset(const lxb_char_t* at) const {
    return static_cast<std::size_t>(reinterpret_cast<const char*>(at) - html_.data());
  }
  ByteView source(const lxb_html_token_attr_t& attribute) const {
    return html_.substr(offset(attribute.value_begin), offset(attribute.value_end) - offset(attribute.value_begin));
  }
  LinkQuote quote_before(std::size_t begin) const;
  bool is_endless_tag() const;

  lxb_html_tokenizer_t& tokenizer_;
  ByteView html_;
  std::vector<Link> links_;
  bool has_base_ = false;
  bool in_style_ = false;
  std::size_t style_begin_ = 0;  // its text so far, which may come in several tokens
  std::size_t style_end_ = 0;
  std::size_t foreign_ = 0;  // open <svg> and <math>
};

std::vector<Link> LinkFinder::find() {
  const auto* data = reinterpret_cast<const lxb_char_t*>(html_.data());
  for (std::size_t at = 0; at < html_.size(); at += kSlice) {
    const std::size_t size = std::min(kSlice, html_.size() - at);
    if (lxb_html_tokenizer_chunk(&tokenizer_, data + at, size) != LXB_STATUS_OK) break;
    if (is_endless_tag()) return std::move(links_);
  }
  lxb_html_tokenizer_end(&tokenizer_);
  take_style_text();
  return std::move(links_);
}

void LinkFinder::take(const lxb_html_token_t& token) {
  if (token.tag_id == LXB_TAG__TEXT) {
    if (!in_style_ || !token.begin || !token.end) return;
    if (style_begin_ == style_end_) style_begin_ = offset(token.begin);
    style_end_ = offset(token.end);
    return;
  }
  take_style_text();
  if (token.tag_id == LXB_TAG__END_OF_FILE || token.tag_id == LXB_TAG__EM_COMMENT ||
      token.tag_id == LXB_TAG__EM_DOCTYPE)
    return;
  const bool closing = (token.type & LXB_HTML_TOKEN_TYPE_CLOSE) != 0;
  if (!closing) take_start_tag(token);
  if (closing && (token.tag_id == LXB_TAG_SVG || token.tag_id == LXB_TAG_MATH) && foreign_ > 0) --foreign_;
  forget_names();
}

void LinkFinder::take_start_tag(const lxb_html_token_t& token) {
  if (token.tag_id == LXB_TAG_META) {
    take_meta(token);
  } else {
    for (const auto* attribute = token.attr_first; attribute; attribute = attribute->next)
      if (attribute->value_begin && attribute->value_end) take_attribute(*attribute, token.tag_id);
  }
  follow_text_elements(token);
}

void LinkFinder::take_attribute(const lxb_html_token_attr_t& attribute, lxb_tag_id_t tag) {
  const AttributeUse use = use_of(name_of(attribute), tag);
  if (use == AttributeUse::none) return;
  if (use == AttributeUse::srcset) return add_parts(attribute, LinkKind::srcset);
  if (use == AttributeUse::style) return add_parts(attribute, LinkKind::css);
  const bool is_base = tag == LXB_TAG_BASE && use == AttributeUse::href && !has_base_;
  has_base_ = has_base_ || is_base;
  const std::size_t begin = offset(attribute.value_begin);
  const std::size_t end = offset(attribute.value_end);
  if (begin == end && use != AttributeUse::href) return;
  // In SVG "#icon" is a part of this document whatever the <base> says.
  const bool follows_base = tag == LXB_TAG_A || tag == LXB_TAG_AREA || tag == LXB_TAG_LINK || tag == LXB_TAG_BASE;
  if (use == AttributeUse::href && !follows_base && begin < end && html_[begin] == '#') return;
  std::string value;
  if (attribute.value) value.assign(reinterpret_cast<const char*>(attribute.value), attribute.value_size);
  add(begin, end, is_base ? LinkKind::base : LinkKind::attribute, quote_before(begin), std::move(value));
}

void LinkFinder::take_meta(const lxb_html_token_t& token) {
  bool refreshes = false;
  const lxb_html_token_attr_t* content = nullptr;
  for (const auto* attribute = token.attr_first; attribute; attribute = attribute->next) {
    if (!attribute->value_begin || !attribute->value_end) continue;
    const std::string_view name = name_of(*attribute);
    if (name == "http-equiv") refreshes = refreshes || is_refresh(source(*attribute));
    if (name == "content" && !content) content = attribute;
  }
  if (refreshes && content) add_parts(*content, LinkKind::refresh);
}

void LinkFinder::add_parts(const lxb_html_token_attr_t& attribute, LinkKind kind) {
  const DecodedValue value(source(attribute));
  std::vector<TextRange> ranges;
  if (kind == LinkKind::srcset) ranges = srcset_urls(value.text());
  if (kind == LinkKind::css) ranges = css_urls(value.text());
  if (kind == LinkKind::refresh)
    if (const auto range = refresh_url(value.text())) ranges.push_back(*range);
  const std::size_t begin = offset(attribute.value_begin);
  const LinkQuote quote = quote_before(begin);
  for (const TextRange& range : ranges) {
    const TextRange part = value.in_source(range);
    add(begin + part.begin, begin + part.end, kind, quote, value.text().substr(range.begin, range.end - range.begin));
  }
}

void LinkFinder::take_style_text() {
  if (in_style_ && style_begin_ < style_end_) {
    const ByteView text = html_.substr(style_begin_, style_end_ - style_begin_);
    for (const TextRange& range : css_urls(text))
      add(style_begin_ + range.begin, style_begin_ + range.end, LinkKind::css, LinkQuote::text,
          std::string(text.substr(range.begin, range.end - range.begin)));
  }
  in_style_ = false;
}

// Inside SVG and MathML, <style/> and <title/> have no content. Where they do have some it is read as text
// although it may be markup there: that can miss a link, but never take a script's text for one.
void LinkFinder::follow_text_elements(const lxb_html_token_t& token) {
  const bool self_closing = (token.type & LXB_HTML_TOKEN_TYPE_CLOSE_SELF) != 0;
  if (self_closing && foreign_ > 0) return;
  if ((token.tag_id == LXB_TAG_SVG || token.tag_id == LXB_TAG_MATH) && !self_closing) ++foreign_;
  in_style_ = token.tag_id == LXB_TAG_STYLE;
  style_begin_ = style_end_ = 0;
  lxb_html_tokenizer_set_state_by_tag(&tokenizer_, false, token.tag_id, LXB_NS_HTML);
}

// Nothing of a token is looked at again once it was taken; lexbor keeps the memory of all of them until told.
void LinkFinder::forget_names() {
  if (lexbor_dobject_allocated(tokenizer_.dobj_token_attr) > kKeepNames) {
    lexbor_dobject_clean(tokenizer_.dobj_token_attr);
    lexbor_mraw_clean(tokenizer_.attrs_mraw);
  }
  if (lexbor_dobject_allocated(tokenizer_.tags->entries) > kKeepNames) lexbor_hash_clean(tokenizer_.tags);
  if (lexbor_dobject_allocated(tokenizer_.attrs->entries) > kKeepNames) lexbor_hash_clean(tokenizer_.attrs);
}

bool LinkFinder::is_endless_tag() const {
  return lexbor_dobject_allocated(tokenizer_.tags->entries) > kMaxNames ||
         lexbor_dobject_allocated(tokenizer_.attrs->entries) > kMaxNames ||
         lexbor_dobject_allocated(tokenizer_.dobj_token_attr) > kMaxAttributes;
}

void LinkFinder::add(std::size_t begin, std::size_t end, LinkKind kind, LinkQuote quote, std::string value) {
  links_.push_back({begin, end, kind, quote, std::move(value)});
}

LinkQuote LinkFinder::quote_before(std::size_t begin) const {
  const char before = begin > 0 ? html_[begin - 1] : ' ';
  return before == '"' ? LinkQuote::double_ : before == '\'' ? LinkQuote::single : LinkQuote::none;
}

struct FreeTokenizer {
  void operator()(lxb_html_tokenizer_t* tokenizer) const {
    lxb_html_tokenizer_tags_destroy(tokenizer);
    lxb_html_tokenizer_attrs_destroy(tokenizer);
    lxb_html_tokenizer_destroy(tokenizer);
  }
};
using Tokenizer = std::unique_ptr<lxb_html_tokenizer_t, FreeTokenizer>;

Tokenizer make_tokenizer() {
  Tokenizer tokenizer(lxb_html_tokenizer_create());
  if (!tokenizer || lxb_html_tokenizer_init(tokenizer.get()) != LXB_STATUS_OK ||
      lxb_html_tokenizer_tags_make(tokenizer.get(), kNameTable) != LXB_STATUS_OK ||
      lxb_html_tokenizer_attrs_make(tokenizer.get(), kNameTable) != LXB_STATUS_OK ||
      lxb_html_tokenizer_begin(tokenizer.get()) != LXB_STATUS_OK)
    throw std::bad_alloc();
  // Looking for duplicates is quadratic in a tag's attributes.
  lxb_html_tokenizer_keep_duplicate_set(tokenizer.get(), true);
  // Nobody reads the parse errors, and a page of zero bytes would make one for each.
  tokenizer->parse_errors = lexbor_array_obj_destroy(tokenizer->parse_errors, true);
  return tokenizer;
}

}  // namespace

std::vector<Link> find_links(ByteView html) {
  if (html.size() > kMaxMarkupSize) return {};
  const Tokenizer tokenizer = make_tokenizer();
  return LinkFinder(*tokenizer, html).find();
}

}  // namespace blockarch
