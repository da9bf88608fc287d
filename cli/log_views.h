// What `log` shows beyond times and versions: which entries (--label, --grep), and what about them (--graph, --stat).
#pragma once

#include <optional>
#include <string>

#include "cli/json.h"
#include "history/find_block.h"
#include "history/log_facts.h"

namespace blockarch {

struct LogViewOptions {
  bool graph = false;
  bool stat = false;
  std::optional<std::string> label;  // only where the part of the page with this label changed
  std::optional<std::string> grep;   // only where the page has this text
  bool ignore_case = false;          // with grep

  bool filters() const { return label || grep; }
};

// What is known of an entry.
struct LogFacts {
  std::string lanes;                // --graph
  std::optional<Time> returned_to;  // --graph: when the version was last shown before
  std::optional<ChangeStat> stat;   // --stat
};

class LogViews {
 public:
  // The snapshot must outlive it.
  static Result<LogViews> make(const Snapshot& snapshot, const CaptureInfo& last, const LogViewOptions& options);

  // Whether an entry is to be shown. What cannot be read is.
  Result<bool> wants(const LogEntry& entry);
  // Of a damaged entry only the lanes.
  Result<LogFacts> facts(const LogEntry& entry);

 private:
  LogViews(const Snapshot& snapshot, UrlNumber url, const LogViewOptions& options);
  // What the capture before this entry showed; nothing for the first one.
  Result<std::optional<VersionId>> before(const LogEntry& entry) const;

  const Snapshot* snapshot_;
  UrlNumber url_;
  bool stat_;
  LeafReader reader_;
  std::optional<ReturnGraph> graph_;
  std::optional<LabelledPart> part_;
  std::optional<TextFinder> finder_;
};

// "2 changed, 1 added, layout  +1,204 -356"
std::string stat_text(const ChangeStat& stat);
void put_facts(Json& json, const LogFacts& facts);

}  // namespace blockarch
