// Captures going in. A Writer holds the archive's write lock; what is added is durable when commit() returns.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "objects/object_id.h"
#include "refs/settings.h"
#include "refs/tags.h"

namespace blockarch {

struct CaptureRequest {
  std::string url;
  ByteView payload;          // only read during add()
  Time time;                 // when it was captured
  std::string content_type;  // "text/html; charset=utf-8"; empty = decided from the bytes
  std::vector<std::pair<std::string, std::string>> metadata;
  // About the URL, whatever it showed. Replaces what the URL had under these keys, also where the capture is a duplicate.
  std::vector<std::pair<std::string, std::string>> url_metadata;
  // Empty = "auto". A page whose bytes are stored already is not cut again unless this, `level` or `profile` is given.
  std::string segmenter;
  int level = 0;  // 0 = the segmenter's own choice
  // A variant of the segmenter; empty = its default, of tagtree what was learnt about the site. A version does not
  // remember it, so a page for which it is given is always cut; where that gives a version that is stored, it is that one.
  std::string profile;
};

// A capture that is known to have shown the bytes of a version that is stored already, as a crawler's revisit record says.
struct RepeatRequest {
  std::string url;
  Time time;
  VersionId version;
  std::vector<std::pair<std::string, std::string>> metadata;
};

// How a capture stands to the one before it in its URL's history (by capture time).
enum class CaptureChange {
  first,      // nothing is earlier
  changed,    // other bytes than the capture before it
  unchanged,  // the same bytes
  duplicate,  // this very capture (URL, time, version) was there already; nothing was added
};

struct CaptureOutcome {
  CaptureChange change = CaptureChange::first;
  Time time;
  VersionId version;
  std::uint64_t payload_size = 0;
  std::uint64_t new_objects = 0;       // written for this capture
  std::uint64_t new_stored_bytes = 0;  // of them, compressed
  bool known_page = false;             // these bytes were in the archive already, at this or another URL
};

// A capture with all that is slow about it done: its page cut, hashed and compressed. Looks into the request's payload,
// which must stay until it is added.
class PreparedCapture {
 public:
  PreparedCapture(PreparedCapture&&) noexcept;
  PreparedCapture& operator=(PreparedCapture&&) noexcept;
  ~PreparedCapture();

  std::uint64_t payload_size() const;
  const Hash256& payload_hash() const;

  struct Impl;

 private:
  friend class Writer;
  explicit PreparedCapture(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

class Writer {
 public:
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  ~Writer();  // what was not committed is dropped

  // The slow part of add(), for use by many threads at once, also while another one adds and commits. Pages that are
  // stored already, or that another thread is preparing, are not cut again. Errors as for add().
  Result<PreparedCapture> prepare(const CaptureRequest& request, std::vector<std::string>* warnings = nullptr) const;
  // The quick part, in the order in which captures are to arrive. Tells which version it shows.
  Result<VersionId> add(PreparedCapture prepared);
  // not_found where neither the archive nor the batch has the version.
  Result<void> add_repeat(const RepeatRequest& request);

  // Both at once. Segments, hashes and compresses; nothing is visible or durable before commit(). invalid for a bad URL, profile or
  // metadata, too_large for a payload over kMaxPayload; the batch stays as it was. Warnings (an unknown charset) go to
  // `warnings`, one line each, where it is given.
  Result<VersionId> add(const CaptureRequest& request, std::vector<std::string>* warnings = nullptr);

  std::size_t pending_captures() const;
  // Bytes that the batch holds in memory, and objects, each of which may cost a page of memory while it is written: commit
  // when there are many.
  std::uint64_t pending_bytes() const;
  std::size_t pending_objects() const;

  // Makes the batch durable in one transaction; one outcome for each add(), in order. On error nothing of the batch is
  // stored, the archive is as it was, and the batch is empty.
  Result<std::vector<CaptureOutcome>> commit();

  // Lets others have the archive for a moment where somebody waits for it (packing, for example); for long work, between
  // batches: what is added and not committed is `invalid`. Captures that were prepared before stay good.
  Result<void> give_way();
  // Does something else to the archive that needs the writer's lock, such as packing, as another one would meanwhile.
  Result<void> give_way_to(const std::function<Result<void>()>& work);

  // Tags are durable at once and do not touch the batch. See refs/tags.h for names.
  Result<void> put_tag(const Tag& tag, bool replace);
  Result<void> erase_tag(const std::string& name);

  // Settings are durable at once and do not touch the batch. See refs/settings.h for names. The first one ever put into
  // an archive made by an older version waits until no snapshot of this process is open.
  Result<void> put_setting(const Setting& setting);
  Result<void> erase_setting(const std::string& name);

  struct Impl;

 private:
  friend class Archive;
  explicit Writer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace blockarch
