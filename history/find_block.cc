#include "history/find_block.h"

#include <algorithm>
#include <map>

#include "history/reader_text.h"
#include "objects/page.h"
#include "segment/words.h"

namespace blockarch {
namespace {

constexpr std::size_t kMostRemembered = 1 << 20;  // blocks; 48 bytes each
constexpr std::size_t kMostChunkBytes = 16 << 20;
constexpr std::uint64_t kMostListBytes = 64 << 20;  // longer blocks are files, not text

// Whether a leaf is one that is looked for.
using IsWanted = std::function<Result<bool>(const Leaf&, const VersionLeaves&)>;
using LayoutIsWanted = std::function<Result<bool>(const VersionLeaves&)>;

// One URL's captures in order of time.
class SightingWalk {
 public:
  SightingWalk(const Snapshot& snapshot, LeafReader& reader, const IsWanted& leaf_is_wanted,
               const LayoutIsWanted& layout_is_wanted, const std::function<bool(const Sighting&)>& each)
      : snapshot_(snapshot),
        reader_(reader),
        leaf_is_wanted_(leaf_is_wanted),
        layout_is_wanted_(layout_is_wanted),
        each_(each) {}

  // False where the callback stopped it.
  Result<bool> run(const UrlSummary& url, const FindBlockOptions& options, FindBlockReport& report) {
    LogOptions log;
    log.since = options.since;
    log.until = options.until;
    log.oldest_first = true;
    Result<void> result;
    BA_TRY(snapshot_.log(url.number, log, [&](const LogEntry& entry) {
      ++report.versions;
      if (options.progress) options.progress(report.versions);
      result = step(url, entry, report);
      return result.has_value() && !stopped_;
    }));
    BA_TRY(result);
    close(std::nullopt);
    return !stopped_;
  }

 private:
  Result<void> step(const UrlSummary& url, const LogEntry& entry, FindBlockReport& report) {
    const auto read = reader_.of(entry.version);
    if (!read) {
      ++report.damaged;
      return {};
    }
    const VersionLeaves& version = **read;
    ++step_;
    BA_TRY(see_leaves(url, entry, version, report));
    BA_ASSIGN(const bool in_layout, layout_is_wanted_(version));
    if (in_layout) see(url, entry, ObjectId(version.layout));
    close(entry.time);
    return {};
  }

  Result<void> see_leaves(const UrlSummary& url, const LogEntry& entry, const VersionLeaves& version,
                          FindBlockReport& report) {
    for (const Leaf& leaf : version.leaves) {
      const auto wanted = leaf_is_wanted_(leaf, version);
      if (!wanted && wanted.error().code == ErrorCode::corrupt) {
        ++report.damaged;
        continue;
      }
      if (!wanted) return wanted.error();
      if (*wanted) see(url, entry, leaf.content);
    }
    return {};
  }

  struct Open {
    Sighting sighting;
    std::uint64_t step = 0;
  };

  void see(const UrlSummary& url, const LogEntry& entry, const ObjectId& block) {
    const auto [at, is_new] = open_.try_emplace(block);
    Open& open = at->second;
    if (is_new) {
      open.sighting.url = url.url;
      open.sighting.number = url.number;
      open.sighting.block = block;
      open.sighting.first = entry.time;
      open.sighting.version = entry.version;
    }
    if (open.step == step_) return;  // twice on one page
    open.step = step_;
    open.sighting.last = entry.last_seen;
    ++open.sighting.versions;
  }

  // Tells what the last step did not show; at the end of the history, everything.
  void close(std::optional<Time> gone) {
    for (auto at = open_.begin(); at != open_.end() && !stopped_;) {
      if (gone && at->second.step == step_) {
        ++at;
        continue;
      }
      at->second.sighting.gone = gone;
      stopped_ = !each_(at->second.sighting);
      at = open_.erase(at);
    }
  }

  const Snapshot& snapshot_;
  LeafReader& reader_;
  const IsWanted& leaf_is_wanted_;
  const LayoutIsWanted& layout_is_wanted_;
  const std::function<bool(const Sighting&)>& each_;
  std::map<ObjectId, Open> open_;
  std::uint64_t step_ = 0;
  bool stopped_ = false;
};

Result<FindBlockReport> walk_urls(const Snapshot& snapshot, const FindBlockOptions& options,
                                  const IsWanted& leaf_is_wanted, const LayoutIsWanted& layout_is_wanted,
                                  const std::function<bool(const Sighting&)>& each) {
  FindBlockReport report;
  LeafReader reader(snapshot.objects());
  Result<void> result;
  BA_TRY(snapshot.urls(options.urls, [&](const UrlSummary& url) {
    ++report.urls;
    SightingWalk walk(snapshot, reader, leaf_is_wanted, layout_is_wanted, each);
    const auto goes_on = walk.run(url, options, report);
    if (!goes_on) result = goes_on.error();
    return goes_on.has_value() && *goes_on;
  }));
  BA_TRY(result);
  return report;
}

std::string one_blank(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

TextFinder::TextFinder(const ObjectSource& objects, std::string_view text, bool ignore_case)
    : objects_(objects), text_(one_blank(text)), ignore_case_(ignore_case) {
  if (ignore_case_) text_ = lower_case(text_);
}

Result<void> TextFinder::check() const {
  if (text_.empty()) return Error{ErrorCode::invalid, "there is no text to look for"};
  return {};
}

bool TextFinder::has(ByteView bytes, const VersionLeaves& version) const {
  std::string text = reader_text(bytes, version.facts.charset, has_markup(version.facts));
  if (ignore_case_) text = lower_case(text);
  return text.find(text_) != std::string::npos;
}

bool TextFinder::remember(const Hash256& id, bool found) {
  if (known_.size() >= kMostRemembered) known_.clear();
  known_[id] = found;
  return found;
}

Result<Bytes> TextFinder::read(const Leaf& leaf) {
  if (leaf.content.kind != ObjectKind::list) return join_block(objects_, leaf.content, leaf.size);
  BA_ASSIGN(const BlockList list, load_block_list(objects_, ListId{leaf.content.hash}));
  Bytes bytes;
  for (const Chunk& chunk : list.chunks) {
    auto known = chunks_.find(chunk.id.hash);
    if (known == chunks_.end()) {
      BA_ASSIGN(Bytes content, load(objects_, chunk.id));
      if (chunk_bytes_ + content.size() > kMostChunkBytes) {
        chunks_.clear();
        chunk_bytes_ = 0;
      }
      chunk_bytes_ += content.size();
      known = chunks_.emplace(chunk.id.hash, std::move(content)).first;
    }
    bytes += known->second;
  }
  return bytes;
}

Result<bool> TextFinder::in_block(const Leaf& leaf, const VersionLeaves& version) {
  if (version.facts.charset.empty()) return false;
  if (const auto known = known_.find(leaf.content.hash); known != known_.end()) return known->second;
  if (leaf.size > kMostListBytes) return false;
  BA_ASSIGN(const Bytes bytes, read(leaf));
  return remember(leaf.content.hash, has(bytes, version));
}

Result<bool> TextFinder::in_layout(const VersionLeaves& version) {
  if (version.facts.charset.empty()) return false;
  if (const auto known = known_.find(version.layout.hash); known != known_.end()) return known->second;
  BA_ASSIGN(const Layout layout, load_layout(objects_, version.layout));
  const bool found =
      std::any_of(layout.literals.begin(), layout.literals.end(), [&](const Bytes& l) { return has(l, version); });
  return remember(version.layout.hash, found);
}

Result<bool> TextFinder::in_page(const VersionLeaves& version) {
  for (const Leaf& leaf : version.leaves) {
    BA_ASSIGN(const bool found, in_block(leaf, version));
    if (found) return true;
  }
  return in_layout(version);
}

Result<FindBlockReport> find_block(const Snapshot& snapshot, const ObjectId& id, const FindBlockOptions& options,
                                   const std::function<bool(const Sighting&)>& each) {
  std::unordered_map<Hash256, bool> lists;  // those that hold the block as a chunk
  const IsWanted leaf_is_wanted = [&](const Leaf& leaf, const VersionLeaves&) -> Result<bool> {
    if (leaf.content == id) return true;
    if (leaf.content.kind != ObjectKind::list || id.kind != ObjectKind::block) return false;
    if (const auto known = lists.find(leaf.content.hash); known != lists.end()) return known->second;
    BA_ASSIGN(const BlockList list, load_block_list(snapshot.objects(), ListId{leaf.content.hash}));
    if (lists.size() >= kMostRemembered) lists.clear();
    return lists[leaf.content.hash] = std::any_of(list.chunks.begin(), list.chunks.end(),
                                                  [&](const Chunk& c) { return c.id.hash == id.hash; });
  };
  const LayoutIsWanted layout_is_wanted = [&](const VersionLeaves& version) -> Result<bool> {
    return ObjectId(version.layout) == id;
  };
  return walk_urls(snapshot, options, leaf_is_wanted, layout_is_wanted, each);
}

Result<FindBlockReport> find_text(const Snapshot& snapshot, TextFinder& finder, const FindBlockOptions& options,
                                  const std::function<bool(const Sighting&)>& each) {
  BA_TRY(finder.check());
  const IsWanted leaf_is_wanted = [&](const Leaf& leaf, const VersionLeaves& version) {
    return finder.in_block(leaf, version);
  };
  const LayoutIsWanted layout_is_wanted = [&](const VersionLeaves& version) { return finder.in_layout(version); };
  return walk_urls(snapshot, options, leaf_is_wanted, layout_is_wanted, each);
}

}  // namespace blockarch
