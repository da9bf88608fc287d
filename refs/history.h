// The history of one URL: observations in the order of capture time, whatever order they arrived in. Every look-up costs
// the same whatever the length and whatever the age.
#pragma once

#include <optional>
#include <vector>

#include "base/lmdb.h"
#include "refs/history_chunk.h"
#include "refs/tables.h"

namespace blockarch {

// Walks a history from any point in either direction. Equal times keep their order of arrival.
class HistoryCursor {
 public:
  static Result<HistoryCursor> open(const ReadTransaction& transaction, const Tables& tables, UrlNumber url);

  // Each moves there and returns the observation; nothing where there is none (the cursor is then at no place).
  Result<std::optional<Observation>> first();
  Result<std::optional<Observation>> last();
  Result<std::optional<Observation>> as_of(Time t);  // the last one at or before t
  Result<std::optional<Observation>> after(Time t);  // the first one later than t
  // Only after one of the above returned an observation.
  Result<std::optional<Observation>> next();
  Result<std::optional<Observation>> previous();

 private:
  HistoryCursor(Cursor cursor, UrlNumber url) : cursor_(std::move(cursor)), url_(url) {}

  Result<bool> load(const std::optional<KeyValue>& entry);
  Result<std::optional<Observation>> stand_at(std::size_t position);

  Cursor cursor_;
  UrlNumber url_;
  std::vector<Observation> chunk_;
  std::size_t position_ = 0;
};

// Whether this version was observed at that very time.
Result<bool> has_observation(const ReadTransaction& transaction, const Tables& tables, UrlNumber url, Time time,
                             VersionNumber version);

// Adds an observation at its place, after any others of the same time.
Result<void> insert_observation(WriteTransaction& transaction, const Tables& tables, UrlNumber url,
                                const Observation& observation);

// All of them, in order.
Result<std::vector<Observation>> all_observations(const ReadTransaction& transaction, const Tables& tables,
                                                  UrlNumber url);
// Puts these, which are in order of time, in the place of the whole history; none at all leaves no trace of it.
Result<void> replace_history(WriteTransaction& transaction, const Tables& tables, UrlNumber url,
                             const std::vector<Observation>& observations);

// How many observations a URL has; costs a walk over its chunks' heads.
Result<std::uint64_t> count_observations(const ReadTransaction& transaction, const Tables& tables, UrlNumber url);

}  // namespace blockarch
