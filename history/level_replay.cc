#include "history/level_replay.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "objects/loose_store.h"
#include "segment/auto.h"
#include "segment/split.h"

namespace blockarch {
namespace {

constexpr std::uint64_t kKeyBytes = 40;         // an object's id and its place in the table
constexpr std::uint64_t kMostWhole = 16 << 10;  // longer regions are not kept whole
constexpr std::uint64_t kLeastFine = 400;       // shorter blocks are not cut finer
constexpr std::uint64_t kFewestChanges = 3;     // that speak for a rule
constexpr double kTogether = 0.8;               // of a region's bytes change when any do
constexpr double kMostlyStable = 0.5;           // of a block's bytes stay when it changes
constexpr int kDeepestTried = 4;

Segmentation cut(const ReplayPage& page, const CutChoice& choice) {
  SegmentOptions options;
  options.media_type = page.media_type;
  options.charset = page.charset;
  options.level = choice.level;
  options.profile = encode_cut_rules(choice.rules);
  return auto_segmenter().segment(page.bytes, options);
}

// Layouts, trees and lists are stored as the difference from the one before, as writers do.
class Replay {
 public:
  void store(const ReplayPage& page, const CutChoice& choice, CutCost* cost) {
    const SplitPage split = split_page(page.bytes, cut(page, choice));
    for (const PageObject& object : split.objects) {
      if (object.id.kind == ObjectKind::list) {
        keep(object.id, object.content, &list_, cost);
      } else if (keep(object.id, object.content, nullptr, cost) && cost != nullptr) {
        cost->fresh += object.content.size();
      }
    }
    const Bytes layout = encode_layout(split.layout);
    keep({ObjectKind::layout, hash_object(ObjectKind::layout, layout)}, layout, &layout_, cost);
    const Bytes tree = encode_block_tree(split.tree);
    keep({ObjectKind::tree, hash_object(ObjectKind::tree, tree)}, tree, &tree_, cost);
  }

 private:
  bool keep(const ObjectId& id, ByteView content, LooseBase* base, CutCost* cost) {
    if (!known_.insert(id.hash).second) return false;
    const bool has_base = base != nullptr && !base->content.empty();
    std::uint8_t depth = 0;
    if (cost != nullptr) {
      const LooseObject stored = make_loose_object(id, content, has_base ? base : nullptr);
      cost->stored += stored.value.size() + kKeyBytes;
      ++cost->objects;
      const auto described = LooseStore::describe(stored.value);
      if (described) depth = described->depth;
    }
    if (base != nullptr) *base = {id.hash, depth, Bytes(content)};
    return true;
  }

  std::unordered_set<Hash256> known_;
  LooseBase layout_;
  LooseBase tree_;
  LooseBase list_;
};

// The regions of a page with the hashes of the leaves.
struct CutPageRegions {
  Segmentation regions;
  std::vector<Hash256> hashes;  // of leaves; zero for inner regions
  std::unordered_set<Hash256> leaves;
};

CutPageRegions regions_of(const ReplayPage& page) {
  CutPageRegions result;
  result.regions = cut(page, {});
  const auto& regions = result.regions.regions;
  std::vector<bool> inner(regions.size());
  for (const Region& region : regions)
    if (region.parent != kNoParent) inner[region.parent] = true;
  result.hashes.resize(regions.size());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (inner[i]) continue;
    result.hashes[i] = blake3(ByteView(page.bytes).substr(regions[i].begin, regions[i].end - regions[i].begin));
    result.leaves.insert(result.hashes[i]);
  }
  return result;
}

// How much of two byte strings is the same at both ends, as a share of the longer.
double common_share(ByteView a, ByteView b) {
  const std::size_t least = std::min(a.size(), b.size());
  std::size_t front = 0;
  while (front < least && a[front] == b[front]) ++front;
  std::size_t back = 0;
  while (back < least - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  return static_cast<double>(front + back) / static_cast<double>(std::max<std::size_t>({a.size(), b.size(), 1}));
}

struct Evidence {
  std::uint64_t changes = 0;
  double share = 0;  // summed
  std::uint64_t bytes = 0;
  double mean_share() const { return share / static_cast<double>(changes); }
  std::uint64_t mean_bytes() const { return bytes / changes; }
};

class Observer {
 public:
  void compare(const ReplayPage& older_page, const CutPageRegions& older, const ReplayPage& newer_page,
               const CutPageRegions& newer) {
    see_groups(older, newer);
    see_leaves(older_page, older, newer_page, newer);
  }

  std::vector<std::string> whole() const {
    std::vector<std::string> paths;
    for (const auto& [path, e] : groups_)
      if (e.changes >= kFewestChanges && e.mean_share() >= kTogether && e.mean_bytes() <= kMostWhole)
        paths.push_back(path);
    return first_few(std::move(paths));
  }

  // The blocks themselves, or what they stand in: short blocks are groups, which are cut by what is around them.
  std::vector<std::string> fine(bool parents) const {
    std::vector<std::string> paths;
    for (const auto& [path, e] : leaves_) {
      if (e.changes < kFewestChanges || e.mean_share() < kMostlyStable || e.mean_bytes() < kLeastFine) continue;
      paths.push_back(path);
      const std::size_t slash = path.rfind('/');
      if (parents && slash != std::string::npos) paths.push_back(path.substr(0, slash));
    }
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return first_few(std::move(paths));
  }

 private:
  static std::vector<std::string> first_few(std::vector<std::string> paths) {
    std::erase_if(paths, [](const std::string& p) { return p.empty(); });
    if (paths.size() > kMaxCutRules / 2) paths.resize(kMaxCutRules / 2);
    return paths;
  }

  void see_groups(const CutPageRegions& older, const CutPageRegions& newer) {
    const auto& regions = newer.regions.regions;
    std::vector<std::uint64_t> all(regions.size());
    std::vector<std::uint64_t> changed(regions.size());
    for (std::size_t i = regions.size(); i-- > 0;) {
      if (!newer.hashes[i].is_zero()) {
        all[i] = regions[i].end - regions[i].begin;
        changed[i] = older.leaves.contains(newer.hashes[i]) ? 0 : all[i];
      } else if (regions[i].parent != kNoParent && changed[i] > 0) {
        Evidence& e = groups_[regions[i].path];
        ++e.changes;
        e.share += static_cast<double>(changed[i]) / static_cast<double>(all[i]);
        e.bytes += regions[i].end - regions[i].begin;
      }
      if (regions[i].parent == kNoParent) continue;
      all[regions[i].parent] += all[i];
      changed[regions[i].parent] += changed[i];
    }
  }

  void see_leaves(const ReplayPage& older_page, const CutPageRegions& older, const ReplayPage& newer_page,
                  const CutPageRegions& newer) {
    // Those that went, by path in the order of the page: the first that came is taken for the first that went.
    std::map<std::string, std::vector<const Region*>> gone;
    for (std::size_t i = older.regions.regions.size(); i-- > 0;)
      if (!older.hashes[i].is_zero() && !newer.leaves.contains(older.hashes[i]))
        gone[older.regions.regions[i].path].push_back(&older.regions.regions[i]);
    for (std::size_t i = 0; i < newer.regions.regions.size(); ++i) {
      const Region& region = newer.regions.regions[i];
      if (newer.hashes[i].is_zero() || older.leaves.contains(newer.hashes[i])) continue;
      const auto found = gone.find(region.path);
      if (found == gone.end() || found->second.empty()) continue;
      const Region& before = *found->second.back();
      found->second.pop_back();
      Evidence& e = leaves_[region.path];
      ++e.changes;
      e.bytes += region.end - region.begin;
      e.share += common_share(ByteView(older_page.bytes).substr(before.begin, before.end - before.begin),
                              ByteView(newer_page.bytes).substr(region.begin, region.end - region.begin));
    }
  }

  std::map<std::string, Evidence> groups_;
  std::map<std::string, Evidence> leaves_;
};

}  // namespace

CutCost replay(std::span<const ReplayPage> before, std::span<const ReplayPage> pages, const CutChoice& choice) {
  CutCost cost;
  Replay store;
  for (const ReplayPage& page : before) store.store(page, choice, nullptr);
  for (const ReplayPage& page : pages) store.store(page, choice, &cost);
  return cost;
}

std::vector<CutChoice> propose(std::span<const ReplayPage> pages) {
  Observer observer;
  std::optional<CutPageRegions> older;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    CutPageRegions newer = regions_of(pages[i]);
    if (older) observer.compare(pages[i - 1], *older, pages[i], newer);
    older = std::move(newer);
  }
  std::vector<CutChoice> choices;
  for (int level = 1; level <= kDeepestTried; ++level) choices.push_back({level, {}});
  const std::vector<std::string> whole = observer.whole();
  for (const bool parents : {false, true}) {
    const std::vector<std::string> fine = observer.fine(parents);
    for (const CutChoice& choice : {CutChoice{0, {whole, {}}}, CutChoice{0, {{}, fine}}, CutChoice{0, {whole, fine}}})
      if (!choice.is_default() && std::find(choices.begin(), choices.end(), choice) == choices.end())
        choices.push_back(choice);
  }
  return choices;
}

}  // namespace blockarch
