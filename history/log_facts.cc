#include "history/log_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "history/lineage.h"
#include "segment/describe.h"

namespace blockarch {
namespace {

constexpr std::size_t kMostKnown = 4;

ChangeStat compare(const Leaves& older, const Leaves& newer) {
  ChangeStat stat;
  std::vector<bool> kept(older.size());
  const auto matches = match_leaves(older, newer);
  for (std::size_t i = 0; i < newer.size(); ++i) {
    if (matches[i].older != kNoLeaf) kept[matches[i].older] = true;
    if (matches[i].same) continue;
    stat.bytes_added += newer[i].size;
    if (matches[i].older == kNoLeaf) {
      ++stat.added;
    } else {
      ++stat.changed;
      stat.bytes_removed += older[matches[i].older].size;
    }
  }
  for (std::size_t i = 0; i < older.size(); ++i) {
    if (kept[i]) continue;
    ++stat.removed;
    stat.bytes_removed += older[i].size;
  }
  return stat;
}

}  // namespace

Result<ChangeStat> change_stat(LeafReader& reader, const VersionId* older, const VersionId& newer) {
  BA_ASSIGN(const auto to, reader.of(newer));
  if (older == nullptr) {
    ChangeStat stat = compare({}, to->leaves);
    stat.layout = true;
    return stat;
  }
  BA_ASSIGN(const auto from, reader.of(*older));
  ChangeStat stat = compare(from->leaves, to->leaves);
  stat.layout = from->layout != to->layout;
  return stat;
}

Result<Hash256> LabelledPart::digest(const VersionId& version) {
  for (const Known& known : known_)
    if (known.version == version) return known.digest;
  BA_ASSIGN(const Page page, snapshot_.page(version));
  DescribeOptions options;
  options.page.media_type = page.version.media_type;
  options.page.charset = page.version.charset;
  BA_ASSIGN(const Segmenter* segmenter, find_segmenter(kDefaultSegmenter));
  Hasher hasher;
  std::uint64_t done = 0;  // blocks inside one that has the label are part of it
  for (const DescribedBlock& block : describe_page(page.bytes, *segmenter, options)) {
    if (block.label != label_ || block.begin < done) continue;
    hasher.update(ByteView(page.bytes).substr(block.begin, block.end - block.begin));
    done = block.end;
  }
  if (known_.size() >= kMostKnown) known_.erase(known_.begin());
  known_.push_back({version, hasher.finish()});
  return known_.back().digest;
}

Result<BlockLabel> label_named(std::string_view name) {
  std::string names;
  for (int i = 0; i <= static_cast<int>(BlockLabel::data); ++i) {
    const auto label = static_cast<BlockLabel>(i);
    if (label_name(label) == name) return label;
    names += (names.empty() ? "" : ", ") + std::string(label_name(label));
  }
  return Error{ErrorCode::invalid, fmt::format("there is no label '{}': the labels are {}", name, names)};
}

Result<ReturnGraph> ReturnGraph::make(const Snapshot& snapshot, UrlNumber url, std::optional<Time> until) {
  ReturnGraph graph;
  std::vector<std::size_t> before;   // of each row: the row that showed the version before, or itself
  std::vector<std::size_t> last_of;  // of each row that is a version's first: the row that showed it last
  std::unordered_map<Hash256, std::size_t> latest;
  std::unordered_map<Hash256, std::size_t> first;
  LogOptions log;
  log.until = until;
  log.oldest_first = true;
  BA_TRY(snapshot.log(url, log, [&](const LogEntry& entry) {
    const std::size_t row = graph.rows_.size();
    graph.rows_.push_back({entry.time, entry.last_seen, {}});
    const auto [known, is_new] = latest.try_emplace(entry.version.hash, row);
    before.push_back(known->second);
    known->second = row;
    if (is_new) first.emplace(entry.version.hash, row);
    last_of.push_back(row);
    last_of[first.at(entry.version.hash)] = row;
    return true;
  }));
  std::array<std::size_t, kMostLanes> busy_until{};  // the last row of the version in each lane
  std::array<bool, kMostLanes> busy{};
  for (std::size_t row = 0; row < graph.rows_.size(); ++row) {
    Place& place = graph.rows_[row].place;
    for (std::size_t lane = 0; lane < kMostLanes; ++lane) busy[lane] = busy[lane] && busy_until[lane] >= row;
    const std::size_t past = before[row];
    if (past != row) {
      place.lane = graph.rows_[past].place.lane;
      place.returned_to = graph.rows_[past].last;
      place.times = graph.rows_[past].place.times + 1;
    } else if (last_of[row] != row) {
      const auto free = std::find(busy.begin(), busy.end(), false);
      if (free != busy.end()) {
        const auto lane = static_cast<std::size_t>(free - busy.begin());
        busy[lane] = true;
        busy_until[lane] = last_of[row];
        place.lane = static_cast<std::uint8_t>(lane + 1);
        graph.lanes_ = std::max(graph.lanes_, place.lane);
      }
    }
    for (std::size_t lane = 0; lane < kMostLanes; ++lane)
      if (busy[lane]) place.running = static_cast<std::uint8_t>(place.running | 1u << lane);
  }
  return graph;
}

ReturnGraph::Place ReturnGraph::at(Time time) const {
  const auto after =
      std::upper_bound(rows_.begin(), rows_.end(), time, [](Time t, const Row& row) { return t < row.first; });
  return after == rows_.begin() ? Place() : std::prev(after)->place;
}

std::string draw_lanes(const ReturnGraph& graph, const ReturnGraph::Place& place, char mark) {
  std::string text;
  for (std::uint8_t lane = 0; lane <= graph.lanes(); ++lane) {
    if (lane > 0) text += ' ';
    const bool runs = lane > 0 && (place.running >> (lane - 1) & 1) != 0;
    text += lane == place.lane ? mark : runs ? '|' : ' ';
  }
  return text;
}

}  // namespace blockarch
