// lexbor's tokenizer and tree builder decide which tags open and close what; this file stands between the two and has
// OpenElements follow the builder's stack of open elements, so ranges nest by construction.
//
// The tree builder is shown only what can change its stack, which also keeps hostile pages linear:
//   1. formatting tags (<b>, <a>…) are matched by OpenElements; the builder's list of active formatting elements, whose
//      reconstruction is quadratic and multiplies nodes, stays empty;
//   2. comments, white space and text in the body, elements without content, and attributes are left out;
//   3. tags below kMaxDepth are left out, pairwise;
//   4. on all but small pages nodes are freed as soon as their element is closed;
//   5. parsing stops where tags no longer do anything or names are made up without end. What follows belongs to the
//      elements open at that point.
// And the tokenizer is shown only what is not read quicker without it (plain_tag.h): between two tokens stands a state of
// ours, which takes plain tags, the text before them and what is in scripts and styles, and hands all else on.
#include "segment/html_elements.h"

#include <lexbor/html/html.h>
#include <lexbor/html/parser.h>
#include <lexbor/html/tokenizer/state.h>
#include <lexbor/html/tree/insertion_mode.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "segment/open_elements.h"
#include "segment/plain_tag.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxDepth = 256;
constexpr std::size_t kMaxElements = 4'000'000;
constexpr std::size_t kFewElements = 2048;  // the nodes of so many are freed together at the end, which is cheaper
constexpr std::size_t kMaxNames = 16'384;   // tag or attribute names that HTML does not know; lexbor's table is fixed
constexpr std::size_t kMaxIdle = 500'000;   // tokens the tree builder kept in memory but that changed no nesting
constexpr std::size_t kMaxAttributes = 100'000;  // of one tag; the tokenizer holds them all until it ends
constexpr std::size_t kSlice = 64 << 10;         // names are counted at least this often
constexpr std::size_t kKeepParserBelow = 1 << 20;
constexpr std::uint32_t kLargeComment = 256;  // a shorter one is part of what is around it

constexpr lxb_char_t kAnyText[] = "x";

bool is_blank(const lxb_char_t* begin, const lxb_char_t* end) {
  return std::all_of(
      begin, end, [](lxb_char_t c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == 0; });
}

// By what an attribute says: hidden inputs in tables, HTML inside MathML.
bool is_treated_by_attributes(TagId tag) {
  return tag == LXB_TAG_INPUT || tag == LXB_TAG_ANNOTATION_XML;
}

// The element whose text comes next.
bool ends_with_style(const lxb_html_tree_t& builder) {
  const lexbor_array_t& stack = *builder.open_elements;
  if (stack.length == 0) return false;
  return static_cast<const lxb_dom_node_t*>(stack.list[stack.length - 1])->local_name == LXB_TAG_STYLE;
}

// Where "</name" begins as a tokenizer sees it; npos where there is none.
std::size_t find_end_tag(ByteView payload, std::size_t from, ByteView name) {
  const auto is_name = [&](std::size_t at) {
    return std::equal(name.begin(), name.end(), payload.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
  };
  while (true) {
    const std::size_t at = payload.find('<', from);
    if (at == ByteView::npos || payload.size() - at <= name.size() + 2) return ByteView::npos;
    if (payload[at + 1] == '/' && is_name(at + 2)) {
      const char after = payload[at + 2 + name.size()];
      if (after == '>' || after == '/' || after == ' ' || after == '\t' || after == '\n' || after == '\r' ||
          after == '\f') {
        return at;
      }
    }
    from = at + 1;
  }
}

TagId tag_of_node(const void* node) {
  return static_cast<const lxb_dom_node_t*>(node)->local_name;
}

class HtmlReader {
 public:
  HtmlReader(lxb_html_parser_t& parser, ByteView payload)
      : tokenizer_(*parser.tkz),
        builder_(*parser.tree),
        build_(tokenizer_.callback_token_done),
        build_context_(tokenizer_.callback_token_ctx),
        payload_(payload),
        open_(static_cast<std::uint32_t>(payload.size())) {
    lxb_html_tokenizer_callback_token_done_set(&tokenizer_, on_token, this);
  }
  ~HtmlReader() {
    if (tokenizer_.state == read_plain) tokenizer_.state = lxb_html_tokenizer_state_data_before;
    lxb_html_tokenizer_callback_token_done_set(&tokenizer_, build_, build_context_);
  }
  HtmlReader(const HtmlReader&) = delete;
  HtmlReader& operator=(const HtmlReader&) = delete;

  bool stopped() const { return stopped_; }
  void check_limits();
  // The tokens that come after this are ignored.
  ElementTree finish();

 private:
  static lxb_html_token_t* on_token(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token, void* self) {
    auto& reader = *static_cast<HtmlReader*>(self);
    const bool good = reader.take(*token);
    if (tokenizer->state == lxb_html_tokenizer_state_data_before || reader.leaps_raw_text())
      tokenizer->state = read_plain;
    return good ? token : nullptr;
  }
  // A state of the tokenizer's: between the tokens that it does not see.
  static const lxb_char_t* read_plain(lxb_html_tokenizer_t* tokenizer, const lxb_char_t* at, const lxb_char_t* end) {
    return static_cast<HtmlReader*>(tokenizer->callback_token_ctx)->take_plain(at, end);
  }
  const lxb_char_t* take_plain(const lxb_char_t* at, const lxb_char_t* end);
  const lxb_char_t* skip_text(const lxb_char_t* at, const lxb_char_t* end);
  // Whether raw text follows whose end is found without the tokenizer; then that is where reading goes on.
  bool leaps_raw_text();

  // Each of these says whether parsing may go on.
  bool take(lxb_html_token_t& token);
  bool take_text(lxb_html_token_t& token);
  bool take_tag(lxb_html_token_t& token);
  bool take_plain_tag(std::uint32_t at, const PlainTag& plain);
  bool place(lxb_html_token_t& token, const Tag& tag);
  bool begin_body(const Tag& tag);
  bool show_text(std::uint32_t at);
  bool show(lxb_html_token_t& token, const Tag& tag);

  Tag tag_of(const lxb_html_token_t& token) const;
  void take_comment(const lxb_html_token_t& token);
  void note_end_of_body(const Tag& tag);
  bool leave_out_for_depth(const Tag& tag);
  bool in_flow() const;
  bool takes_inert() const;
  void free_closed(const Tag& tag);

  // Of some damaged tags (</title/ x>) lexbor's places lie outside of the page: then the place reached so far.
  std::uint32_t offset(const lxb_char_t* at) const {
    const auto from_begin = reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(payload_.data());
    return from_begin <= payload_.size() ? static_cast<std::uint32_t>(from_begin) : cursor_;
  }

  lxb_html_tokenizer_t& tokenizer_;
  lxb_html_tree_t& builder_;
  lxb_html_tokenizer_token_f build_;
  void* build_context_;
  ByteView payload_;
  OpenElements open_;
  std::vector<void*> closed_;  // scratch
  std::array<Tag, 2> ends_{};  // </body> and </html>, as long as nothing came after them
  std::uint32_t cursor_ = 0;   // no later token begins before
  std::uint32_t leap_ = 0;     // where reading goes on; 0: here
  std::size_t left_out_ = 0;   // start tags below kMaxDepth whose end tags are still to come
  std::size_t idle_ = 0;
  bool stopped_ = false;
};

void HtmlReader::check_limits() {
  stopped_ = stopped_ || idle_ > kMaxIdle || open_.recorded() > kMaxElements ||
             lexbor_dobject_allocated(tokenizer_.tags->entries) > kMaxNames ||
             lexbor_dobject_allocated(tokenizer_.attrs->entries) > kMaxNames ||
             lexbor_dobject_allocated(tokenizer_.dobj_token_attr) > kMaxAttributes;
}

ElementTree HtmlReader::finish() {
  stopped_ = true;
  return open_.finish(ends_);
}

bool HtmlReader::take(lxb_html_token_t& token) {
  if (stopped_ || token.tag_id == LXB_TAG__END_OF_FILE) return true;
  if (token.tag_id == LXB_TAG__TEXT) return take_text(token);
  if (token.tag_id == LXB_TAG__EM_COMMENT) return take_comment(token), true;
  if (token.tag_id == LXB_TAG__EM_DOCTYPE) return build_(&tokenizer_, &token, build_context_) != nullptr;
  const bool good = take_tag(token);
  check_limits();
  return good;
}

// In the body and its kin text changes nothing that is open.
bool HtmlReader::in_flow() const {
  const auto mode = builder_.mode;
  return mode == lxb_html_tree_insertion_mode_in_body || mode == lxb_html_tree_insertion_mode_in_cell ||
         mode == lxb_html_tree_insertion_mode_in_caption || mode == lxb_html_tree_insertion_mode_text;
}

// In SVG and MathML some of these end the graphic.
bool HtmlReader::takes_inert() const {
  const lxb_dom_node_t* current = lxb_html_tree_adjusted_current_node(&builder_);
  return current && current->ns == LXB_NS_HTML && (in_flow() || builder_.mode == lxb_html_tree_insertion_mode_in_head);
}

bool HtmlReader::take_text(lxb_html_token_t& token) {
  const bool flows = in_flow();
  if (flows && !builder_.frameset_ok) return true;
  if (is_blank(token.text_start, token.text_end)) return true;
  builder_.frameset_ok = builder_.frameset_ok && builder_.mode == lxb_html_tree_insertion_mode_text;
  if (flows) return true;
  ends_ = {};
  return show_text(std::max(cursor_, offset(token.begin)));
}

// A formatting tag is the start of the body where there is none yet.
bool HtmlReader::begin_body(const Tag& tag) {
  const auto mode = builder_.mode;
  const bool before = mode == lxb_html_tree_insertion_mode_initial ||
                      mode == lxb_html_tree_insertion_mode_before_html ||
                      mode == lxb_html_tree_insertion_mode_before_head ||
                      mode == lxb_html_tree_insertion_mode_in_head || mode == lxb_html_tree_insertion_mode_after_head;
  return !before || show_text(tag.begin);
}

// One letter does what any text does.
bool HtmlReader::show_text(std::uint32_t at) {
  lxb_html_token_t text{};
  text.tag_id = LXB_TAG__TEXT;
  text.begin = text.end = reinterpret_cast<const lxb_char_t*>(payload_.data()) + at;
  text.text_start = kAnyText;
  text.text_end = kAnyText + 1;
  return show(text, {at, at, LXB_TAG__TEXT, false, 0, 0});
}

// The token holds the text between the dashes.
void HtmlReader::take_comment(const lxb_html_token_t& token) {
  const bool after_body = ends_[0].closing || ends_[1].closing;
  if (!token.begin || !token.end || token.end - token.begin < kLargeComment || after_body) return;
  std::uint32_t begin = std::max(offset(token.begin), cursor_ + 1) - 1;
  while (begin > cursor_ && payload_[begin] != '<') --begin;
  const std::size_t close = payload_.find('>', offset(token.end));
  cursor_ = static_cast<std::uint32_t>(close == ByteView::npos ? payload_.size() : close + 1);
  open_.add_comment(begin, cursor_);
}

// The token gives the name's range and those of the attributes; the tag ends at the first ">" after the last of them.
Tag HtmlReader::tag_of(const lxb_html_token_t& token) const {
  const bool closing = (token.type & LXB_HTML_TOKEN_TYPE_CLOSE) != 0;
  const lxb_char_t* last = token.end;
  if (const lxb_html_token_attr_t* attribute = token.attr_last) {
    if (attribute->name_end) last = std::max(last, attribute->name_end);
    if (attribute->value_end) last = std::max(last, attribute->value_end);
  }
  const std::size_t after = offset(last);
  const bool at_end = after < payload_.size() && payload_[after] == '>';
  const std::size_t close = at_end ? after : payload_.find('>', after);
  const auto end = static_cast<std::uint32_t>(close == ByteView::npos ? payload_.size() : close + 1);
  const std::uint32_t name = offset(token.begin);
  const std::uint32_t before = std::min(name, closing ? 2u : 1u);
  const bool whole = name - before >= cursor_ && token.tag_id < LXB_TAG__LAST_ENTRY;
  static_assert(LXB_TAG__LAST_ENTRY <= 256);
  const auto written = static_cast<std::uint8_t>(whole ? token.tag_id : 0);
  return {std::max(cursor_, name - before), std::max(cursor_, end), token.tag_id, closing, 0, 0, written};
}

bool HtmlReader::take_tag(lxb_html_token_t& token) {
  Tag tag = tag_of(token);
  cursor_ = tag.end;
  std::size_t attributes = 0;
  for (const auto* attribute = token.attr_first; attribute; attribute = attribute->next, ++attributes) {
    if (!attribute->name || attribute->name->attr_id != LXB_DOM_ATTR_ID || !attribute->value_begin) continue;
    const std::ptrdiff_t size = attribute->value_end - attribute->value_begin;
    tag.id_begin = offset(attribute->value_begin);
    tag.id_size = static_cast<std::uint8_t>(size > 0 && size < 64 ? size : 0);
  }
  if (!is_treated_by_attributes(tag.tag) || attributes > 64) token.attr_first = token.attr_last = nullptr;
  const bool good = place(token, tag);
  // Tokens keep no attributes past this point; lexbor holds the memory of all of them until told.
  if (lexbor_dobject_allocated(tokenizer_.dobj_token_attr) > 1024) lexbor_dobject_clean(tokenizer_.dobj_token_attr);
  return good;
}

// The state is the tokenizer's own one while the tree builder looks, which sets another where raw text follows.
const lxb_char_t* HtmlReader::take_plain(const lxb_char_t* at, const lxb_char_t* end) {
  if (leap_ != 0) {
    const std::uint32_t leap = std::max(leap_, offset(at)) - offset(at);
    if (leap >= static_cast<std::size_t>(end - at)) return end;
    at += leap;
    leap_ = 0;
  }
  tokenizer_.state = lxb_html_tokenizer_state_data_before;
  if (tokenizer_.is_eof) return at;
  while (at < end) {
    if (stopped_) return end;
    const lxb_char_t* const open = skip_text(at, end);
    if (open == nullptr) return at;
    if (open == end) break;
    const PlainTag plain = read_plain_tag({reinterpret_cast<const char*>(open), static_cast<std::size_t>(end - open)});
    // Elements that are treated by what an attribute says are not for here.
    if (plain.size == 0 || is_treated_by_attributes(plain.tag)) return at;
    at = open + plain.size;
    if (!take_plain_tag(offset(open), plain)) {
      if (tokenizer_.status == LXB_STATUS_OK) tokenizer_.status = LXB_STATUS_ERROR;
      return end;
    }
    if (tokenizer_.state == lxb_html_tokenizer_state_data_before) continue;
    if (!leaps_raw_text()) return at;
    tokenizer_.state = read_plain;
    return at;
  }
  tokenizer_.state = read_plain;
  return end;
}

// Raw text ends at the first end tag of its element. In a script one that follows "<!--" may be part of it, so such a
// script is the tokenizer's. What take_text() would do for the text is nothing.
bool HtmlReader::leaps_raw_text() {
  ByteView name;
  if (tokenizer_.state == lxb_html_tokenizer_state_script_data_before) {
    name = "script";
  } else if (tokenizer_.state == lxb_html_tokenizer_state_rawtext_before && ends_with_style(builder_)) {
    name = "style";
  } else {
    return false;
  }
  const std::size_t end = find_end_tag(payload_, cursor_, name);
  if (end == ByteView::npos) return false;
  if (name == "script" && payload_.substr(cursor_, end - cursor_).find("<!--") != ByteView::npos) return false;
  leap_ = static_cast<std::uint32_t>(end);
  return true;
}

// To the next "<", or nothing where lexbor has to read the text: what take_text() would do is done here.
const lxb_char_t* HtmlReader::skip_text(const lxb_char_t* at, const lxb_char_t* end) {
  if (*at == '<') return at;
  const auto size = static_cast<std::size_t>(end - at);
  const auto* open = static_cast<const lxb_char_t*>(std::memchr(at, '<', size));
  if (in_flow()) {
    if (open == nullptr) open = end;
    if (!builder_.frameset_ok || is_blank(at, open)) return open;
    if (std::memchr(at, '&', static_cast<std::size_t>(open - at)) != nullptr) return nullptr;
    builder_.frameset_ok = builder_.mode == lxb_html_tree_insertion_mode_text;
    return open;
  }
  // Where text matters, so does where it begins.
  return open != nullptr && is_blank(at, open) ? open : nullptr;
}

bool HtmlReader::take_plain_tag(std::uint32_t at, const PlainTag& plain) {
  const std::uint32_t end = at + plain.size;
  Tag tag{std::max(cursor_, at), std::max(cursor_, end), plain.tag, plain.closing};
  static_assert(LXB_TAG__LAST_ENTRY <= 256);
  tag.written = static_cast<std::uint8_t>(at >= cursor_ ? plain.tag : 0);
  if (plain.id_begin > 0) {
    tag.id_begin = at + plain.id_begin;
    tag.id_size = static_cast<std::uint8_t>(plain.id_size < 64 ? plain.id_size : 0);
  }
  cursor_ = tag.end;
  lxb_html_token_t token{};
  token.begin = reinterpret_cast<const lxb_char_t*>(payload_.data()) + at + plain.name_begin();
  token.end = reinterpret_cast<const lxb_char_t*>(payload_.data()) + at + plain.name_end;
  token.tag_id = plain.tag;
  token.type =
      (plain.closing ? LXB_HTML_TOKEN_TYPE_CLOSE : 0) | (plain.self_closing ? LXB_HTML_TOKEN_TYPE_CLOSE_SELF : 0);
  const bool good = place(token, tag);
  stopped_ = stopped_ || idle_ > kMaxIdle || open_.recorded() > kMaxElements;
  return good;
}

// Shows the tag to whom it concerns.
bool HtmlReader::place(lxb_html_token_t& token, const Tag& tag) {
  note_end_of_body(tag);
  bool good = true;
  if (is_formatting_tag(tag.tag)) {
    good = tag.closing || begin_body(tag);
    open_.take_formatting(tag);
  } else if (is_inert_tag(tag.tag) && takes_inert()) {
    if (!tag.closing) open_.add_empty(tag);
    builder_.frameset_ok = builder_.frameset_ok && !in_flow();
  } else if (!leave_out_for_depth(tag)) {
    good = show(token, tag);
  }
  return good;
}

// These close nothing: content may follow and still belongs to the body.
void HtmlReader::note_end_of_body(const Tag& tag) {
  if (!tag.closing) ends_ = {};
  if (tag.closing && tag.tag == LXB_TAG_BODY) ends_[0] = tag;
  if (tag.closing && tag.tag == LXB_TAG_HTML) ends_[1] = tag;
}

bool HtmlReader::leave_out_for_depth(const Tag& tag) {
  const bool deep = open_.depth() >= kMaxDepth;
  if (is_void_tag(tag.tag)) return deep;
  if (tag.closing) {
    if (left_out_ == 0 || is_raw_text_tag(tag.tag)) return false;
    if (!end_tag_is_optional(tag.tag)) --left_out_;
    return true;
  }
  if (!deep || (is_raw_text_tag(tag.tag) && open_.depth() < kMaxDepth + 8)) return false;
  if (!end_tag_is_optional(tag.tag)) ++left_out_;
  return true;
}

bool HtmlReader::show(lxb_html_token_t& token, const Tag& tag) {
  if (!build_(&tokenizer_, &token, build_context_)) return false;
  const lexbor_array_t& stack = *builder_.open_elements;
  if (open_.follow({stack.list, stack.length}, tag, tag_of_node, closed_)) {
    free_closed(tag);
    return true;
  }
  ++idle_;
  if (!tag.closing && is_void_tag(tag.tag)) open_.add_empty(tag);
  return true;
}

// The tree builder keeps pointers to some elements, and <frameset> has it free the body with all it holds. Children that
// were never open stay where they are until the end: they are what kMaxIdle counts.
void HtmlReader::free_closed(const Tag& tag) {
  if (tag.tag == LXB_TAG_FRAMESET || open_.recorded() < kFewElements) return;
  for (void* const closed : closed_) {
    auto* node = static_cast<lxb_dom_node_t*>(closed);
    const TagId name = node->local_name;
    const bool kept = name == LXB_TAG_HTML || name == LXB_TAG_HEAD || name == LXB_TAG_BODY ||
                      node == lxb_dom_interface_node(builder_.form);
    if (kept) continue;
    lxb_dom_node_remove_wo_events(node);
    lxb_dom_node_destroy(node);
  }
}

struct DocumentDeleter {
  void operator()(lxb_html_document_t* document) const { lxb_html_document_destroy(document); }
};
using DocumentPtr = std::unique_ptr<lxb_html_document_t, DocumentDeleter>;

// Nobody reads the parse errors, and a page of zero bytes would make one for each.
class WithoutErrors {
 public:
  explicit WithoutErrors(lxb_html_parser_t& parser)
      : parser_(parser), token_errors_(parser.tkz->parse_errors), tree_errors_(parser.tree->parse_errors) {
    parser.tkz->parse_errors = nullptr;
    parser.tree->parse_errors = nullptr;
  }
  ~WithoutErrors() {
    parser_.tkz->parse_errors = token_errors_;
    parser_.tree->parse_errors = tree_errors_;
  }
  WithoutErrors(const WithoutErrors&) = delete;
  WithoutErrors& operator=(const WithoutErrors&) = delete;

 private:
  lxb_html_parser_t& parser_;
  lexbor_array_obj_t* token_errors_;
  lexbor_array_obj_t* tree_errors_;
};

ElementTree read_page(lxb_html_document_t* document, ByteView payload) {
  if (!document || lxb_html_document_parse_chunk_begin(document) != LXB_STATUS_OK) {
    return ElementTree(static_cast<std::uint32_t>(payload.size()));
  }
  auto& parser = *static_cast<lxb_html_parser_t*>(document->dom_document.parser);
  const WithoutErrors without_errors(parser);
  HtmlReader reader(parser, payload);
  const auto* data = reinterpret_cast<const lxb_char_t*>(payload.data());
  for (std::size_t at = 0; at < payload.size() && !reader.stopped(); at += kSlice) {
    const std::size_t size = std::min(kSlice, payload.size() - at);
    if (lxb_html_document_parse_chunk(document, data + at, size) != LXB_STATUS_OK) break;
    reader.check_limits();
  }
  ElementTree tree = reader.finish();
  lxb_html_document_parse_chunk_end(document);
  return tree;
}

}  // namespace

ElementTree html_elements(ByteView payload) {
  if (payload.size() > kMaxMarkupSize) {
    return ElementTree(static_cast<std::uint32_t>(std::min<std::size_t>(payload.size(), 0xffffffff)));
  }
  // Making a parser costs more than parsing a small page.
  thread_local DocumentPtr document;
  if (!document) {
    document.reset(lxb_html_document_create());
    // Nobody listens to changes of the tree, and some of what lexbor does then walks all siblings.
    if (document) document->dom_document.options |= LXB_DOM_DOCUMENT_OPT_WO_EVENTS;
  }
  ElementTree tree = read_page(document.get(), payload);
  if (payload.size() > kKeepParserBelow) {
    document.reset();
  } else if (document) {
    lxb_html_document_clean(document.get());
    // Which cleaning leaves as the last page had it.
    document->dom_document.compat_mode = LXB_DOM_DOCUMENT_CMODE_NO_QUIRKS;
  }
  return tree;
}

}  // namespace blockarch
