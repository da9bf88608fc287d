// Folded log entries are enough: of visits without a change only their number and the time they span matter.
#include "history/rates.h"

namespace blockarch {
namespace {

double seconds_between(Time from, Time to) {
  return static_cast<double>(to.micros - from.micros) / 1e6;
}

void add_stay(VisitRecord& record, const LogEntry& entry) {
  record.add_unchanged(entry.repeats, seconds_between(entry.time, entry.last_seen));
}

}  // namespace

Result<UrlRate> rate_of(const Snapshot& snapshot, UrlNumber url, const RateSpan& span) {
  VisitRecord record;
  UrlRate rate;
  std::optional<Time> newer;
  LogOptions log;
  log.since = span.since;
  log.until = span.until;
  BA_TRY(snapshot.log(url, log, [&](const LogEntry& entry) {
    if (newer) record.add(seconds_between(entry.last_seen, *newer), true);
    if (!newer) rate.last = entry.last_seen;
    add_stay(record, entry);
    newer = rate.first = entry.time;
    return true;
  }));
  rate.estimate = record.estimate();
  return rate;
}

Result<BlockRates> block_rates(const Snapshot& snapshot, const CaptureInfo& capture) {
  std::vector<VisitRecord> records;
  std::vector<bool> changed;
  const LineageObserver observe = [&](const LineageStep& step) -> Result<void> {
    records.resize(step.has_place.size());
    changed.assign(step.has_place.size(), false);
    for (const LineageStep::Change& change : step.changes) changed[change.block] = true;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (!step.has_place[i]) continue;
      if (step.newer != nullptr) records[i].add(seconds_between(step.older.last_seen, step.newer->time), changed[i]);
      add_stay(records[i], step.older);
    }
    return {};
  };
  BlockRates rates;
  BA_ASSIGN(rates.page, blame(snapshot, capture, {}, observe));
  records.resize(rates.page.blocks.size());
  for (const VisitRecord& record : records) rates.rates.push_back(record.estimate());
  return rates;
}

}  // namespace blockarch
