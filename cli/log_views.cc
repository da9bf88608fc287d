#include "cli/log_views.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/text.h"

namespace blockarch {

LogViews::LogViews(const Snapshot& snapshot, UrlNumber url, const LogViewOptions& options)
    : snapshot_(&snapshot), url_(url), stat_(options.stat), reader_(snapshot.objects()) {}

Result<LogViews> LogViews::make(const Snapshot& snapshot, const CaptureInfo& last, const LogViewOptions& options) {
  LogViews views(snapshot, last.number, options);
  if (options.ignore_case && !options.grep) return Error{ErrorCode::invalid, "--ignore-case goes with --grep"};
  if (options.label) {
    BA_ASSIGN(const BlockLabel label, label_named(*options.label));
    views.part_.emplace(snapshot, label);
  }
  if (options.grep) {
    views.finder_.emplace(snapshot.objects(), *options.grep, options.ignore_case);
    BA_TRY(views.finder_->check());
  }
  if (options.graph) {
    BA_ASSIGN(views.graph_, ReturnGraph::make(snapshot, last.number, last.time));
  }
  return views;
}

Result<std::optional<VersionId>> LogViews::before(const LogEntry& entry) const {
  BA_ASSIGN(const auto capture, snapshot_->previous_capture(url_, entry.time));
  return capture ? std::optional<VersionId>(capture->version) : std::nullopt;
}

Result<bool> LogViews::wants(const LogEntry& entry) {
  if (entry.damaged) return true;
  if (finder_) {
    BA_ASSIGN(const auto version, reader_.of(entry.version));
    BA_ASSIGN(const bool found, finder_->in_page(*version));
    if (!found) return false;
  }
  if (!part_) return true;
  BA_ASSIGN(const auto older, before(entry));
  if (!older) return true;
  if (!entry.changed) return false;
  BA_ASSIGN(const Hash256 then, part_->digest(*older));
  BA_ASSIGN(const Hash256 now, part_->digest(entry.version));
  return then != now;
}

Result<LogFacts> LogViews::facts(const LogEntry& entry) {
  LogFacts facts;
  if (graph_) {
    const ReturnGraph::Place place = graph_->at(entry.time);
    facts.lanes = draw_lanes(*graph_, place, entry.changed ? '*' : '.');
    if (entry.changed) facts.returned_to = place.returned_to;
  }
  if (stat_ && entry.changed && !entry.damaged) {
    BA_ASSIGN(const auto older, before(entry));
    // The version before may be damaged; that is told where it is shown itself.
    auto stat = change_stat(reader_, older ? &*older : nullptr, entry.version);
    if (stat) facts.stat = *stat;
  }
  return facts;
}

std::string stat_text(const ChangeStat& stat) {
  std::string text;
  const auto add = [&](std::uint64_t number, std::string_view what) {
    if (number > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", group_digits(number), what);
  };
  add(stat.changed, "changed");
  add(stat.added, "added");
  add(stat.removed, "removed");
  if (stat.layout) text += text.empty() ? "layout" : ", layout";
  return fmt::format("{}  +{} -{}", text.empty() ? "moved" : text, group_digits(stat.bytes_added),
                     group_digits(stat.bytes_removed));
}

void put_facts(Json& json, const LogFacts& facts) {
  if (facts.returned_to) json["returned_to"] = format_rfc3339(*facts.returned_to);
  if (!facts.stat) return;
  json["stat"] = {{"changed", facts.stat->changed},
                  {"added", facts.stat->added},
                  {"removed", facts.stat->removed},
                  {"added_bytes", facts.stat->bytes_added},
                  {"removed_bytes", facts.stat->bytes_removed},
                  {"layout", facts.stat->layout}};
}

}  // namespace blockarch
