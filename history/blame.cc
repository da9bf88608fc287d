#include "history/blame.h"

#include <unordered_map>

#include "history/lineage.h"
#include "segment/describe.h"

namespace blockarch {
namespace {

// Blocks read to tell which of several was which; after that their lengths must do.
constexpr std::size_t kMostContentReads = 1000;

// The labels of the stored blocks, from the page's bytes.
Result<void> add_labels(const Snapshot& snapshot, const VersionInfo& info, Blame& blame) {
  if (info.version.charset.empty()) return {};
  BA_ASSIGN(const Page page, snapshot.page(info.id));
  Segmentation regions;
  std::vector<std::uint32_t> open;  // the innermost region of each level
  for (const BlockInfo& block : info.blocks) {
    open.resize(block.level);
    Region region;
    region.begin = block.begin;
    region.end = block.end;
    region.parent = open.empty() ? kNoParent : open.back();
    region.level = static_cast<std::uint8_t>(block.level);
    open.push_back(static_cast<std::uint32_t>(regions.regions.size()));
    regions.regions.push_back(std::move(region));
  }
  DescribeOptions options;
  options.page.media_type = info.version.media_type;
  options.page.charset = info.version.charset;
  const auto described = describe_regions(page.bytes, regions, options);
  std::size_t leaf = 0;
  for (std::size_t i = 0; i < info.blocks.size(); ++i)
    if (info.blocks[i].is_leaf) blame.blocks[leaf++].label = described[i].label;
  return {};
}

class BlameWalk {
 public:
  BlameWalk(const Snapshot& snapshot, const CaptureInfo& capture, const BlameOptions& options,
            const LineageObserver& observe)
      : snapshot_(snapshot),
        options_(options),
        observe_(observe),
        reader_(snapshot.objects()),
        content_(snapshot.objects(), kMostContentReads) {
    blame_.capture = capture;
  }

  Result<Blame> run() {
    BA_TRY(begin());
    BA_TRY(walk_back());
    BA_TRY(walk_forward());
    if (options_.elsewhere) BA_TRY(look_elsewhere());
    return std::move(blame_);
  }

 private:
  Result<void> begin() {
    const CaptureInfo& capture = blame_.capture;
    BA_ASSIGN(const VersionInfo info, snapshot_.version_info(capture.version));
    blame_.version = info.version;
    for (const BlockInfo& block : info.blocks) {
      if (!block.is_leaf) continue;
      BlamedBlock blamed;
      blamed.begin = block.begin;
      blamed.end = block.end;
      blamed.content = block.content;
      blamed.stay = {capture.time, capture.version, capture.time, false, {}};
      blamed.first = blamed.place_since = capture.time;
      content_of_.push_back(wanted_.try_emplace(block.content.hash, wanted_.size()).first->second);
      blame_.blocks.push_back(std::move(blamed));
    }
    blame_.layout = {capture.time, capture.version, capture.time, false, {}};
    BA_TRY(add_labels(snapshot_, info, blame_));
    BA_ASSIGN(newer_, reader_.of(capture.version));
    newer_layout_ = info.version.layout;
    stamps_.assign(wanted_.size(), 0);
    stays_.assign(blame_.blocks.size(), true);
    has_place_.assign(blame_.blocks.size(), true);
    for (std::size_t i = 0; i < blame_.blocks.size(); ++i) heads_.push_back(static_cast<std::uint32_t>(i));
    return {};
  }

  Result<void> walk_back() {
    LogOptions log;
    log.until = blame_.capture.time;
    Result<void> result;
    BA_TRY(snapshot_.log(blame_.capture.number, log, [&](const LogEntry& entry) {
      result = step_back(entry);
      return result.has_value();
    }));
    return result;
  }

  // What the log entry shows, or nothing where it cannot be read.
  std::shared_ptr<const VersionLeaves> version_of(const LogEntry& entry) {
    ++blame_.versions;
    if (options_.progress) options_.progress(blame_.versions, 0);
    auto version = reader_.of(entry.version);
    if (version) return std::move(*version);
    ++blame_.damaged;
    return nullptr;
  }

  Result<void> step_back(const LogEntry& entry) {
    const auto version = version_of(entry);
    if (!version) return {};
    step_layout(entry, version->layout);
    step_stays(entry, version->leaves);
    return step_places(entry, version);
  }

  void step_layout(const LogEntry& entry, const LayoutId& layout) {
    if (layout != newer_layout_) ++blame_.layout_changes;
    newer_layout_ = layout;
    if (layout_stays_ && layout == blame_.version.layout) {
      blame_.layout.since = entry.time;
      blame_.layout.came_in = entry.version;
    } else {
      layout_stays_ = false;
    }
  }

  // Marks the blocks of the page asked for that stand in these leaves.
  void stamp(const Leaves& leaves) {
    ++stamp_;
    for (const Leaf& leaf : leaves) {
      const auto found = wanted_.find(leaf.content.hash);
      if (found != wanted_.end()) stamps_[found->second] = stamp_;
    }
  }
  bool is_stamped(std::size_t block) const { return stamps_[content_of_[block]] == stamp_; }

  void step_stays(const LogEntry& entry, const Leaves& leaves) {
    stamp(leaves);
    for (std::size_t i = 0; i < stays_.size(); ++i) {
      BlamedBlock& block = blame_.blocks[i];
      const bool present = is_stamped(i);
      if (present) block.first = entry.time;
      stays_[i] = stays_[i] && present;
      if (!stays_[i]) continue;
      block.stay.since = entry.time;
      block.stay.came_in = entry.version;
    }
  }

  Result<void> step_places(const LogEntry& entry, const std::shared_ptr<const VersionLeaves>& version) {
    std::vector<LineageStep::Change> changes;
    if (version != newer_) {
      changes = move_heads(version->leaves);
      newer_ = version;
    }
    for (std::size_t i = 0; i < heads_.size(); ++i)
      if (heads_[i] != kNoLeaf) blame_.blocks[i].place_since = entry.time;
    if (!observe_) return {};
    for (std::size_t i = 0; i < heads_.size(); ++i) has_place_[i] = heads_[i] != kNoLeaf;
    const LineageStep step{newer_entry_ ? &*newer_entry_ : nullptr, entry, std::move(changes), has_place_};
    BA_TRY(observe_(step));
    newer_entry_ = entry;
    return {};
  }

  std::vector<LineageStep::Change> move_heads(const Leaves& older) {
    std::vector<LineageStep::Change> changes;
    const auto matches = match_leaves(older, newer_->leaves, std::ref(content_));
    for (std::size_t i = 0; i < heads_.size(); ++i) {
      if (heads_[i] == kNoLeaf) continue;
      const Leaf& newer = newer_->leaves[heads_[i]];
      const LeafMatch& match = matches[heads_[i]];
      heads_[i] = match.older;
      if (match.older == kNoLeaf || match.same) continue;
      ++blame_.blocks[i].changes;
      changes.push_back({i, newer, older[match.older]});
    }
    return changes;
  }

  Result<void> walk_forward() {
    LogOptions log;
    log.since = blame_.capture.time;
    log.oldest_first = true;
    stays_.assign(blame_.blocks.size(), true);
    layout_stays_ = true;
    return snapshot_.log(blame_.capture.number, log, [&](const LogEntry& entry) { return step_forward(entry); });
  }

  // Whether anything of the page is still there.
  bool step_forward(const LogEntry& entry) {
    const auto version = version_of(entry);
    if (!version) return true;
    stamp(version->leaves);
    const auto settle = [&](Stay& stay, bool present) {
      if (present) {
        stay.until = entry.last_seen;
      } else {
        stay.ended = true;
        stay.gone = entry.time;
      }
      return present;
    };
    bool any = false;
    for (std::size_t i = 0; i < stays_.size(); ++i) {
      if (stays_[i]) stays_[i] = settle(blame_.blocks[i].stay, is_stamped(i));
      any = any || stays_[i];
    }
    if (layout_stays_) layout_stays_ = settle(blame_.layout, version->layout == blame_.version.layout);
    return any || layout_stays_;
  }

  Result<void> look_elsewhere() {
    Result<void> result;
    std::uint64_t done = 0;
    BA_TRY(snapshot_.urls({}, [&](const UrlSummary& url) {
      if (options_.progress) options_.progress(++done, 0);
      if (url.number != blame_.capture.number) result = look_at(url);
      return result.has_value();
    }));
    return result;
  }

  Result<void> look_at(const UrlSummary& url) {
    if (url.first > blame_.capture.time) return {};
    BA_ASSIGN(const CaptureInfo there, snapshot_.capture_at(url.number, blame_.capture.time));
    const auto version = reader_.of(there.version);
    if (!version) {
      ++blame_.damaged;
      return {};
    }
    stamp((*version)->leaves);
    for (std::size_t i = 0; i < blame_.blocks.size(); ++i) {
      if (!is_stamped(i)) continue;
      BlamedBlock& block = blame_.blocks[i];
      if (block.elsewhere_count++ < kMostElsewhere) block.elsewhere.push_back(url.url);
    }
    return {};
  }

  const Snapshot& snapshot_;
  const BlameOptions& options_;
  const LineageObserver& observe_;
  LeafReader reader_;
  ContentSimilarity content_;
  Blame blame_;

  // The contents of the page asked for, numbered, and which one each block is: a page may have one a million times.
  std::unordered_map<Hash256, std::size_t> wanted_;
  std::vector<std::size_t> content_of_;
  std::vector<std::uint64_t> stamps_;  // of each content: the last step that showed it
  std::uint64_t stamp_ = 0;
  std::vector<bool> stays_;  // seen in every step so far
  bool layout_stays_ = true;

  std::vector<std::uint32_t> heads_;  // of each block: the leaf that its place is, in newer_
  std::shared_ptr<const VersionLeaves> newer_;
  LayoutId newer_layout_;
  std::optional<LogEntry> newer_entry_;  // for the observer
  std::vector<bool> has_place_;
};

}  // namespace

Result<Blame> blame(const Snapshot& snapshot, const CaptureInfo& capture, const BlameOptions& options,
                    const LineageObserver& observe) {
  return BlameWalk(snapshot, capture, options, observe).run();
}

}  // namespace blockarch
