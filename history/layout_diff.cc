#include "history/layout_diff.h"

#include <algorithm>
#include <deque>

#include "history/block_text.h"
#include "history/significance_rules.h"
#include "segment/attributes.h"

namespace blockarch {
namespace {

constexpr ByteView kBlank = " \t\n\r\f";
constexpr ByteView kSlot = "\x01";

bool is_noise(ByteView page, ByteView part, const PageBlocks& blocks) {
  if (blocks.noise.empty()) return false;
  const auto begin = static_cast<std::uint64_t>(part.data() - page.data());
  const auto range = std::partition_point(blocks.noise.begin(), blocks.noise.end(),
                                          [&](const NoiseRange& r) { return r.end <= begin; });
  return range != blocks.noise.end() && range->begin <= begin && range->end >= begin + part.size();
}

// Equal parts have equal numbers, noise aside.
class PartNumbers {
 public:
  std::vector<std::uint32_t> of(ByteView page, const std::vector<ByteView>& parts, const PageBlocks& blocks) {
    std::vector<std::uint32_t> list;
    list.reserve(parts.size());
    for (const ByteView part : parts) {
      if (blocks.noise.empty() || part.data() == kSlot.data()) {
        list.push_back(numbers_.of(part));
      } else {
        const auto begin = static_cast<std::uint64_t>(part.data() - page.data());
        list.push_back(numbers_.of(kept_.emplace_back(without_noise(page, begin, begin + part.size(), blocks.noise))));
      }
    }
    return list;
  }

 private:
  Numbering numbers_;
  std::deque<Bytes> kept_;
};

// The tags of a page outside of its blocks, with a slot for each run of blocks.
std::vector<ByteView> layout_parts(ByteView page, const PageBlocks& blocks) {
  std::vector<ByteView> parts;
  const auto take_gap = [&](ByteView gap) {
    while (!gap.empty()) {
      gap.remove_prefix(std::min(gap.find_first_not_of(kBlank), gap.size()));
      if (gap.empty()) return;
      std::size_t size = std::min(gap.find('<', 1), gap.size());
      if (gap.starts_with("<!--")) {
        const std::size_t end = gap.find("-->");
        size = end == ByteView::npos ? gap.size() : end + 3;
      } else if (gap.starts_with("<")) {
        size = tag_size(gap);
      }
      if (!is_noise(page, gap.substr(0, size), blocks)) parts.push_back(gap.substr(0, size));
      gap.remove_prefix(size);
    }
  };
  std::uint64_t at = 0;
  for (const PageBlock& block : blocks.blocks) {
    take_gap(page.substr(at, block.begin - at));
    if (parts.empty() || parts.back().data() != kSlot.data()) parts.push_back(kSlot);
    at = block.end;
  }
  take_gap(page.substr(at));
  return parts;
}

// Those of [begin, end) that are tags, joined; and where the first of them stands.
std::string joined(ByteView page, const std::vector<ByteView>& parts, std::size_t begin, std::size_t end,
                   std::uint64_t& at) {
  std::string text;
  for (std::size_t i = begin; i < end && text.size() < kMaxLayoutText; ++i) {
    if (parts[i].data() == kSlot.data()) continue;
    if (text.empty()) at = static_cast<std::uint64_t>(parts[i].data() - page.data());
    text += parts[i].substr(0, kMaxLayoutText - text.size());
  }
  return text;
}

}  // namespace

std::vector<LayoutChange> diff_layouts(const PageDiff& diff, WorkLimit& limit) {
  // What is no markup has white space between its blocks, or nothing.
  if (diff.before.markup == Markup::none || diff.after.markup == Markup::none) return {};
  const auto a = layout_parts(diff.old_page, diff.before);
  const auto b = layout_parts(diff.new_page, diff.after);
  PartNumbers numbers;
  const std::vector<std::uint32_t> a_numbers = numbers.of(diff.old_page, a, diff.before);
  const std::vector<std::uint32_t> b_numbers = numbers.of(diff.new_page, b, diff.after);
  std::vector<LayoutChange> changes;
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  const auto add = [&](std::size_t end_a, std::size_t end_b) {
    LayoutChange change;
    change.before = joined(diff.old_page, a, at_a, end_a, change.before_at);
    change.after = joined(diff.new_page, b, at_b, end_b, change.after_at);
    const bool seen = !change.before.empty() || !change.after.empty();
    if (seen && change.before != change.after && changes.size() < kMaxLayoutChanges) {
      changes.push_back(std::move(change));
    }
  };
  for (const SequenceMatch& match : match_sequences(a_numbers, b_numbers, limit)) {
    add(match.a, match.b);
    at_a = match.a + match.size;
    at_b = match.b + match.size;
  }
  add(a.size(), b.size());
  return changes;
}

}  // namespace blockarch
