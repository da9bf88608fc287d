// Brings captures into an archive: one thread reads, several prepare, the calling one adds and commits, in the order of
// reading. Queues are bounded in bytes, so memory does not depend on the input.
//
// 1. What a batch has committed stays, whatever happens later; an import that was stopped or failed can be run again and
//    goes on where it stopped, because captures that are there already are recognised.
// 2. Bad input is reported and skipped; an error of the machine (disk full, archive damaged) ends the import.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/archive.h"
#include "engine/metadata_rules.h"
#include "transfer/source.h"

namespace blockarch {

struct ImportProgress {
  SourceProgress source;
  std::uint64_t captures = 0;  // added
  std::uint64_t first = 0;     // these four as far as they are committed
  std::uint64_t changed = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t problems = 0;
};

struct ImportOptions {
  unsigned threads = 0;   // that prepare; 0 = one for each processor
  std::string segmenter;  // these three as in CaptureRequest
  int level = 0;
  std::string profile;
  // May change how a capture is cut; called by many threads at once.
  std::function<void(CaptureRequest&)> choose_cut;
  const MetadataRules* rules = nullptr;
  std::uint64_t queue_bytes = std::uint64_t{64} << 20;
  std::uint64_t batch_bytes = std::uint64_t{48} << 20;
  std::chrono::milliseconds wait{10'000};                  // for another writer
  std::function<void(const Problem&)> on_problem;          // in the calling thread
  std::function<void(const ImportProgress&)> on_progress;  // in the calling thread, often
  // Packs by itself when so many bytes of loose objects (whole pages) have come together, so that neither memory nor the time
  // of a capture grows with the import; 0 = never.
  std::uint64_t pack_at = std::uint64_t{192} << 20;
  const std::atomic<bool>* stop = nullptr;  // set it to end after the captures that are under way
  // For tests: called in a worker before a capture is prepared; an error is taken for the machine's.
  std::function<Result<void>(const DecodedCapture&)> before_prepare;
};

struct SlowPage {
  std::string url;
  Time time;
  std::uint64_t size = 0;
  double seconds = 0;
};

// A revisit whose original is neither in the input nor in the archive.
struct UnresolvedRepeat {
  std::string url;
  Time time;
  std::string file;
  std::uint64_t offset = 0;
};

struct ImportSummary {
  std::map<std::string, std::uint64_t> records;   // read, by kind
  std::map<std::string, std::uint64_t> not_kept;  // of those, only counted
  std::uint64_t captures = 0;                     // stored now or before: first + changed + unchanged + duplicates
  std::uint64_t first = 0;
  std::uint64_t changed = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t repeats = 0;  // of all captures, those that came as revisits
  std::uint64_t new_pages = 0;
  std::uint64_t new_objects = 0;
  std::uint64_t logical_bytes = 0;  // payloads of all captures
  std::uint64_t new_bytes = 0;      // payloads of new pages
  std::uint64_t stored_bytes = 0;   // what they cost, compressed, before packing
  std::uint64_t problems = 0;
  std::uint64_t lost_records = 0;  // of the problems, those where a record or capture did not come through
  std::uint64_t unresolved = 0;
  std::vector<UnresolvedRepeat> unresolved_list;  // the first kMaxListed
  std::vector<SlowPage> slowest;                  // by time to prepare, at most five
  bool stopped = false;
  std::string failure;  // the source could not be read to its end: why

  // Where the time went, in seconds. Reading and preparing are sums over their threads.
  struct Seconds {
    double total = 0;
    double reading = 0;
    double decoding = 0;
    double preparing = 0;
    double adding = 0;
    double committing = 0;
    double packing = 0;
    double waiting = 0;  // of the committing thread, for the others
  } seconds;

  bool is_complete() const { return lost_records == 0 && unresolved == 0 && !stopped && failure.empty(); }
};

inline constexpr std::size_t kMaxListed = 1000;

// Takes the archive's write lock for the whole import. Errors of segmenter, level and profile as in choose_segmenter.
Result<ImportSummary> import_captures(Archive& archive, CaptureSource& source, const ImportOptions& options);

}  // namespace blockarch
