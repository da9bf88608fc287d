// What is different between two pages, told block by block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "history/page_blocks.h"
#include "history/sequence_match.h"

namespace blockarch {

enum class ChangeKind : std::uint8_t { same, changed, moved, moved_changed, added, removed };

// "same", "changed", "moved", "moved and changed", "added", "removed".
std::string_view change_name(ChangeKind kind);

inline constexpr std::uint32_t kNoBlock = 0xffffffff;

struct BlockChange {
  ChangeKind kind = ChangeKind::same;
  std::uint32_t before = kNoBlock;  // in the old page's blocks; none for added
  std::uint32_t after = kNoBlock;   // in the new page's blocks; none for removed
  // A reader sees a difference; false where only tags, attributes, scripts and the like differ.
  bool text = false;
  bool links = false;  // of a changed one: links lead elsewhere or other pictures are shown

  bool operator==(const BlockChange&) const = default;
};

// Tags, comments and the like outside of blocks, in places next to each other.
struct LayoutChange {
  std::uint64_t before_at = 0;
  std::uint64_t after_at = 0;
  std::string before;  // as they stand, one after the other, at most kMaxLayoutText bytes
  std::string after;
};
inline constexpr std::size_t kMaxLayoutText = 4096;
inline constexpr std::size_t kMaxLayoutChanges = 10'000;

struct ChangeCounts {
  std::uint64_t same = 0, changed = 0, moved = 0, moved_changed = 0, added = 0, removed = 0;
  std::uint64_t layout = 0;

  bool any() const { return changed + moved + moved_changed + added + removed + layout > 0; }
};

// The pages themselves are not copied: they must outlive what is made of them.
struct PageDiff {
  ByteView old_page;
  ByteView new_page;
  PageBlocks before;
  PageBlocks after;
  // Every block of both pages, in the order of the new page; what was removed stands where it stood.
  std::vector<BlockChange> blocks;
  std::vector<LayoutChange> layout;
  bool whole = true;  // false: the limit of work was reached, more may be the same than is said

  ChangeCounts counts() const;
  // Text or pictures, not a script, a style or what stands in the head.
  bool is_read(const BlockChange& change) const;
  ByteView bytes_before(const BlockChange& change) const;
  ByteView bytes_after(const BlockChange& change) const;
  std::string text_before(const BlockChange& change) const;
  std::string text_after(const BlockChange& change) const;
};

// Time is bounded by the limit and otherwise linear in the pages.
PageDiff diff_pages(ByteView old_page, PageBlocks before, ByteView new_page, PageBlocks after, WorkLimit limit = {});

}  // namespace blockarch
