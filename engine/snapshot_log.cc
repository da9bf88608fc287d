// The log of one URL. An entry is `changed` when the capture before it (in time) showed other bytes, so a walk always
// looks one capture further than it shows.
#include <array>

#include "engine/archive_impl.h"
#include "engine/snapshot.h"
#include "refs/history.h"

namespace blockarch {
namespace {

class LogWalk {
 public:
  LogWalk(const Snapshot::Impl& impl, HistoryCursor history, const LogOptions& options,
          const std::function<bool(const LogEntry&)>& each)
      : impl_(impl), history_(std::move(history)), options_(options), each_(each) {}

  Result<void> newest_first() {
    BA_ASSIGN(auto here, history_.as_of(options_.until.value_or(Time::max())));
    Folded folded;
    while (here && wanted_since(*here)) {
      BA_ASSIGN(const auto before, history_.previous());
      BA_ASSIGN(const bool changed, differs(before, *here));
      if (folded.count == 0) folded.last_seen = here->time;
      if (changed || options_.unchanged) {
        BA_TRY(show(*here, changed, folded));
        if (done_) return {};
        folded = {};
      } else {
        ++folded.count;
      }
      here = before;
    }
    // The version may have come before `since`; what was seen of it in the span is one entry.
    if (folded.count > 0 && !done_) {
      BA_ASSIGN(const auto first, history_.after(Time{options_.since->micros - 1}));
      --folded.count;
      if (first) BA_TRY(show(*first, false, folded));
    }
    return {};
  }

  Result<void> oldest_first() {
    std::optional<Observation> here;
    std::optional<Observation> before;
    if (options_.since) {
      BA_ASSIGN(before, history_.as_of(Time{options_.since->micros - 1}));
      BA_ASSIGN(here, history_.after(Time{options_.since->micros - 1}));
    } else {
      BA_ASSIGN(here, history_.first());
    }
    std::optional<Observation> shown;
    bool shown_changed = true;
    Folded folded;
    while (here && here->time <= options_.until.value_or(Time::max())) {
      BA_ASSIGN(const bool changed, differs(before, *here));
      if (changed || options_.unchanged || !shown) {
        if (shown) BA_TRY(show(*shown, shown_changed, folded));
        if (done_) return {};
        shown = here;
        shown_changed = changed;
        folded = {0, here->time};
      } else {
        ++folded.count;
        folded.last_seen = here->time;
      }
      before = here;
      BA_ASSIGN(here, history_.next());
    }
    if (shown) BA_TRY(show(*shown, shown_changed, folded));
    return {};
  }

 private:
  struct Folded {
    std::uint64_t count = 0;
    Time last_seen;
  };

  bool wanted_since(const Observation& o) const { return !options_.since || o.time >= *options_.since; }

  Result<VersionId> id_of(VersionNumber number) const { return impl_.view.version_id(number); }

  // Two numbers may name the same bytes, cut differently. A version that cannot be read counts as another one: the log
  // of a damaged archive still shows every capture.
  Result<bool> differs(const std::optional<Observation>& before, const Observation& here) {
    if (!before) return true;
    if (before->version == here.version) return false;
    // Copied: the memo may be overwritten by the second look.
    const std::optional<VersionFacts> a = facts_of(before->version);
    const std::optional<VersionFacts>& b = facts_of(here.version);
    return !a || !b || a->payload_head != b->payload_head;
  }

  // A walk asks for each version several times in a row: the last two are kept.
  const std::optional<VersionFacts>& facts_of(VersionNumber number) {
    for (const Memo& memo : memos_) {
      if (memo.number == number) return memo.facts;
    }
    Memo& memo = memos_[oldest_memo_];
    oldest_memo_ = 1 - oldest_memo_;
    memo.number = number;
    auto facts = impl_.view.facts(number);
    memo.facts = facts ? std::optional<VersionFacts>(std::move(*facts)) : std::nullopt;
    return memo.facts;
  }

  Result<void> show(const Observation& o, bool changed, const Folded& folded) {
    LogEntry entry;
    entry.time = o.time;
    entry.changed = changed;
    entry.repeats = folded.count;
    entry.last_seen = folded.count > 0 ? folded.last_seen : o.time;
    BA_ASSIGN(entry.version, id_of(o.version));
    if (const auto& facts = facts_of(o.version); facts) {
      entry.size = facts->payload_size;
      entry.media_type = facts->type.media_type;
    } else {
      entry.damaged = true;
    }
    if (o.metadata) {
      if (auto metadata = impl_.view.metadata(*o.metadata); metadata) {
        entry.metadata = std::move(*metadata);
      } else {
        entry.damaged = true;
      }
    }
    ++shown_;
    done_ = !each_(entry) || (options_.limit != 0 && shown_ >= options_.limit);
    return {};
  }

  const Snapshot::Impl& impl_;
  HistoryCursor history_;
  const LogOptions& options_;
  const std::function<bool(const LogEntry&)>& each_;
  std::uint64_t shown_ = 0;
  bool done_ = false;

  struct Memo {
    std::optional<VersionNumber> number;
    std::optional<VersionFacts> facts;
  };
  std::array<Memo, 2> memos_;
  std::size_t oldest_memo_ = 0;
};

}  // namespace

Result<void> Snapshot::log(UrlNumber url, const LogOptions& options,
                           const std::function<bool(const LogEntry&)>& each) const {
  BA_ASSIGN(HistoryCursor history, HistoryCursor::open(impl_->transaction, impl_->view.tables, url));
  LogWalk walk(*impl_, std::move(history), options, each);
  return options.oldest_first ? walk.oldest_first() : walk.newest_first();
}

}  // namespace blockarch
