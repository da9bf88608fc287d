#include "segment/describe.h"

#include <algorithm>
#include <span>

#include "base/charset.h"
#include "segment/auto.h"
#include "segment/boxes.h"
#include "segment/element_path.h"
#include "segment/html_elements.h"
#include "segment/label_finder.h"
#include "segment/media_type.h"
#include "segment/models.h"
#include "segment/visible_blocks.h"

namespace blockarch {
namespace {

Markup markup_of(ByteView payload, const SegmentOptions& page) {
  const bool readable = payload.size() <= kMaxMarkupSize && markup_is_ascii(page.charset);
  return readable ? sniff_markup(payload, page.media_type) : Markup::none;
}

// An HTML page, read once for all that is asked about it.
class HtmlPage {
 public:
  HtmlPage(ByteView payload, const SegmentOptions& options)
      : payload_(payload),
        tree_(html_elements(payload)),
        boxes_(find_boxes(payload, tree_, text_form(options.charset))),
        view_(boxes_) {
    const std::vector<float> odds = main_odds(view_);
    main_ = choose_main(boxes_, odds);
    view_.set_main(odds);
  }
  HtmlPage(const HtmlPage&) = delete;
  HtmlPage& operator=(const HtmlPage&) = delete;

  // Instead of what the model says.
  void set_main(const Region& region) {
    for (std::size_t i = 0; i < boxes_.lines.size(); ++i) {
      main_[i] = region.begin <= boxes_.lines[i].begin && boxes_.lines[i].begin < region.end;
    }
  }

  LabelFinder labels() const { return {payload_, tree_, boxes_, main_}; }

  // With the root, so that it is a segmentation like others.
  Segmentation visible(int max_level) const {
    Segmentation result{{{0, payload_.size(), kNoParent, 0, {}}}};
    std::vector<std::uint32_t> open = {0};
    for (const ByteRange& range : visible_blocks(payload_, tree_, view_, main_)) {
      while (open.size() > 1 && result.regions[open.back()].end <= range.begin) open.pop_back();
      if (open.size() > static_cast<std::size_t>(max_level)) continue;
      const auto level = static_cast<std::uint8_t>(open.size());
      result.regions.push_back({range.begin, range.end, open.back(), level, path_of(range)});
      open.push_back(static_cast<std::uint32_t>(result.regions.size() - 1));
    }
    return result;
  }

 private:
  // Of the outermost element that begins with the block.
  std::string path_of(const ByteRange& range) const {
    const auto begins = [&](std::uint32_t offset) {
      return std::partition_point(tree_.elements.begin() + 1, tree_.elements.end(),
                                  [offset](const Element& element) { return element.begin < offset; });
    };
    for (auto i = begins(range.begin); i != tree_.elements.end() && i->begin == range.begin; ++i) {
      if (!i->dropped && i->end <= range.end) {
        return element_path(payload_, tree_, static_cast<std::uint32_t>(i - tree_.elements.begin()));
      }
    }
    return "#text";
  }

  ByteView payload_;
  ElementTree tree_;
  PageBoxes boxes_;
  PageView view_;
  std::vector<bool> main_;
};

// What is not HTML is for one thing as a whole; of a feed the entries are what it is for.
BlockLabel plain_label(Markup markup, const Region& region, const std::string& media_type) {
  if (markup == Markup::xml) {
    for (const std::string_view entry : {"item", "entry"}) {
      if (region.path.find(entry) != std::string::npos) return BlockLabel::main;
    }
    return region.level == 0 ? BlockLabel::none : BlockLabel::data;
  }
  if (media_type.find("json") != std::string::npos || media_type == "text/csv") return BlockLabel::data;
  if (media_type.find("javascript") != std::string::npos) return BlockLabel::script;
  if (media_type == "text/css") return BlockLabel::style;
  return is_text_media_type(media_type) ? BlockLabel::main : BlockLabel::none;
}

bool has_topic(BlockLabel label) {
  return label != BlockLabel::script && label != BlockLabel::style && label != BlockLabel::data;
}

enum class Root { shown, left_out };

// The root is left out only where there is something inside it.
template <typename LabelOf>
std::vector<DescribedBlock> describe(ByteView payload, const Segmentation& segmentation, Root root, Markup markup,
                                     const DescribeOptions& options, const LabelOf& label_of) {
  const std::vector<Region>& regions = segmentation.regions;
  const bool whole = regions.size() == 1;
  const std::uint32_t first = root == Root::left_out && !whole ? 1 : 0;
  std::vector<DescribedBlock> blocks;
  blocks.reserve(regions.size());
  const bool text = markup != Markup::none || is_text_media_type(options.page.media_type);
  for (const Region& region : std::span(regions).subspan(first)) {
    const BlockLabel label = label_of(region);
    const bool outermost = region.parent == kNoParent || region.parent < first;
    DescribedBlock block{region.begin, region.end, outermost ? kNoParent : region.parent - first, region.level, label,
                         {},           region.path};
    if (text && has_topic(label)) {
      block.topic = find_topic(payload.substr(region.begin, region.end - region.begin), options.page.charset, markup,
                               options.topics);
    }
    blocks.push_back(std::move(block));
  }
  if (root == Root::left_out && whole) blocks.front().level = 1;
  return blocks;
}

std::vector<DescribedBlock> describe_plain(ByteView payload, const Segmentation& segmentation, Root root, Markup markup,
                                           const DescribeOptions& options) {
  return describe(payload, segmentation, root, markup, options,
                  [&](const Region& region) { return plain_label(markup, region, options.page.media_type); });
}

std::vector<DescribedBlock> describe_html(ByteView payload, const HtmlPage& page, const Segmentation& segmentation,
                                          Root root, const DescribeOptions& options) {
  const LabelFinder labels = page.labels();
  const std::vector<Region>& regions = segmentation.regions;
  return describe(payload, segmentation, root, Markup::html, options, [&](const Region& region) {
    const auto next = static_cast<std::size_t>(&region - regions.data()) + 1;
    const bool outer = next < regions.size() && regions[next].parent == next - 1;
    return labels.find(region.begin, region.end, outer);
  });
}

std::vector<DescribedBlock> describe_any(ByteView payload, const Segmentation& segmentation, Root root,
                                         const DescribeOptions& options) {
  const Markup markup = markup_of(payload, options.page);
  if (markup != Markup::html) return describe_plain(payload, segmentation, root, markup, options);
  HtmlPage page(payload, options.page);
  if (segmentation.main) page.set_main(segmentation.regions[*segmentation.main]);
  return describe_html(payload, page, segmentation, root, options);
}

}  // namespace

std::vector<DescribedBlock> describe_regions(ByteView payload, const Segmentation& segmentation,
                                             const DescribeOptions& options) {
  return describe_any(payload, segmentation, Root::shown, options);
}

std::vector<DescribedBlock> describe_page(ByteView payload, const Segmenter& segmenter,
                                          const DescribeOptions& options) {
  if (&segmenter == &auto_segmenter() && markup_of(payload, options.page) == Markup::html) {
    const HtmlPage page(payload, options.page);
    const int level = options.page.level <= 0 ? kMaxLevel : std::min(options.page.level, kMaxLevel);
    return describe_html(payload, page, page.visible(level), Root::left_out, options);
  }
  return describe_any(payload, segmenter.segment(payload, options.page), Root::left_out, options);
}

}  // namespace blockarch
