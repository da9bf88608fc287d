#include "history/significant_log.h"

#include <algorithm>
#include <unordered_map>

namespace blockarch {
namespace {

class SignificantWalk {
 public:
  SignificantWalk(const Snapshot& snapshot, const std::string& url, const SignificantLogOptions& options)
      : snapshot_(snapshot), url_(url), options_(options) {}

  Result<void> take(const LogEntry& entry) {
    const auto meaning = meaning_of(entry);
    if (!meaning && meaning.error().code != ErrorCode::corrupt) return meaning.error();
    const bool significant = !meaning || !anchor_ || differs(*anchor_, *meaning, options_.significance);
    if (!significant) {
      add_noise(entry);
      return {};
    }
    SignificantEntry found{entry, true, 0, std::nullopt};
    found.entry.damaged = entry.damaged || !meaning;
    if (meaning) {
      const auto known = seen_.find(meaning->digest);
      if (known != seen_.end()) found.returned_to = known->second;
      seen_[meaning->digest] = {entry.time, entry.version};
      anchor_ = *meaning;
    }
    entries_.push_back(std::move(found));
    return {};
  }

  std::vector<SignificantEntry>& entries() { return entries_; }

 private:
  void add_noise(const LogEntry& entry) {
    if (options_.with_noise) {
      entries_.push_back({entry, false, 0, std::nullopt});
      return;
    }
    SignificantEntry& last = entries_.back();
    ++last.noise;
    last.entry.repeats += 1 + entry.repeats;
    last.entry.last_seen = entry.last_seen;
  }

  Result<Meaning> meaning_of(const LogEntry& entry) {
    const auto known = meanings_.find(entry.version.hash);
    if (known != meanings_.end()) return known->second;
    BA_ASSIGN(const Page page, snapshot_.page(entry.version));
    Meaning meaning = read_meaning(page.bytes, page.version, url_, *options_.rules, options_.significance);
    meanings_.emplace(entry.version.hash, meaning);
    return meaning;
  }

  const Snapshot& snapshot_;
  const std::string& url_;
  const SignificantLogOptions& options_;
  std::unordered_map<Hash256, Meaning> meanings_;
  std::unordered_map<Hash256, SignificantEntry::Return> seen_;
  std::optional<Meaning> anchor_;
  std::vector<SignificantEntry> entries_;
};

}  // namespace

Result<void> significant_log(const Snapshot& snapshot, const CaptureInfo& last, const SignificantLogOptions& options,
                             const std::function<bool(const SignificantEntry&)>& each) {
  SignificantWalk walk(snapshot, last.url, options);
  LogOptions all;
  all.until = options.log.until;
  all.oldest_first = true;
  Result<void> failed;
  BA_TRY(snapshot.log(last.number, all, [&](const LogEntry& entry) {
    failed = walk.take(entry);
    return failed.has_value();
  }));
  BA_TRY(failed);
  std::vector<SignificantEntry>& entries = walk.entries();
  if (options.log.since) {
    std::erase_if(entries, [&](const SignificantEntry& e) { return e.entry.last_seen < *options.log.since; });
  }
  if (!options.log.oldest_first) std::reverse(entries.begin(), entries.end());
  std::uint64_t shown = 0;
  for (const SignificantEntry& entry : entries) {
    if (!each(entry)) return {};
    if (options.log.limit != 0 && ++shown >= options.log.limit) return {};
  }
  return {};
}

}  // namespace blockarch
