#include "history/page_diff.h"

#include <algorithm>

#include "history/block_match.h"
#include "history/block_text.h"
#include "history/layout_diff.h"
#include "history/meaning.h"

namespace blockarch {
namespace {

ByteView bytes_of(ByteView page, const PageBlock& block) {
  return page.substr(block.begin, block.end - block.begin);
}

bool is_read(const PageBlock& block) {
  return block.kind == PageBlockKind::text || block.kind == PageBlockKind::media;
}

BlockChange change_of(const PageDiff& diff, const BlockPair& pair) {
  const PageBlock& a = diff.before.blocks[pair.before];
  const PageBlock& b = diff.after.blocks[pair.after];
  BlockChange change{ChangeKind::same, pair.before, pair.after, false};
  if (a.id == b.id) {
    change.kind = pair.moved ? ChangeKind::moved : ChangeKind::same;
    return change;
  }
  change.kind = pair.moved ? ChangeKind::moved_changed : ChangeKind::changed;
  if (!is_read(b)) return change;
  const std::string before = block_content(diff.old_page, diff.before, a);
  const std::string after = block_content(diff.new_page, diff.after, b);
  // The text is the first line, the targets of links follow.
  const std::size_t before_text = std::min(before.find('\n'), before.size());
  const std::size_t after_text = std::min(after.find('\n'), after.size());
  change.text = before.compare(0, before_text, after, 0, after_text) != 0;
  change.links = before.compare(before_text, std::string::npos, after, after_text, std::string::npos) != 0;
  // A picture is what it shows.
  if (b.kind == PageBlockKind::media) change.text = change.text || change.links;
  return change;
}

// Removed blocks stand before the first kept block that came after them.
std::vector<BlockChange> in_order(const PageDiff& diff, const std::vector<BlockPair>& pairs) {
  const auto old_size = static_cast<std::uint32_t>(diff.before.blocks.size());
  const auto new_size = static_cast<std::uint32_t>(diff.after.blocks.size());
  std::vector<bool> kept(old_size, false);
  for (const BlockPair& pair : pairs) kept[pair.before] = true;
  std::vector<BlockChange> list;
  list.reserve(old_size + new_size - pairs.size());
  std::uint32_t at = 0;
  const auto add_removed = [&](std::uint32_t until) {
    for (; at < until; ++at) {
      if (!kept[at]) list.push_back({ChangeKind::removed, at, kNoBlock, is_read(diff.before.blocks[at])});
    }
  };
  // What went stands before what came in its place.
  std::vector<std::uint32_t> until(new_size + std::size_t{1}, old_size);
  for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair) {
    if (!pair->moved) until[pair->after] = pair->before;
  }
  for (std::uint32_t j = new_size; j > 0; --j) until[j - 1] = std::min(until[j - 1], until[j]);
  auto pair = pairs.begin();
  for (std::uint32_t j = 0; j < new_size; ++j) {
    const bool known = pair != pairs.end() && pair->after == j;
    if (!known || !pair->moved) add_removed(until[j]);
    if (known) {
      list.push_back(change_of(diff, *pair++));
    } else {
      list.push_back({ChangeKind::added, kNoBlock, j, is_read(diff.after.blocks[j])});
    }
  }
  add_removed(old_size);
  return list;
}

}  // namespace

std::string_view change_name(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::same:
      return "same";
    case ChangeKind::changed:
      return "changed";
    case ChangeKind::moved:
      return "moved";
    case ChangeKind::moved_changed:
      return "moved and changed";
    case ChangeKind::added:
      return "added";
    case ChangeKind::removed:
      return "removed";
  }
  return "";
}

ChangeCounts PageDiff::counts() const {
  ChangeCounts counts;
  counts.layout = layout.size();
  for (const BlockChange& change : blocks) {
    switch (change.kind) {
      case ChangeKind::same:
        ++counts.same;
        break;
      case ChangeKind::changed:
        ++counts.changed;
        break;
      case ChangeKind::moved:
        ++counts.moved;
        break;
      case ChangeKind::moved_changed:
        ++counts.moved_changed;
        break;
      case ChangeKind::added:
        ++counts.added;
        break;
      case ChangeKind::removed:
        ++counts.removed;
        break;
    }
  }
  return counts;
}

bool PageDiff::is_read(const BlockChange& change) const {
  const PageBlock& block = change.after == kNoBlock ? before.blocks[change.before] : after.blocks[change.after];
  return block.kind == PageBlockKind::text || block.kind == PageBlockKind::media;
}

ByteView PageDiff::bytes_before(const BlockChange& change) const {
  return change.before == kNoBlock ? ByteView() : bytes_of(old_page, before.blocks[change.before]);
}

ByteView PageDiff::bytes_after(const BlockChange& change) const {
  return change.after == kNoBlock ? ByteView() : bytes_of(new_page, after.blocks[change.after]);
}

std::string PageDiff::text_before(const BlockChange& change) const {
  return change.before == kNoBlock ? std::string() : block_text(old_page, before, before.blocks[change.before]);
}

std::string PageDiff::text_after(const BlockChange& change) const {
  return change.after == kNoBlock ? std::string() : block_text(new_page, after, after.blocks[change.after]);
}

PageDiff diff_pages(ByteView old_page, PageBlocks before, ByteView new_page, PageBlocks after, WorkLimit limit) {
  PageDiff diff;
  diff.old_page = old_page;
  diff.new_page = new_page;
  diff.before = std::move(before);
  diff.after = std::move(after);
  const std::vector<BlockPair> pairs = match_blocks(old_page, diff.before, new_page, diff.after, limit);
  diff.blocks = in_order(diff, pairs);
  diff.layout = diff_layouts(diff, limit);
  diff.whole = limit.left > 0;
  return diff;
}

}  // namespace blockarch
