// Whether a node is a block does not depend on the round, so one walk finds the blocks of all levels: a block below a block
// of level n is of level n + 1. What the text pieces add is found afterwards, for each region by itself.
#include "segment/bwap.h"

#include <algorithm>
#include <unordered_map>

#include "base/charset.h"
#include "segment/auto.h"
#include "segment/bwap_rules.h"
#include "segment/html_elements.h"
#include "segment/media_type.h"
#include "segment/start_tag.h"
#include "segment/styled_page.h"
#include "segment/text_pieces.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxPath = 120;
constexpr std::size_t kSniffed = 4096;

constexpr std::string_view kModern = "modern";
constexpr std::string_view k2008 = "2008";

class Bwap {
 public:
  Bwap(ByteView payload, BwapProfile profile, int max_level, int max_depth)
      : page_(read_styled_page(payload)),
        rules_(page_, profile),
        lengths_(text_lengths(page_)),
        profile_(profile),
        max_level_(max_level),
        max_depth_(max_depth),
        taken_(page_.nodes.size()),
        holds_taken_(page_.nodes.size()) {}

  Segmentation run() {
    extract_blocks();
    for (std::size_t i = 0; i < found_.size(); ++i) add_pieces(i);
    return regions();
  }

 private:
  struct Found {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t node;
    std::uint32_t block_text;  // characters in the blocks right below
    std::uint8_t level;
    bool piece;
  };

  // ExtractBlock, for all rounds at once.
  void extract_blocks() {
    struct Open {
      std::uint32_t node;
      std::uint32_t round;  // the innermost block at this point, as index in found_
      int depth;            // below where the round began
    };
    std::vector<Open> open{{0, 0, 0}};
    const StyledNode& document = page_.nodes[0];
    found_.push_back({document.begin, document.end, 0, 0, 0, false});
    for (std::uint32_t i = 1; i < page_.nodes.size(); ++i) {
      const StyledNode& node = page_.nodes[i];
      while (page_.nodes[open.back().node].subtree_end <= i) open.pop_back();
      Open here{i, open.back().round, open.back().depth + 1};
      Found& around = found_[here.round];
      const bool seen = page_.style(node).display != Display::none;
      if (seen && rules_.is_block(i) && around.level < max_level_ && here.depth <= max_depth_) {
        around.block_text += lengths_[i];
        const auto level = static_cast<std::uint8_t>(around.level + 1);
        here = {i, static_cast<std::uint32_t>(found_.size()), 0};
        found_.push_back({node.begin, node.end, i, 0, level, false});
        taken_[i] = true;
      }
      if (!seen) {
        i = node.subtree_end - 1;
      } else if (node.subtree_end > i + 1) {
        open.push_back(here);
      }
    }
    for (std::size_t i = page_.nodes.size(); i-- > 1;) {
      if (taken_[i] || holds_taken_[i]) holds_taken_[page_.nodes[i].parent] = true;
    }
  }

  bool wants_pieces(const Found& found) const {
    if (found.piece || found.level >= max_level_) return false;
    const std::uint32_t text = lengths_[found.node];
    const bool split = holds_taken_[found.node];
    if (profile_ == BwapProfile::modern && split) return true;
    if (found.node == 0) return found.block_text < text / 2 + text % 2;
    return !split && text > kLongText;
  }

  void add_pieces(std::size_t index) {
    if (!wants_pieces(found_[index])) return;
    const Found around = found_[index];
    const auto pieces = text_pieces(page_, lengths_, around.node, taken_, holds_taken_);
    // A region with one child of all its text says nothing new.
    if (around.node != 0 && pieces.size() < 2 && !holds_taken_[around.node]) return;
    for (const TextPiece& piece : pieces) {
      const auto level = static_cast<std::uint8_t>(around.level + 1);
      found_.push_back({piece.begin, piece.end, piece.node, 0, level, true});
    }
  }

  Segmentation regions() {
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.level < b.level;
    });
    Segmentation result;
    result.regions.reserve(found_.size());
    std::vector<std::uint32_t> open;
    for (const Found& found : found_) {
      while (!open.empty() && result.regions[open.back()].level >= found.level) open.pop_back();
      const std::uint32_t parent = open.empty() ? kNoParent : open.back();
      open.push_back(static_cast<std::uint32_t>(result.regions.size()));
      result.regions.push_back({found.begin, found.end, parent, found.level, path_of(found.node)});
    }
    return result;
  }

  // The innermost names are what tells regions apart.
  std::string path_of(std::uint32_t index) {
    std::string path = index == 0 ? "" : page_.name(page_.nodes[index]);
    for (std::uint32_t i = page_.nodes[index].parent; i != 0; i = page_.nodes[i].parent) {
      const std::string& name = ancestor_name(i);
      if (name == "html") break;
      if (path.size() + name.size() + 1 > kMaxPath) return ".../" + path;
      path.insert(0, name + "/");
    }
    return path;
  }

  const std::string& ancestor_name(std::uint32_t index) {
    auto found = names_.find(index);
    if (found == names_.end()) found = names_.emplace(index, page_.name(page_.nodes[index])).first;
    return found->second;
  }

  StyledPage page_;
  BwapRules rules_;
  std::vector<std::uint32_t> lengths_;
  BwapProfile profile_;
  int max_level_;
  int max_depth_;
  std::vector<bool> taken_;
  std::vector<bool> holds_taken_;
  std::vector<Found> found_;
  std::unordered_map<std::uint32_t, std::string> names_;
};

Segmentation whole(ByteView payload) {
  return {{{0, payload.size(), kNoParent, 0, {}}}};
}

// Pages, also those that are sent as XML; feeds are none.
bool is_page(ByteView payload, std::string_view media_type) {
  const Markup markup = sniff_markup(payload, media_type);
  if (markup != Markup::xml) return markup == Markup::html;
  // The first tag.
  const ByteView start = payload.substr(0, kSniffed);
  for (std::size_t at = start.find('<'); at != ByteView::npos; at = start.find('<', at + 1)) {
    const ByteView tag = start.substr(at + 1, 4);
    if (!tag.starts_with('!') && !tag.starts_with('?')) return equals_ignoring_case(tag, "html");
  }
  return false;
}

bool is_plain_text(ByteView payload, const SegmentOptions& options) {
  return (options.media_type.empty() ? sniff_media_type(payload) : options.media_type) == "text/plain";
}

Segmentation paragraphs(ByteView payload) {
  Segmentation result = whole(payload);
  std::uint64_t begin = 0;
  std::uint32_t length = 0;
  std::uint64_t checked = 0;
  for (const std::uint64_t end : paragraph_ends(payload)) {
    length += visible_length(payload.substr(checked, end - checked));
    checked = end;
    if (length < kShortPiece && end < payload.size()) continue;
    result.regions.push_back({begin, end, 0, 1, {}});
    begin = end;
    length = 0;
  }
  return result;
}

}  // namespace

Segmentation bwap_with_max_depth(ByteView payload, const SegmentOptions& options, int max_depth) {
  if (payload.size() > kMaxMarkupSize || !markup_is_ascii(options.charset)) return whole(payload);
  if (is_page(payload, options.media_type)) {
    const BwapProfile profile = options.profile == k2008 ? BwapProfile::paper_2008 : BwapProfile::modern;
    const int level = options.level <= 0 ? kBwapLevel : std::min(options.level, kMaxLevel);
    return Bwap(payload, profile, level, max_depth).run();
  }
  return is_plain_text(payload, options) ? paragraphs(payload) : whole(payload);
}

namespace {

class BwapSegmenter final : public Segmenter {
 public:
  std::string_view name() const override { return "bwap"; }
  std::vector<std::string_view> profiles() const override { return {kModern, k2008}; }
  Segmentation segment(ByteView payload, const SegmentOptions& options) const override {
    return bwap_with_max_depth(payload, options, kBwapMaxDepth);
  }
};

}  // namespace

const Segmenter& bwap_segmenter() {
  static const BwapSegmenter segmenter;
  return segmenter;
}

}  // namespace blockarch
