#include "engine/removal.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "base/url.h"
#include "engine/archive_impl.h"
#include "engine/removal_impl.h"
#include "refs/history.h"
#include "refs/removed.h"
#include "refs/tags.h"

namespace blockarch {
namespace {

// The period that a time lies in: equal numbers for equal days, weeks, months, years (UTC).
std::int64_t day_of(Time t) {
  constexpr std::int64_t kDay = 86'400'000'000;
  return t.micros >= 0 ? t.micros / kDay : (t.micros - kDay + 1) / kDay;
}
std::int64_t week_of(Time t) {
  // Day 0 was a Thursday; weeks begin on Mondays.
  const std::int64_t day = day_of(t) + 3;
  return day >= 0 ? day / 7 : (day - 6) / 7;
}
std::int64_t month_of(Time t) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day_of(t)}}};
  return std::int64_t{int{date.year()}} * 12 + unsigned{date.month()};
}
std::int64_t year_of(Time t) {
  return month_of(t) > 0 ? (month_of(t) - 1) / 12 : month_of(t) / 12 - 1;
}

// Of the newest `count` periods with captures the last one each.
void keep_last_of(const std::vector<Time>& times, std::uint64_t count, std::int64_t (*period)(Time),
                  std::vector<bool>& kept) {
  std::set<std::int64_t> seen;
  for (std::size_t i = times.size(); i-- > 0 && count > 0;) {
    if (!seen.insert(period(times[i])).second) continue;
    kept[i] = true;
    --count;
  }
}

std::vector<Time> times_of(const std::vector<Observation>& observations) {
  std::vector<Time> times;
  for (const Observation& o : observations) times.push_back(o.time);
  return times;
}

std::vector<bool> firsts_of(const std::vector<Observation>& observations) {
  std::unordered_set<std::uint32_t> seen;
  std::vector<bool> firsts;
  for (const Observation& o : observations) firsts.push_back(seen.insert(o.version.value).second);
  return firsts;
}

}  // namespace

bool Retention::keeps_anything() const {
  return last > 0 || daily > 0 || weekly > 0 || monthly > 0 || yearly > 0 || since || changes;
}

std::vector<bool> choose_kept(const std::vector<Time>& times, const std::vector<bool>& first_of_version,
                              const Retention& retention, const std::vector<Time>& tags) {
  std::vector<bool> kept(times.size(), false);
  if (times.empty()) return kept;
  kept.back() = true;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times.size() - i <= retention.last) kept[i] = true;
    if (retention.since && times[i] >= *retention.since) kept[i] = true;
    if (retention.changes && first_of_version[i]) kept[i] = true;
  }
  keep_last_of(times, retention.daily, day_of, kept);
  keep_last_of(times, retention.weekly, week_of, kept);
  keep_last_of(times, retention.monthly, month_of, kept);
  keep_last_of(times, retention.yearly, year_of, kept);
  for (const Time tag : tags) {
    const auto after = std::upper_bound(times.begin(), times.end(), tag);
    if (after != times.begin()) kept[static_cast<std::size_t>(after - times.begin()) - 1] = true;
  }
  return kept;
}

Result<RemovalReport::Url> remove_observations(WriteTransaction& transaction, const Tables& tables, UrlNumber url,
                                               const std::vector<bool>& kept, std::optional<Time> noted) {
  BA_ASSIGN(const UrlRecord record, url_record(transaction, tables, url));
  BA_ASSIGN(const auto all, all_observations(transaction, tables, url));
  std::vector<Observation> stay;
  Removed removed{noted.value_or(Time{}), 0, record.given, record.metadata, {}};
  std::unordered_set<std::uint32_t> staying;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i < kept.size() && kept[i]) {
      stay.push_back(all[i]);
      staying.insert(all[i].version.value);
    } else {
      removed.observations.push_back(all[i]);
    }
  }
  std::unordered_set<std::uint32_t> gone;
  for (const Observation& o : removed.observations) {
    if (!staying.count(o.version.value)) gone.insert(o.version.value);
  }
  const RemovalReport::Url report{record.given, all.size(), removed.observations.size(), gone.size()};
  if (removed.observations.empty()) return report;
  if (noted) BA_TRY(add_removed(transaction, tables, removed));
  BA_TRY(replace_history(transaction, tables, url, stay));
  if (stay.empty()) BA_TRY(erase_url(transaction, tables, url));
  return report;
}

namespace {

// Runs `change` under the writer's lock, in one transaction; a dry run is thrown away.
Result<RemovalReport> in_transaction(
    Archive& archive, const RemovalOptions& options,
    const std::function<Result<void>(WriteTransaction&, const Tables&, RemovalReport&)>& change) {
  Archive::Impl& impl = archive.impl();
  BA_ASSIGN(const FileLock lock, FileLock::acquire(impl.path(kLockFile), options.wait));
  BA_ASSIGN(const auto hot, impl.hot());
  BA_TRY(hot->make_later_tables());
  const Tables tables = hot->tables();
  RemovalReport report;
  const Error rolled_back{ErrorCode::interrupted, "a dry run ends here"};
  const auto written = hot->lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
    report = {};
    BA_TRY(change(transaction, tables, report));
    if (options.dry_run) return rolled_back;
    return {};
  });
  if (!written && !(options.dry_run && written.error().message == rolled_back.message)) return written.error();
  return report;
}

void note(RemovalReport& report, const RemovalReport::Url& url) {
  report.captures += url.captures;
  report.removed += url.removed;
  if (url.removed > 0) report.urls.push_back(url);
}

}  // namespace

Result<RemovalReport> prune(Archive& archive, const UrlFilter& filter, const Retention& retention,
                            const RemovalOptions& options) {
  if (!retention.keeps_anything()) {
    return Error{ErrorCode::invalid, "nothing says what to keep: give --keep-last, --keep-daily or another of them"};
  }
  std::vector<UrlNumber> chosen;
  {
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_TRY(snapshot.urls(filter, [&](const UrlSummary& url) {
      chosen.push_back(url.number);
      return true;
    }));
  }
  return in_transaction(
      archive, options,
      [&](WriteTransaction& transaction, const Tables& tables, RemovalReport& report) -> Result<void> {
        BA_ASSIGN(const auto tags, all_tags(transaction, tables));
        std::vector<Time> instants;
        for (const Tag& tag : tags) instants.push_back(tag.instant);
        for (const UrlNumber url : chosen) {
          BA_ASSIGN(const auto all, all_observations(transaction, tables, url));
          if (all.empty()) continue;  // gone since the look
          const auto kept = choose_kept(times_of(all), firsts_of(all), retention, instants);
          BA_ASSIGN(const auto removed, remove_observations(transaction, tables, url, kept, options.now));
          note(report, removed);
        }
        return {};
      });
}

Result<RemovalReport> forget_url(Archive& archive, const std::string& url, const RemovalOptions& options) {
  UrlNumber number;
  {
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(number, snapshot.find_url(url));
  }
  return in_transaction(
      archive, options,
      [&](WriteTransaction& transaction, const Tables& tables, RemovalReport& report) -> Result<void> {
        BA_ASSIGN(const auto removed, remove_observations(transaction, tables, number, {}, options.now));
        note(report, removed);
        return {};
      });
}

Result<RemovalReport> restore_url(Archive& archive, const std::string& url, const RemovalOptions& options) {
  BA_ASSIGN(const Url wanted, parse_url(url));
  return in_transaction(
      archive, options,
      [&](WriteTransaction& transaction, const Tables& tables, RemovalReport& report) -> Result<void> {
        std::vector<Removed> found;
        BA_TRY(each_removed(transaction, tables, [&](const Removed& removed) -> Result<void> {
          const auto of = parse_url(removed.url);
          if (of && of->key == wanted.key) found.push_back(removed);
          return {};
        }));
        if (found.empty()) {
          return Error{ErrorCode::not_found, fmt::format("nothing that was removed of {} is left to put back", url)};
        }
        BA_ASSIGN(const Url given, parse_url(found[0].url));
        BA_ASSIGN(const UrlNumber number, add_url(transaction, tables, given));
        BA_TRY(set_url_metadata(transaction, tables, number, found[0].url_metadata));
        BA_ASSIGN(auto all, all_observations(transaction, tables, number));
        for (const Removed& removed : found) {
          report.removed += removed.observations.size();
          all.insert(all.end(), removed.observations.begin(), removed.observations.end());
          BA_TRY(erase_removed(transaction, tables, removed));
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const Observation& a, const Observation& b) { return a.time < b.time; });
        report.captures = all.size();
        report.urls.push_back({found[0].url, all.size(), report.removed, 0});
        return replace_history(transaction, tables, number, all);
      });
}

}  // namespace blockarch
