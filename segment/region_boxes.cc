// Three passes over flat arrays in pre-order:
//   1. BoxBuilder goes down: which nodes are boxes, how much width each has at most, how high the text in each is;
//   2. set_sizes goes up: every box is at least as large as declared and as what it holds;
//   3. set_positions goes down again.
#include "segment/region_boxes.h"

#include <lexbor/tag/const.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace blockarch {
namespace {

constexpr std::uint32_t kMaxSpan = 100;
constexpr float kMaxLength = 1e7F;

float clamp_length(float value) {
  return std::isfinite(value) ? std::clamp(value, 0.0F, kMaxLength) : 0.0F;
}

std::uint32_t span_of(const StyledPage& page, const StyledNode& node, std::string_view attribute) {
  const ByteView value = page.attribute(node, attribute);
  std::uint32_t span = 1;
  std::from_chars(value.data(), value.data() + value.size(), span);
  return std::clamp(span, 1u, kMaxSpan);
}

bool is_cell_tag(std::uint16_t tag) {
  return tag == LXB_TAG_TD || tag == LXB_TAG_TH;
}

bool is_picture_tag(std::uint16_t tag) {
  return tag == LXB_TAG_IMG || tag == LXB_TAG_VIDEO || tag == LXB_TAG_OBJECT || tag == LXB_TAG_EMBED ||
         tag == LXB_TAG_IFRAME || tag == LXB_TAG_CANVAS || tag == LXB_TAG_SVG;
}

// Text and pictures that follow each other without a box between them.
struct InlineRun {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  float width = 0;
  float height = 0;
  float line = 0;       // pixels of text on the line that is being filled
  float line_font = 0;  // its greatest font
  std::uint32_t text = 0;
  bool paragraph = false;

  bool empty() const { return begin == end; }
};

class BoxBuilder {
 public:
  BoxBuilder(const StyledPage& page, TagTreeProfile profile) : page_(page) {
    result_.profile = profile;
    budget_ = page.nodes.size() + 16;
  }

  RegionBoxes run() {
    const float width = paper() ? kPaperWidth : kViewportWidth;
    open(0, width);
    for (std::uint32_t i = 1; i < page_.nodes.size();) {
      while (open_.size() > 1 && i >= open_.back().nodes_end) close();
      i = take(i);
    }
    while (!open_.empty()) close();
    return std::move(result_);
  }

 private:
  struct Open {
    std::uint32_t box;
    std::uint32_t nodes_end;
    float width;   // for what is inside
    float shared;  // of a row: for each child that says nothing
    InlineRun run;
    bool has_boxes = false;
    std::vector<std::uint32_t> taken;  // of a table: for how many more rows each column is taken
    std::uint32_t column = 0;          // of a row
  };

  bool paper() const { return result_.profile == TagTreeProfile::paper; }

  // The next node to look at.
  std::uint32_t take(std::uint32_t index) {
    const StyledNode& node = page_.nodes[index];
    const Style& style = page_.style(node);
    if (StyledPage::is_text(node)) {
      add_text(node, style);
      return index + 1;
    }
    if (style.display == Display::none) return node.subtree_end;
    if (is_box(node, style)) {
      open_box(index);
    } else {
      add_inline(node, style);
    }
    return index + 1;
  }

  bool is_box(const StyledNode& node, const Style& style) const {
    if (paper()) return node.tag == LXB_TAG_TABLE || node.tag == LXB_TAG_TR || is_cell_tag(node.tag);
    switch (style.display) {
      case Display::none:
      case Display::contents:
        return false;
      case Display::inline_level:
      case Display::inline_block:
        return style.flow == Flow::floating && node.end > node.inner_begin;
      default:
        return node.tag != LXB_TAG_HTML && node.tag != LXB_TAG_HEAD && node.tag != LXB_TAG_BR && node.tag != LXB_TAG_HR;
    }
  }

  BoxKind kind_of(const StyledNode& node, const Style& style) const {
    if (paper())
      return node.tag == LXB_TAG_TABLE ? BoxKind::table : node.tag == LXB_TAG_TR ? BoxKind::row : BoxKind::stack;
    switch (style.display) {
      case Display::table:
        return BoxKind::table;
      case Display::row:
        return BoxKind::row;
      case Display::flex:
      case Display::grid:
        return BoxKind::flow;
      default:
        return BoxKind::stack;
    }
  }

  static float declared_width(const Style& style, float available) {
    if (style.width >= 0) return clamp_length(style.width);
    if (style.width_percent >= 0) return clamp_length(available * style.width_percent / 100);
    return -1;
  }

  void open_box(std::uint32_t index) {
    flush_beside_box();
    open_.back().has_boxes = true;
    const StyledNode& node = page_.nodes[index];
    const Style& style = page_.style(node);
    if (parent_kind() == BoxKind::row) fill_spanned(open_.back());
    const float outer =
        parent_kind() == BoxKind::row && open_.back().shared > 0 ? open_.back().shared : open_.back().width;
    const float declared = declared_width(style, open_.back().width);
    open(index, declared > 0 ? declared : outer);
    RegionBox& box = result_.boxes[open_.back().box];
    box.kind = kind_of(node, style);
    box.floating = !paper() && (style.flow == Flow::floating || style.display == Display::inline_block);
    box.width = std::max(declared, 0.0F);
    box.has_width = declared > 0;
    box.height = style.height >= 0 ? clamp_length(style.height) : 0;
    if (box.kind == BoxKind::row) open_.back().shared = share_of_row(index, open_.back().width);
  }

  BoxKind parent_kind() const { return result_.boxes[open_.back().box].kind; }

  void open(std::uint32_t index, float width) {
    const StyledNode& node = page_.nodes[index];
    RegionBox box;
    box.begin = node.begin;
    box.end = node.end;
    box.node = index;
    box.parent = open_.empty() ? 0 : open_.back().box;
    Open entry;
    entry.box = static_cast<std::uint32_t>(result_.boxes.size());
    entry.nodes_end = node.subtree_end;
    entry.width = std::max(width, 1.0F);
    entry.shared = 0;
    result_.boxes.push_back(box);
    open_.push_back(std::move(entry));
  }

  void close() {
    Open& entry = open_.back();
    finish_line(entry);
    if (entry.has_boxes) {
      flush_beside_box();
    } else {
      RegionBox& box = result_.boxes[entry.box];
      box.width = std::max(box.width, entry.run.width);
      box.height = std::max(box.height, entry.run.height);
      box.text = entry.run.text;
    }
    const RegionBox closed = result_.boxes[entry.box];
    if (closed.kind == BoxKind::row) fill_spanned(entry);
    result_.boxes[entry.box].subtree_end = static_cast<std::uint32_t>(result_.boxes.size());
    open_.pop_back();
    if (!open_.empty() && is_cell_tag(page_.nodes[closed.node].tag)) note_spans(closed);
  }

  // What a row leaves for each cell that declares no width.
  float share_of_row(std::uint32_t row, float width) const {
    float left = width;
    std::uint32_t sharing = 0;
    const std::uint32_t end = page_.nodes[row].subtree_end;
    for (std::uint32_t i = row + 1; i < end; i = page_.nodes[i].subtree_end) {
      if (StyledPage::is_text(page_.nodes[i])) continue;
      const float declared = declared_width(page_.style(page_.nodes[i]), width);
      if (declared > 0) {
        left -= declared;
      } else {
        ++sharing;
      }
    }
    return sharing == 0 ? 0 : std::max(left / static_cast<float>(sharing), 1.0F);
  }

  // Text and pictures beside boxes are a virtual box (the paper's first kind).
  void flush_beside_box() {
    Open& entry = open_.back();
    finish_line(entry);
    const InlineRun run = std::exchange(entry.run, {});
    if (run.empty()) return;
    add_virtual(entry.box, run.begin, run.end, run.width, run.height);
    result_.boxes.back().text = run.text;
  }

  void add_virtual(std::uint32_t parent, std::uint32_t begin, std::uint32_t end, float width, float height) {
    RegionBox box;
    box.begin = begin;
    box.end = end;
    box.parent = parent;
    box.node = result_.boxes[parent].node;
    box.width = width;
    box.height = height;
    box.is_virtual = true;
    box.subtree_end = static_cast<std::uint32_t>(result_.boxes.size() + 1);
    result_.boxes.push_back(box);
  }

  // An empty one for each column that the cell takes beyond its own, and, when the next rows come to that column, for each
  // row (the second and third kind). They take no room; the paper has them so that columns can be counted.
  void note_spans(const RegionBox& cell) {
    if (parent_kind() != BoxKind::row) return;
    const StyledNode& node = page_.nodes[cell.node];
    const std::uint32_t columns = span_of(page_, node, "colspan");
    const std::uint32_t rows = span_of(page_, node, "rowspan");
    Open& row = open_.back();
    if (rows > 1 && open_.size() > 1) {
      auto& taken = open_[open_.size() - 2].taken;
      const std::uint32_t end = std::min(row.column + columns, kMaxSpan);
      if (taken.size() < end) taken.resize(end);
      for (std::uint32_t i = row.column; i < end; ++i) taken[i] = rows - 1;
    }
    for (std::uint32_t i = 1; i < columns && budget_ > 0; ++i, --budget_) {
      add_virtual(row.box, cell.end, cell.end, 0, 0);
    }
    row.column += columns;
  }

  // Columns from here on that cells of rows above still take.
  void fill_spanned(Open& row) {
    if (&row == open_.data()) return;
    auto& taken = (&row - 1)->taken;
    for (; row.column < taken.size() && taken[row.column] > 0; ++row.column) {
      --taken[row.column];
      if (budget_ == 0) continue;
      --budget_;
      add_virtual(row.box, end_of_children(row), end_of_children(row), 0, 0);
    }
  }

  std::uint32_t end_of_children(const Open& row) const {
    const RegionBox& last = result_.boxes.back();
    const bool inside = result_.boxes.size() - 1 > row.box;
    return inside ? last.end : page_.nodes[result_.boxes[row.box].node].inner_begin;
  }

  float letter_width(ByteView text, float font) const {
    if (paper()) return font;
    // CJK is three bytes each in UTF-8 and as wide as high.
    std::size_t wide = 0;
    for (const char c : text.substr(0, 64)) wide += static_cast<unsigned char>(c) >= 0xE3 ? 1 : 0;
    return wide * 6 > std::min<std::size_t>(text.size(), 64) ? font : font / 2;
  }

  // The paper takes the style sheet's size, 12 in its example.
  float font_of(const Style& style) const {
    return paper() && style.font_size == kDefaultFontSize ? kPaperFont : std::clamp(style.font_size, 1.0F, 200.0F);
  }

  void add_text(const StyledNode& node, const Style& style) {
    Open& entry = open_.back();
    extend(entry.run, node.begin, node.end);
    const float font = font_of(style);
    const ByteView text = page_.text(node);
    const std::uint32_t length = visible_length(text);
    entry.run.text += length;
    entry.run.line += static_cast<float>(length) * letter_width(text, font);
    entry.run.line_font = std::max(entry.run.line_font, font);
  }

  // What is no box but breaks lines or shows something.
  void add_inline(const StyledNode& node, const Style& style) {
    Open& entry = open_.back();
    const bool breaks = style.display != Display::inline_level && style.display != Display::inline_block;
    if (breaks || node.tag == LXB_TAG_BR) finish_line(entry);
    if (node.tag == LXB_TAG_P) entry.run.paragraph = true;
    if (!is_picture_tag(node.tag)) return;
    finish_line(entry);
    extend(entry.run, node.begin, node.end);
    entry.run.width = std::max(entry.run.width, std::max(declared_width(style, entry.width), 0.0F));
    entry.run.height += style.height >= 0 ? clamp_length(style.height) : 0;
  }

  static void extend(InlineRun& run, std::uint32_t begin, std::uint32_t end) {
    if (run.empty()) run.begin = begin;
    run.end = end;
  }

  void finish_line(Open& entry) const {
    InlineRun& run = entry.run;
    if (run.line <= 0) return;
    const float lines = std::ceil(run.line / entry.width);
    run.height += lines * run.line_font * (paper() ? 1.0F : 1.2F);
    // The paper gives the height of a <p> once for each that has text.
    const bool modern_paragraph = page_.nodes[result_.boxes[entry.box].node].tag == LXB_TAG_P;
    if (paper() ? run.paragraph : modern_paragraph) run.height += paper() ? kPaperParagraph : run.line_font;
    if (!paper()) run.width = std::max(run.width, std::min(run.line, entry.width));
    run.paragraph = false;
    run.line = 0;
    run.line_font = 0;
  }

  const StyledPage& page_;
  RegionBoxes result_;
  std::vector<Open> open_;
  std::size_t budget_;  // of virtual boxes for colspan and rowspan
};

template <typename Each>
void for_each_child(std::vector<RegionBox>& boxes, std::uint32_t parent, Each each) {
  for (std::uint32_t i = parent + 1; i < boxes[parent].subtree_end; i = boxes[i].subtree_end) each(boxes[i]);
}

// Places the children from (0, 0) of their parent; gives the room they take.
struct Room {
  float width = 0;
  float height = 0;
};

Room arrange(std::vector<RegionBox>& boxes, std::uint32_t parent, float limit) {
  Room room;
  const BoxKind kind = boxes[parent].kind;
  float x = 0;
  float line = 0;  // height of the boxes that stand side by side
  for_each_child(boxes, parent, [&](RegionBox& child) {
    const bool beside =
        kind == BoxKind::row || ((kind == BoxKind::flow || child.floating) && x > 0 && x + child.width <= limit);
    if (!beside && x > 0) {
      room.height += line;
      x = line = 0;
    }
    child.left = x;
    child.top = room.height;
    const bool others_may_follow = kind == BoxKind::row || kind == BoxKind::flow || child.floating;
    x += child.width;
    line = std::max(line, child.height);
    room.width = std::max(room.width, x);
    if (!others_may_follow) {
      room.height += line;
      x = line = 0;
    }
  });
  room.height += line;
  return room;
}

void set_sizes(RegionBoxes& regions) {
  auto& boxes = regions.boxes;
  const float page_width = regions.profile == TagTreeProfile::paper ? kPaperWidth : kViewportWidth;
  for (std::uint32_t i = static_cast<std::uint32_t>(boxes.size()); i-- > 0;) {
    const bool leaf = boxes[i].subtree_end == i + 1;
    if (leaf) continue;
    const float limit = boxes[i].width > 0 ? boxes[i].width : page_width;
    const Room room = arrange(boxes, i, limit);
    for_each_child(boxes, i, [&](const RegionBox& child) { boxes[i].text += child.text; });
    boxes[i].width = clamp_length(std::max(boxes[i].width, room.width));
    boxes[i].height = clamp_length(std::max(boxes[i].height, room.height));
    if (boxes[i].kind != BoxKind::row) continue;
    const float height = boxes[i].height;
    for_each_child(boxes, i, [&](RegionBox& cell) { cell.height = height; });
  }
}

// A block is as wide as what is around it, unless it says otherwise.
void stretch_blocks(RegionBoxes& regions) {
  auto& boxes = regions.boxes;
  boxes[0].width = std::max(boxes[0].width, kViewportWidth);
  for (std::uint32_t i = 1; i < boxes.size(); ++i) {
    RegionBox& box = boxes[i];
    const RegionBox& parent = boxes[box.parent];
    const bool stretches =
        !box.floating && !box.has_width && parent.kind == BoxKind::stack && box.kind != BoxKind::table;
    if (stretches) box.width = std::max(box.width, parent.width);
  }
}

void set_positions(RegionBoxes& regions) {
  auto& boxes = regions.boxes;
  for (std::uint32_t i = 1; i < boxes.size(); ++i) {
    boxes[i].left += boxes[boxes[i].parent].left;
    boxes[i].top += boxes[boxes[i].parent].top;
  }
}

}  // namespace

RegionBoxes compute_boxes(const StyledPage& page, TagTreeProfile profile) {
  RegionBoxes regions = BoxBuilder(page, profile).run();
  set_sizes(regions);
  if (profile == TagTreeProfile::modern) stretch_blocks(regions);
  set_positions(regions);
  return regions;
}

}  // namespace blockarch
