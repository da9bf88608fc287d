// From a record of a WARC or ARC file to what is stored (docs/format.md, "Captures from WARC").
#pragma once

#include <memory>

#include "transfer/source.h"
#include "warc/record.h"

namespace blockarch {

struct WarcCaptureOptions {
  // Keep also what can only be had from the record itself: its ids, the body as it was encoded, and records that are no
  // captures (under "warc+TYPE:" URLs).
  bool exact = false;
  bool check_digests = true;
  std::uint64_t max_decoded = std::uint64_t{256} << 20;  // of a compressed body; several are decoded at once
};

// URLs of what only --exact keeps: "warc+wire:https://…" is the body as it stood in the record, "warc+request:https://…"
// a request.
inline constexpr char kExactPrefix[] = "warc+";
inline constexpr char kWireUrl[] = "warc+wire:";

// True where records of this type become captures; others are counted, or kept with `exact`.
bool is_capture(RecordType type);

// Keys of metadata that export and import use between them; all others belong to users.
inline constexpr char kContentTypeKey[] = "content-type";
inline constexpr char kWarcPrefix[] = "warc-";
inline constexpr char kTypeKey[] = "warc-type";

// `files_seen` names the record's file in messages.
std::unique_ptr<RawCapture> make_warc_capture(ArchiveRecord record, const WarcCaptureOptions& options);

}  // namespace blockarch
