#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "fsck/inspection.h"
#include "refs/removed.h"
#include "refs/url_table.h"

namespace blockarch {
namespace {

constexpr char kStage[] = "histories";

// In the place of a URL's number, for captures that were removed and may be put back.
constexpr UrlNumber kRemoved{UINT32_MAX};

std::string url_text(const Inspection& in, UrlNumber number) {
  if (number == kRemoved) return "a removed capture,";
  auto given = url_given(in.transaction, in.tables, number);
  return given ? *given : fmt::format("URL number {}", number.value);
}

class HistoryCheck {
 public:
  explicit HistoryCheck(Inspection& inspection) : in_(inspection) {}

  void check(const KeyValue& at) {
    const auto key = decode_chunk_key(at.key);
    if (!key) {
      in_.log.add(findings::kHistoryDamaged,
                  fmt::format("table history has a wrong key {}", to_hex(at.key.substr(0, 32))));
      return;
    }
    begin_chunk(*key);
    const auto observations = decode_chunk(at.key, at.value);
    if (!observations) {
      in_.log.add(findings::kHistoryDamaged,
                  fmt::format("captures of {} from {} on are lost: {}", url_text(in_, key->url),
                              format_rfc3339(key->first), observations.error().message));
      last_.reset();
      known_start_ = false;
      return;
    }
    check_order(*key, observations->front());
    for (const Observation& observation : *observations) take(key->url, observation);
  }

  // What was removed still counts until it is collected.
  void check_removed(const KeyValue& at) {
    const auto removed = decode_removed(at.key, at.value);
    if (!removed) {
      in_.log.add(findings::kRemovedDamaged, fmt::format("removed captures under {} cannot be put back: {}",
                                                         to_hex(at.key.substr(0, 32)), removed.error().message));
      return;
    }
    for (const Observation& o : removed->observations) look_up(kRemoved, o);
  }

  // URLs that have a record and no captures.
  void finish() {
    std::vector<std::uint32_t> bare;
    std::set_difference(in_.recorded_urls.begin(), in_.recorded_urls.end(), urls_.begin(), urls_.end(),
                        std::back_inserter(bare));
    for (const std::uint32_t number : bare) {
      in_.log.add(findings::kUrlWithoutHistory, url_text(in_, {number}) + " has no captures");
    }
    if (const std::uint64_t unobserved = in_.versions.count_unobserved(); unobserved > 0) {
      in_.log.add(findings::kVersionUnobserved, fmt::format("{} versions are in no history", unobserved));
    }
  }

 private:
  void begin_chunk(const ChunkKey& key) {
    if (!urls_.empty() && urls_.back() == key.url.value) return;
    urls_.push_back(key.url.value);
    last_.reset();
    known_start_ = true;
    if (!std::binary_search(in_.recorded_urls.begin(), in_.recorded_urls.end(), key.url.value)) {
      in_.log.add(findings::kHistoryUrlMissing,
                  fmt::format("captures of URL number {} are here, its record is not", key.url.value));
    }
  }

  // Against the chunk before it; after a damaged one nothing can be said.
  void check_order(const ChunkKey& key, const Observation& first) {
    const bool same_time = last_ && last_->time == first.time;
    const std::uint32_t rank = same_time ? last_rank_ + 1 : 0;
    const bool in_order = !last_ || last_->time <= first.time;
    const bool unknown = !last_ && !known_start_;
    if (!in_order || (!unknown && key.rank != rank)) {
      in_.log.add(findings::kHistoryMisordered, fmt::format("captures of {} around {} are out of order",
                                                            url_text(in_, key.url), format_rfc3339(key.first)));
    }
    last_.reset();
    last_rank_ = key.rank;
    known_start_ = true;
  }

  void take(UrlNumber url, const Observation& observation) {
    ++in_.report.observations;
    if (last_) last_rank_ = last_->time == observation.time ? last_rank_ + 1 : 0;
    last_ = observation;
    look_up(url, observation);
  }

  void look_up(UrlNumber url, const Observation& observation) {
    if (!in_.versions.observe(observation.version.value, url, observation.time)) {
      in_.log.add(findings::kHistoryVersionMissing,
                  fmt::format("the capture of {} at {} shows version number {}, which is not there", url_text(in_, url),
                              format_rfc3339(observation.time), observation.version.value));
    }
    if (!observation.metadata || in_.metadata.observe(observation.metadata->value, url, observation.time)) return;
    in_.log.add(findings::kHistoryMetadataMissing,
                fmt::format("the capture of {} at {} has metadata number {}, which is not there", url_text(in_, url),
                            format_rfc3339(observation.time), observation.metadata->value));
  }

  Inspection& in_;
  std::vector<std::uint32_t> urls_;  // that have a history, ascending
  std::optional<Observation> last_;
  std::uint32_t last_rank_ = 0;
  bool known_start_ = true;  // false after a damaged chunk, until a sound one
};

// The version's id where it is known.
std::optional<Hash256> id_of_number(const Inspection& in, const Numbering& numbers, std::uint32_t number) {
  const auto loose = numbers.loose().find(number);
  if (loose != numbers.loose().end()) return loose->second;
  const auto packed = &numbers == &in.versions ? in.store.packed_version(number) : std::nullopt;
  const auto id = packed ? packed->pack->version_id(packed->ordinal) : Result<Hash256>(Error{ErrorCode::not_found, ""});
  return id ? std::optional(*id) : std::nullopt;
}

void report_unreadable(Inspection& in, const Numbering& numbers, const FindingKind& kind) {
  for (const auto& [number, trouble] : numbers.troubles()) {
    // An entry that is lost and that nobody asks for costs nothing.
    if (!numbers.is_given(number) && !trouble.seen) continue;
    const auto id = id_of_number(in, numbers, number);
    std::string name =
        id ? fmt::format("{} {}", numbers.what(), short_id(*id)) : fmt::format("{} number {}", numbers.what(), number);
    if (trouble.seen) {
      name += fmt::format(", {} captured {}", url_text(in, trouble.seen->url), format_rfc3339(trouble.seen->first));
      if (trouble.seen->captures > 1) name += fmt::format(" (and {} more)", trouble.seen->captures - 1);
    }
    in.log.add(kind, fmt::format("{}, cannot be read back: {}", name, trouble.why));
  }
}

void report_missing_numbers(Inspection& in, const Numbering& numbers) {
  for (const std::uint32_t chunk : numbers.missing_chunks()) {
    const std::uint32_t first = chunk * number_table::kIdsPerValue;
    in.log.add(findings::kNumberMissing, fmt::format("of numbers {} to {} of table {}, some are missing", first,
                                                     first + number_table::kIdsPerValue - 1, numbers.table()));
  }
}

}  // namespace

Result<void> check_histories(Inspection& in) {
  BA_ASSIGN(const TableStats stats, in.transaction.stats(in.tables.history));
  BA_ASSIGN(Cursor cursor, in.transaction.cursor(in.tables.history));
  HistoryCheck check(in);
  std::uint64_t done = 0;
  BA_ASSIGN(auto at, cursor.first());
  while (at) {
    check.check(*at);
    in.progress(kStage, ++done, stats.entries);
    BA_ASSIGN(at, cursor.next());
  }
  if (in.tables.removed.handle != 0) {
    BA_ASSIGN(Cursor removed, in.transaction.cursor(in.tables.removed));
    BA_ASSIGN(at, removed.first());
    while (at) {
      check.check_removed(*at);
      BA_ASSIGN(at, removed.next());
    }
  }
  check.finish();
  return {};
}

Result<void> report_consequences(Inspection& in) {
  report_missing_numbers(in, in.versions);
  report_missing_numbers(in, in.metadata);
  report_unreadable(in, in.versions, findings::kVersionUnreadable);
  report_unreadable(in, in.metadata, findings::kMetadataUnreadable);
  for (const auto& [number, trouble] : in.versions.troubles()) in.report.broken_versions.push_back(number);
  for (const auto& [number, trouble] : in.metadata.troubles()) in.report.broken_metadata.push_back(number);
  in.report.versions_end = in.versions.size();
  in.report.metadata_end = in.metadata.size();
  in.report.unreferenced = in.catalog.count_unreached();
  if (in.report.unreferenced > 0) {
    in.log.add(findings::kObjectUnreferenced,
               fmt::format("{} objects belong to no version that can be read", in.report.unreferenced));
  }
  return {};
}

}  // namespace blockarch
