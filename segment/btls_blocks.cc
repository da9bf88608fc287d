#include "segment/btls_blocks.h"

#include <algorithm>
#include <map>

namespace blockarch {

BtlsConstants constants_for(Script script) {
  BtlsConstants constants;
  const double factor = characters_per_han(script);
  constants.longest_title *= factor;
  constants.tolerance *= factor;
  constants.short_block *= factor;
  return constants;
}

std::vector<std::uint32_t> line_block_lengths(const TextLines& lines, std::uint32_t thickness) {
  std::vector<std::uint32_t> lengths(lines.count);
  for (const TextLine& line : lines.lines) {
    for (std::uint32_t i = 0; i < thickness && i <= line.number; ++i) lengths[line.number - i] += line.length;
  }
  return lengths;
}

// A line block is empty exactly where `thickness` lines without text follow one another.
std::vector<TextBlock> find_blocks(const TextLines& text, std::uint32_t thickness) {
  std::vector<TextBlock> blocks;
  const auto& lines = text.lines;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    const TextLine& line = lines[i];
    if (i == 0 || line.number - lines[i - 1].number > thickness) {
      blocks.push_back({i, i, 0, line.depth, true, false});
    }
    TextBlock& block = blocks.back();
    block.last = i;
    block.length += line.length;
    block.heading = block.heading && line.heading > 0;
  }
  return blocks;
}

std::optional<TitleLength> learn_title_length(const std::vector<TextBlock>& blocks, const BtlsConstants& constants) {
  std::map<std::uint32_t, std::uint32_t> candidates;  // how often each length, which are few
  std::uint64_t headings = 0;
  std::uint64_t heading_lengths = 0;
  for (const TextBlock& block : blocks) {
    if (block.length > constants.longest_title) continue;
    if (block.is_single_line()) ++candidates[block.length];
    if (block.heading) {
      ++headings;
      heading_lengths += block.length;
    }
  }
  TitleLength title;
  if (!candidates.empty()) {
    const auto most = std::max_element(candidates.begin(), candidates.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    title.candidates = most->first;
  }
  if (headings > 0) title.headings = static_cast<double>(heading_lengths) / static_cast<double>(headings);
  if (!title.candidates && !title.headings) return std::nullopt;
  const double kp = title.candidates.value_or(title.headings.value_or(0));
  title.expected = title.headings ? constants.weight * kp + (1 - constants.weight) * *title.headings : kp;
  title.least = std::max(title.expected - constants.tolerance, 0.0);
  title.most = std::min(title.expected + constants.tolerance, constants.longest_title);
  return title;
}

void mark_titles(std::vector<TextBlock>& blocks, const BtlsConstants& constants) {
  const auto learnt = learn_title_length(blocks, constants);
  if (!learnt) return;
  for (TextBlock& block : blocks) {
    const bool heading = block.heading && block.length <= constants.longest_title;
    const bool alike = block.is_single_line() && block.length >= learnt->least && block.length <= learnt->most;
    block.title = heading || alike;
  }
  // Near a title that the lengths gave, not near one that this gives: a page of short blocks would be titles from there on.
  std::vector<std::uint32_t> added;
  std::optional<std::size_t> before;
  std::size_t after = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].title) {
      before = i;
      continue;
    }
    after = std::max(after, i);
    while (after < blocks.size() && !blocks[after].title) ++after;
    const bool near =
        (before && i - *before <= constants.near) || (after < blocks.size() && after - i <= constants.near);
    if (near && blocks[i].length <= constants.short_block) added.push_back(static_cast<std::uint32_t>(i));
  }
  for (const std::uint32_t i : added) blocks[i].title = true;
}

std::vector<std::uint32_t> content_blocks(const std::vector<TextBlock>& blocks) {
  std::vector<std::uint32_t> starts;
  bool titled = false;  // a title has been seen
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    const bool shallower = i > 0 && blocks[i].depth < blocks[i - 1].depth;
    const bool starts_here = i == 0 || (blocks[i].title && (!titled || shallower));
    titled = titled || blocks[i].title;
    if (starts_here) starts.push_back(i);
  }
  const auto only_titles = [&](std::size_t content) {
    const std::size_t end = content + 1 < starts.size() ? starts[content + 1] : blocks.size();
    return std::all_of(blocks.begin() + starts[content], blocks.begin() + static_cast<std::ptrdiff_t>(end),
                       [](const TextBlock& block) { return block.title; });
  };
  std::vector<std::uint32_t> merged;
  bool run = false;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const bool titles = only_titles(i);
    if (!(run && titles)) merged.push_back(starts[i]);
    run = titles;
  }
  return merged;
}

}  // namespace blockarch
