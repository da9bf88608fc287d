#include "segment/text_pieces.h"

#include <lexbor/tag/const.h>

#include <algorithm>
#include <limits>

namespace blockarch {
namespace {

constexpr std::uint32_t kLong = 1000;  // what is shorter is not looked into: a menu or a box stays together

bool is_box(const StyledPage& page, const StyledNode& node) {
  const Display display = page.style(node).display;
  return !StyledPage::is_text(node) && display != Display::inline_level && display != Display::inline_block &&
         display != Display::contents && display != Display::none;
}

bool is_picture(std::uint16_t tag) {
  return tag == LXB_TAG_IMG || tag == LXB_TAG_SVG || tag == LXB_TAG_VIDEO || tag == LXB_TAG_CANVAS ||
         tag == LXB_TAG_OBJECT || tag == LXB_TAG_EMBED || tag == LXB_TAG_IFRAME;
}

class PieceMaker {
 public:
  PieceMaker(const StyledPage& page, const std::vector<std::uint32_t>& lengths) : page_(page), lengths_(lengths) {}

  std::vector<TextPiece> run(std::uint32_t container, const std::vector<bool>& taken,
                             const std::vector<bool>& holds_taken) {
    const std::uint32_t end = page_.nodes[container].subtree_end;
    for (std::uint32_t i = container + 1; i < end;) {
      const StyledNode& node = page_.nodes[i];
      const bool hidden = page_.style(node).display == Display::none;
      if (taken[i]) {
        flush();
        parent_ = kNoNode;
      } else if (!hidden && (holds_taken[i] || is_container(i))) {
        flush();
        parent_ = kNoNode;
        ++i;
        continue;
      } else if (!hidden) {
        add(i);
      }
      i = node.subtree_end;
    }
    flush();
    return std::move(pieces_);
  }

 private:
  static constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

  // Looked into, rather than part of a piece as a whole.
  bool is_container(std::uint32_t index) const {
    const StyledNode& node = page_.nodes[index];
    return !StyledPage::is_text(node) && lengths_[index] >= kLong && node.subtree_end > index + 1;
  }

  void add(std::uint32_t index) {
    const StyledNode& node = page_.nodes[index];
    if (node.parent != parent_) {
      flush();
      parent_ = node.parent;
      joinable_ = false;
    }
    const bool box = is_box(page_, node);
    if (box) break_here();
    breaks_ = node.tag == LXB_TAG_BR ? breaks_ + 1 : 0;
    // Blank lines in a long text part it for whoever wrote it, if not on the screen.
    const bool by_lines = page_.style(node).preformatted || lengths_[index] >= kLong;
    if (StyledPage::is_text(node) && by_lines) return add_by_lines(index);
    extend(index, node.begin, node.end, lengths_[index]);
    if (box || breaks_ >= 2) break_here();
  }

  void add_by_lines(std::uint32_t index) {
    const StyledNode& node = page_.nodes[index];
    std::uint32_t begin = node.begin;
    for (const std::uint64_t paragraph_end : paragraph_ends(page_.text(node))) {
      const auto end = static_cast<std::uint32_t>(node.begin + paragraph_end);
      extend(index, begin, end, visible_length(page_.payload.substr(begin, end - begin)));
      if (end < node.end) break_here();
      begin = end;
    }
  }

  bool shows_anything(std::uint32_t index) const {
    const auto begin = page_.nodes.begin() + index;
    const auto end = page_.nodes.begin() + begin->subtree_end;
    return lengths_[index] > 0 || std::any_of(begin, end, [](const StyledNode& node) { return is_picture(node.tag); });
  }

  void extend(std::uint32_t index, std::uint32_t begin, std::uint32_t end, std::uint32_t length) {
    if (!shows_anything(index)) return;
    if (piece_.begin == piece_.end) piece_ = {begin, begin, index};
    piece_.end = end;
    length_ += length;
  }

  // A short piece goes on.
  void break_here() {
    if (length_ >= kShortPiece) flush();
  }

  void flush() {
    if (length_ >= kShortPiece) {
      pieces_.push_back(piece_);
      joinable_ = true;
    } else if (length_ > 0 && joinable_) {
      pieces_.back().end = piece_.end;
    }
    piece_ = {0, 0, 0};
    length_ = 0;
    breaks_ = 0;
  }

  const StyledPage& page_;
  const std::vector<std::uint32_t>& lengths_;
  std::vector<TextPiece> pieces_;
  TextPiece piece_{0, 0, 0};
  std::uint32_t length_ = 0;
  std::uint32_t parent_ = kNoNode;
  std::uint32_t breaks_ = 0;
  bool joinable_ = false;  // the last piece stands right before, in the same parent
};

bool is_blank_char(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f';
}

}  // namespace

std::vector<std::uint32_t> text_lengths(const StyledPage& page) {
  std::vector<std::uint32_t> lengths(page.nodes.size());
  for (std::size_t i = page.nodes.size(); i-- > 0;) {
    const StyledNode& node = page.nodes[i];
    const ComputedStyle& style = page.style(node);
    if (style.display == Display::none) lengths[i] = 0;
    if (StyledPage::is_text(node) && !style.hidden && style.display != Display::none) {
      lengths[i] = visible_length(page.text(node));
    }
    if (i > 0) lengths[node.parent] += lengths[i];
  }
  return lengths;
}

std::vector<TextPiece> text_pieces(const StyledPage& page, const std::vector<std::uint32_t>& lengths,
                                   std::uint32_t container, const std::vector<bool>& taken,
                                   const std::vector<bool>& holds_taken) {
  return PieceMaker(page, lengths).run(container, taken, holds_taken);
}

std::vector<std::uint64_t> paragraph_ends(ByteView text) {
  std::vector<std::uint64_t> ends;
  std::size_t at = 0;
  while (true) {
    const std::size_t newline = text.find('\n', at);
    if (newline == ByteView::npos) break;
    // The blank lines after this one.
    std::size_t next = newline + 1;
    bool blank = false;
    for (std::size_t i = next; i < text.size() && (is_blank_char(text[i]) || text[i] == '\n'); ++i) {
      if (text[i] != '\n') continue;
      blank = true;
      next = i + 1;
    }
    if (blank) ends.push_back(next);
    at = next;
  }
  if (!text.empty() && (ends.empty() || ends.back() != text.size())) ends.push_back(text.size());
  return ends;
}

}  // namespace blockarch
