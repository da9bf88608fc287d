#include "segment/visible_blocks.h"

#include <algorithm>

#include "segment/label.h"
#include "segment/models.h"

namespace blockarch {
namespace {

// Chosen where the match with people's marks is about as good as the agreement on whole pages; see docs/segmentation.md.
constexpr float kBlockOdds = 0.37F;
constexpr std::uint32_t kLargeRaw = 1024;  // bytes of a script, style or data block that is shown by itself
// A run of main content is shown by itself where it is sure enough and long enough to be worth it.
constexpr float kRunOdds = 0.7F;
constexpr std::uint32_t kRunWords = 25;
constexpr std::uint32_t kFewWords = 3;  // a line this short between lines of main content does not end a run

bool is_raw(ByteView name) {
  const auto is = [name](std::string_view lower) {
    return name.size() == lower.size() && std::equal(name.begin(), name.end(), lower.begin(), [](char x, char y) {
             return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y;
           });
  };
  return is("script") || is("style");
}

class BlockFinder {
 public:
  BlockFinder(ByteView payload, const ElementTree& tree, const PageView& view, const std::vector<bool>& main)
      : payload_(payload), tree_(tree), view_(view), page_(view.page()), main_(main) {}

  std::vector<ByteRange> run() {
    choose_boxes();
    add_main_runs();
    add_raw();
    return nested();
  }

 private:
  ByteRange range_of(std::uint32_t box) const {
    const Element& element = tree_.elements[page_.boxes[box].element];
    return {element.begin, element.end};
  }

  void choose_boxes() {
    chosen_.assign(page_.boxes.size(), false);
    std::vector<std::uint32_t> asked;
    for (std::uint32_t i = 1; i < page_.boxes.size(); ++i) {
      if (view_.may_be_block(i)) asked.push_back(i);
    }
    const std::vector<float> odds = block_odds(view_, asked);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      if (odds[k] <= kBlockOdds) continue;
      chosen_[asked[k]] = true;
      ranges_.push_back(range_of(asked[k]));
    }
  }

  // The innermost chosen box around each line, 0 for the page.
  std::vector<std::uint32_t> owners() const {
    std::vector<std::uint32_t> of_box(page_.boxes.size(), 0);
    for (std::uint32_t i = 1; i < page_.boxes.size(); ++i) of_box[i] = chosen_[i] ? i : of_box[page_.boxes[i].parent];
    std::vector<std::uint32_t> owner(page_.lines.size());
    for (std::size_t i = 0; i < owner.size(); ++i) owner[i] = of_box[page_.lines[i].box];
    return owner;
  }

  // Main content among other things is shown by itself, or nobody could tell which part is meant.
  void add_main_runs() {
    std::vector<std::uint32_t> main_before(page_.lines.size() + 1);
    for (std::size_t i = 0; i < page_.lines.size(); ++i) {
      main_before[i + 1] = main_before[i] + (main_[i] ? page_.lines[i].text.words : 0);
    }
    const auto pure = [&](std::uint32_t box) {
      const Box& b = page_.boxes[box];
      return main_before[b.line_end] - main_before[b.first_line] >= kMainThroughout * b.words;
    };
    const std::vector<std::uint32_t> owner = owners();
    for (std::uint32_t i = 0; i < page_.lines.size();) {
      if (!main_[i] || (owner[i] != 0 && pure(owner[i]))) {
        ++i;
        continue;
      }
      std::uint32_t end = i + 1;
      for (std::uint32_t next = end; next < page_.lines.size() && owner[next] == owner[i]; ++next) {
        if (main_[next]) {
          end = next + 1;
        } else if (page_.lines[next].text.words > kFewWords || next > end) {
          break;
        }
      }
      const bool sure = view_.main_share(i, end) >= kRunOdds && main_before[end] - main_before[i] >= kRunWords;
      if (sure) ranges_.push_back(run_range(i, end, owner[i]));
      i = end;
    }
  }

  // From the outermost start tag to the outermost end tag that belong to these lines alone.
  ByteRange run_range(std::uint32_t first, std::uint32_t end, std::uint32_t owner) const {
    ByteRange range{page_.lines[first].begin, page_.lines[end - 1].end};
    const auto widen = [&](std::uint32_t box) {
      for (; box != owner && box != 0 && box != kNoElement; box = page_.boxes[box].parent) {
        if (page_.boxes[box].first_line < first || page_.boxes[box].line_end > end) return;
        const ByteRange whole = range_of(box);
        range.begin = std::min(range.begin, whole.begin);
        range.end = std::max(range.end, whole.end);
      }
    };
    widen(page_.lines[first].box);
    widen(page_.lines[end - 1].box);
    return range;
  }

  void add_raw() {
    for (std::size_t i = 1; i < tree_.elements.size(); ++i) {
      const Element& element = tree_.elements[i];
      if (element.dropped || element.end - element.begin < kLargeRaw) continue;
      if (is_raw(element_name(payload_, element))) ranges_.push_back({element.begin, element.end});
    }
  }

  // In order, without doubles and without those that cross another.
  std::vector<ByteRange> nested() {
    std::sort(ranges_.begin(), ranges_.end(), [](const ByteRange& a, const ByteRange& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::vector<ByteRange> kept;
    std::vector<ByteRange> open;
    for (const ByteRange& range : ranges_) {
      while (!open.empty() && open.back().end <= range.begin) open.pop_back();
      if (range.begin >= range.end) continue;
      const bool crosses = !open.empty() && range.end > open.back().end;
      const bool doubled = !open.empty() && range.begin == open.back().begin && range.end == open.back().end;
      if (crosses || doubled) continue;
      kept.push_back(range);
      open.push_back(range);
    }
    return kept;
  }

  ByteView payload_;
  const ElementTree& tree_;
  const PageView& view_;
  const PageBoxes& page_;
  const std::vector<bool>& main_;
  std::vector<bool> chosen_;
  std::vector<ByteRange> ranges_;
};

}  // namespace

// The expected F of some lines is twice the main words expected among them over the words chosen and the main words
// expected in all. A line makes it greater where its odds are above half of it, so the best choice is all lines above some
// odds: beginning with all of them, each choice is made by the F of the one before, which only grows.
std::vector<bool> choose_main(const PageBoxes& page, const std::vector<float>& odds) {
  double all = 0;
  for (std::size_t i = 0; i < odds.size(); ++i) all += double{odds[i]} * page.lines[i].text.words;
  double best = 0;
  double least = -1;  // chosen are the lines above
  while (true) {
    double expected = 0;
    double size = 0;
    for (std::size_t i = 0; i < odds.size(); ++i) {
      const double words = double{odds[i]} > least ? page.lines[i].text.words : 0;
      expected += odds[i] * words;
      size += words;
    }
    const double measure = size + all > 0 ? 2 * expected / (size + all) : 0;
    if (!(measure > best)) break;
    best = measure;
    least = best / 2;
  }
  std::vector<bool> chosen(odds.size(), false);
  for (std::size_t i = 0; i < odds.size(); ++i) chosen[i] = best > 0 && double{odds[i]} > least;
  return chosen;
}

std::vector<ByteRange> visible_blocks(ByteView payload, const ElementTree& tree, const PageView& view,
                                      const std::vector<bool>& main) {
  return BlockFinder(payload, tree, view, main).run();
}

}  // namespace blockarch
