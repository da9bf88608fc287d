#include "history/page_blocks.h"

#include <algorithm>
#include <array>

#include "base/charset.h"
#include "segment/attributes.h"
#include "segment/chunker.h"
#include "segment/element_path.h"
#include "segment/html_elements.h"
#include "segment/start_tag.h"
#include "segment/text_pieces.h"
#include "segment/xml_elements.h"

namespace blockarch {
namespace {

constexpr ByteView kBlank = " \t\n\r\f";
constexpr std::uint32_t kMaxRow = 4096;  // a longer row of a table is taken cell by cell

ByteView trimmed(ByteView text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == ByteView::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

std::string lower_name(ByteView payload, const Element& element) {
  std::string name(element_name(payload, element).substr(0, 16));
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

bool shows_something(ByteView name) {
  constexpr std::array<ByteView, 14> kShown = {"img",    "input",  "video",  "audio",    "picture", "object", "embed",
                                               "canvas", "button", "iframe", "textarea", "select",  "area",   "frame"};
  return std::any_of(kShown.begin(), kShown.end(), [&](ByteView shown) { return equals_ignoring_case(name, shown); });
}

ByteView name_in(ByteView tag) {
  const std::size_t end = tag.find_first_of(" \t\n\r\f/>", 1);
  return tag.substr(1, std::min(end, tag.size()) - 1);
}

struct Content {
  bool text = false;
  bool media = false;
};

// What a stretch without blocks inside shows. Stops at the first word.
Content content_of(ByteView markup) {
  Content content;
  while (!markup.empty()) {
    const std::size_t open = markup.find('<');
    if (!trimmed(markup.substr(0, open)).empty()) {
      content.text = true;
      return content;
    }
    markup.remove_prefix(std::min(open, markup.size()));
    if (markup.starts_with("<!--")) {
      const std::size_t end = markup.find("-->");
      markup.remove_prefix(end == ByteView::npos ? markup.size() : end + 3);
    } else if (!markup.empty()) {
      const ByteView tag = markup.substr(0, tag_size(markup));
      content.media = content.media || shows_something(name_in(tag));
      markup.remove_prefix(tag.size());
    }
  }
  return content;
}

class BlockReader {
 public:
  BlockReader(ByteView payload, PageBlocks& page) : payload_(payload), page_(page), elements_(page.tree.elements) {}

  // Down from the document; a frame for each container on the way.
  void read() {
    open_.push_back({0, elements_[0].first_child, elements_[0].inner_begin});
    while (!open_.empty() && !is_full()) {
      Frame& frame = open_.back();
      if (frame.child == kNoElement) {
        take_run(frame.element, frame.run_begin, elements_[frame.element].inner_end);
        open_.pop_back();
        continue;
      }
      const std::uint32_t child = frame.child;
      frame.child = elements_[child].next_sibling;
      if (!is_boundary(child)) continue;
      take_run(frame.element, frame.run_begin, elements_[child].begin);
      frame.run_begin = elements_[child].end;
      if (is_whole(child)) {
        take_element(child);
      } else {
        open_.push_back({child, elements_[child].first_child, elements_[child].inner_begin});
      }
    }
  }

 private:
  struct Frame {
    std::uint32_t element;
    std::uint32_t child;
    std::uint32_t run_begin;
  };

  bool is_full() const { return page_.blocks.size() >= kMaxPageBlocks; }

  bool is_boundary(std::uint32_t i) const {
    return elements_[i].kind != ElementKind::phrasing || element_name(payload_, elements_[i]).starts_with('!');
  }

  bool has_boundary_inside(std::uint32_t i) const {
    for (std::uint32_t c = elements_[i].first_child; c != kNoElement; c = elements_[c].next_sibling) {
      if (is_boundary(c)) return true;
    }
    return false;
  }

  // Taken as one block, whatever is inside.
  bool is_whole(std::uint32_t i) const {
    const Element& element = elements_[i];
    if (element.kind == ElementKind::leaf || element.kind == ElementKind::entry) return true;
    if (!has_boundary_inside(i)) return true;
    return lower_name(payload_, element) == "tr" && element.end - element.begin <= kMaxRow && is_plain_row(i);
  }

  bool is_plain_row(std::uint32_t row) const {
    for (std::uint32_t c = elements_[row].first_child; c != kNoElement; c = elements_[c].next_sibling) {
      if (has_boundary_inside(c)) return false;
    }
    return true;
  }

  void take_element(std::uint32_t i) {
    const Element& element = elements_[i];
    const std::string name = lower_name(payload_, element);
    if (name.starts_with("!") || name == "br" || name == "hr") return;
    if (name == "script") return add(element.begin, element.end, PageBlockKind::script, i, false);
    if (name == "style") return add(element.begin, element.end, PageBlockKind::style, i, false);
    if (name == "meta" || name == "link" || name == "base") {
      return add(element.begin, element.end, PageBlockKind::head, i, false);
    }
    const ByteView bytes = payload_.substr(element.begin, element.end - element.begin);
    const Content content = content_of(bytes);
    if (!content.text && !content.media && element.kind != ElementKind::leaf) return;
    add(element.begin, element.end, content.text ? PageBlockKind::text : PageBlockKind::media, i, false);
  }

  void take_run(std::uint32_t parent, std::uint32_t begin, std::uint32_t end) {
    const ByteView run = trimmed(payload_.substr(begin, end - begin));
    if (run.empty()) return;
    const Content content = content_of(run);
    if (!content.text && !content.media) return;
    const auto at = static_cast<std::uint64_t>(run.data() - payload_.data());
    add(at, at + run.size(), content.text ? PageBlockKind::text : PageBlockKind::media, parent, true);
  }

  void add(std::uint64_t begin, std::uint64_t end, PageBlockKind kind, std::uint32_t element, bool run) {
    // Where the end tag is left out, the white space after an element counts as its own.
    while (end > begin && kBlank.find(payload_[end - 1]) != ByteView::npos) --end;
    if (begin == end || is_full()) return;
    if (page_.blocks.size() + 1 == kMaxPageBlocks) end = payload_.size();
    std::string path = element == 0 ? std::string() : element_path(payload_, page_.tree, element);
    if (run) path = join_path(path, "#text");
    page_.blocks.push_back({begin, end, {}, kind, element, std::move(path)});
  }

  ByteView payload_;
  PageBlocks& page_;
  const std::vector<Element>& elements_;
  std::vector<Frame> open_;
};

// Text for reading is told by its paragraphs, everything else by its lines.
std::vector<std::uint64_t> text_ends(ByteView payload, const std::string& media_type) {
  if (media_type == "text/plain" || media_type == "text/markdown") return paragraph_ends(payload);
  std::vector<std::uint64_t> ends;
  for (std::size_t at = payload.find('\n'); at != ByteView::npos; at = payload.find('\n', at + 1)) {
    ends.push_back(at + 1);
  }
  if (ends.empty() || ends.back() != payload.size()) ends.push_back(payload.size());
  return ends;
}

void add_pieces(ByteView payload, const std::vector<std::uint64_t>& ends, bool text, PageBlocks& page) {
  std::uint64_t at = 0;
  for (std::uint64_t end : ends) {
    if (page.blocks.size() + 1 == kMaxPageBlocks) end = payload.size();
    const ByteView whole = payload.substr(at, end - at);
    const ByteView piece = text ? trimmed(whole) : whole;
    at = end;
    if (piece.empty()) continue;
    const auto begin = static_cast<std::uint64_t>(piece.data() - payload.data());
    page.blocks.push_back({begin, begin + piece.size(), {}, text ? PageBlockKind::text : PageBlockKind::bytes});
    if (page.blocks.size() == kMaxPageBlocks) return;
  }
}

std::size_t find_last(ByteView page, ByteView lower_case) {
  const auto found =
      std::search(page.rbegin(), page.rend(), lower_case.rbegin(), lower_case.rend(),
                  [](char c, char wanted) { return (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) == wanted; });
  return found == page.rend() ? ByteView::npos : static_cast<std::size_t>(page.rend() - found) - lower_case.size();
}

ElementTree read_tree(ByteView payload, Markup markup) {
  switch (markup) {
    case Markup::html:
      if (const auto closed = without_open_frame(payload)) return html_elements(*closed);
      return html_elements(payload);
    case Markup::xml:
      return xml_elements(payload);
    case Markup::none:
      break;
  }
  return ElementTree(0);
}

}  // namespace

std::optional<Bytes> without_open_frame(ByteView page) {
  constexpr ByteView kFrame = "<iframe";
  const std::size_t open = find_last(page, kFrame);
  if (open == ByteView::npos || page.size() > kMaxMarkupSize) return std::nullopt;
  const std::size_t close = find_last(page.substr(open), "</iframe");
  if (close != ByteView::npos) return std::nullopt;
  Bytes changed(page);
  changed[open + kFrame.size() - 1] = '_';
  return changed;
}

PageBlocks read_page_blocks(ByteView payload, const std::string& media_type, const std::string& charset) {
  PageBlocks page;
  page.media_type = media_type;
  page.charset = charset;
  if (!charset.empty() && payload.size() <= kMaxMarkupSize && markup_is_ascii(charset)) {
    page.markup = sniff_markup(payload, media_type);
  }
  page.tree = read_tree(payload, page.markup);
  if (page.markup != Markup::none) {
    BlockReader(payload, page).read();
  } else if (page.is_text() && markup_is_ascii(charset)) {
    add_pieces(payload, text_ends(payload, media_type), true, page);
  } else {
    add_pieces(payload, chunk_ends(payload, chunk_sizes_for(payload.size())), false, page);
  }
  for (PageBlock& block : page.blocks) {
    block.id.hash = hash_object(ObjectKind::block, payload.substr(block.begin, block.end - block.begin));
  }
  return page;
}

PageBlocks read_page_blocks(ByteView payload, const PageFacts& version) {
  return read_page_blocks(payload, version.media_type, version.charset);
}

}  // namespace blockarch
