// The tokenizer alone: neither fact depends on nesting, but for <title> in SVG and MathML, which is counted by tags.
#include "segment/html_facts.h"

#include <lexbor/html/html.h>
#include <lexbor/html/tokenizer.h>

#include <algorithm>
#include <memory>
#include <new>

#include "base/charset.h"

namespace blockarch {
namespace {

constexpr std::size_t kSlice = 16 << 10;
constexpr std::size_t kNameTable = 1024;
// lexbor's tables of names have a fixed size: a page that makes up more names than this is given up.
constexpr std::size_t kMaxNames = 16'384;
// Kept of a title before blanks are collapsed.
constexpr std::size_t kMaxRawTitle = 16 << 10;

std::string_view text_of(const lxb_char_t* begin, const lxb_char_t* end) {
  return begin && end > begin ? std::string_view(reinterpret_cast<const char*>(begin), end - begin)
                              : std::string_view();
}

std::string collapsed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    if (!blank) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

class FactFinder {
 public:
  explicit FactFinder(lxb_html_tokenizer_t& tokenizer) : tokenizer_(tokenizer) {
    lxb_html_tokenizer_callback_token_done_set(&tokenizer_, on_token, this);
  }

  HtmlFacts find(std::string_view html) {
    const auto* data = reinterpret_cast<const lxb_char_t*>(html.data());
    for (std::size_t at = 0; at < html.size() && !done_ && !is_endless(); at += kSlice) {
      const std::size_t size = std::min(kSlice, html.size() - at);
      if (lxb_html_tokenizer_chunk(&tokenizer_, data + at, size) != LXB_STATUS_OK) break;
    }
    // The end gives out a title that nobody closed.
    if (!done_) lxb_html_tokenizer_end(&tokenizer_);
    HtmlFacts facts;
    facts.title = cut_utf8(collapsed(title_), kMaxTitle);
    if (is_language_tag(language_)) facts.language = language_;
    return facts;
  }

 private:
  static lxb_html_token_t* on_token(lxb_html_tokenizer_t*, lxb_html_token_t* token, void* self) {
    static_cast<FactFinder*>(self)->take(*token);
    return token;
  }

  void take(const lxb_html_token_t& token) {
    if (done_) return;
    if (token.tag_id == LXB_TAG__TEXT) {
      if (!in_title_ || title_.size() > kMaxRawTitle) return;
      const std::string_view text = text_of(token.text_start, token.text_end);
      title_ += text.substr(0, kMaxRawTitle);
      return;
    }
    if (token.tag_id == LXB_TAG__EM_COMMENT || token.tag_id == LXB_TAG__EM_DOCTYPE) return;
    if (in_title_) {
      // RCDATA: the next thing that is no text ends it.
      done_ = true;
      return;
    }
    if (token.tag_id == LXB_TAG__END_OF_FILE) return;
    const bool foreign = token.tag_id == LXB_TAG_SVG || token.tag_id == LXB_TAG_MATH;
    if ((token.type & LXB_HTML_TOKEN_TYPE_CLOSE) != 0) {
      if (foreign && foreign_ > 0) --foreign_;
      return;
    }
    take_start_tag(token, foreign);
  }

  void take_start_tag(const lxb_html_token_t& token, bool foreign) {
    const bool self_closing = (token.type & LXB_HTML_TOKEN_TYPE_CLOSE_SELF) != 0;
    if (token.tag_id == LXB_TAG_HTML) take_language(token);
    if (self_closing && foreign_ > 0) return;
    if (foreign && !self_closing) ++foreign_;
    in_title_ = token.tag_id == LXB_TAG_TITLE && foreign_ == 0;
    lxb_html_tokenizer_set_state_by_tag(&tokenizer_, false, token.tag_id, LXB_NS_HTML);
  }

  void take_language(const lxb_html_token_t& token) {
    for (auto* attribute = token.attr_first; attribute && language_.empty(); attribute = attribute->next) {
      if (!attribute->name || !attribute->value) continue;
      std::size_t size = 0;
      const lxb_char_t* name = lxb_html_token_attr_name(attribute, &size);
      const std::string_view wanted(reinterpret_cast<const char*>(name), size);
      if (wanted != "lang" && wanted != "xml:lang") continue;
      language_ = collapsed(text_of(attribute->value, attribute->value + attribute->value_size));
    }
  }

  bool is_endless() const {
    return lexbor_dobject_allocated(tokenizer_.tags->entries) > kMaxNames ||
           lexbor_dobject_allocated(tokenizer_.attrs->entries) > kMaxNames;
  }

  lxb_html_tokenizer_t& tokenizer_;
  std::string title_;
  std::string language_;
  std::size_t foreign_ = 0;  // open <svg> and <math>
  bool in_title_ = false;
  bool done_ = false;
};

struct DestroyTokenizer {
  void operator()(lxb_html_tokenizer_t* tokenizer) const {
    lxb_html_tokenizer_tags_destroy(tokenizer);
    lxb_html_tokenizer_attrs_destroy(tokenizer);
    lxb_html_tokenizer_destroy(tokenizer);
  }
};

}  // namespace

HtmlFacts html_facts(ByteView page, std::string_view charset) {
  const std::string html = to_utf8(page.substr(0, kFactsWindow), charset);
  const std::unique_ptr<lxb_html_tokenizer_t, DestroyTokenizer> tokenizer(lxb_html_tokenizer_create());
  if (!tokenizer || lxb_html_tokenizer_init(tokenizer.get()) != LXB_STATUS_OK ||
      lxb_html_tokenizer_tags_make(tokenizer.get(), kNameTable) != LXB_STATUS_OK ||
      lxb_html_tokenizer_attrs_make(tokenizer.get(), kNameTable) != LXB_STATUS_OK ||
      lxb_html_tokenizer_begin(tokenizer.get()) != LXB_STATUS_OK) {
    throw std::bad_alloc();
  }
  // Looking for duplicates is quadratic in a tag's attributes, and nobody reads the parse errors.
  lxb_html_tokenizer_keep_duplicate_set(tokenizer.get(), true);
  tokenizer->parse_errors = lexbor_array_obj_destroy(tokenizer->parse_errors, true);
  return FactFinder(*tokenizer).find(html);
}

bool is_language_tag(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (text.empty() || text.size() > kMaxLanguage || !is_letter(text[0])) return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

std::string_view cut_utf8(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return text.substr(0, limit);
}

}  // namespace blockarch
