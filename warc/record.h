// One record of a WARC or ARC file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/time.h"

namespace blockarch {

enum class RecordType { warcinfo, response, resource, request, metadata, revisit, conversion, continuation, other };

// As WARC-Type spells it; "other" for what we have no name for (the record's headers have its own).
std::string_view record_type_name(RecordType type);
RecordType record_type(std::string_view warc_type);

// Owned bytes that are cheap to move and never copied: in memory, or, where they are many, a mapping of a file that
// has no name any more and goes with the last owner. Reading view() from several threads is fine.
class RecordBody {
 public:
  RecordBody() = default;
  explicit RecordBody(ByteView bytes);  // a copy
  RecordBody(RecordBody&& other) noexcept;
  RecordBody& operator=(RecordBody&& other) noexcept;
  RecordBody(const RecordBody&) = delete;
  RecordBody& operator=(const RecordBody&) = delete;
  ~RecordBody();

  ByteView view() const { return {data_, size_}; }
  std::size_t size() const { return size_; }
  bool is_spilled() const { return mapped_; }

 private:
  friend class BodyBuilder;
  RecordBody(char* data, std::size_t size, bool mapped) : data_(data), size_(size), mapped_(mapped) {}
  char* data_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
};

using HeaderFields = std::vector<std::pair<std::string, std::string>>;

// The first field of that name, letters in either case; nothing where there is none.
const std::string* find_field(const HeaderFields& fields, std::string_view name);

struct ArchiveRecord {
  RecordType type = RecordType::other;
  std::string version;   // "WARC/1.0", "ARC/1.1"
  HeaderFields headers;  // as given, order kept, folded lines joined; an ARC record's are named after its columns
  RecordBody body;       // the block: for a response the HTTP head and what follows

  std::string target_uri;    // without the <> that some writers put around it; not cleaned (warc/clean_url.h)
  std::optional<Time> date;  // nothing where it was missing or broken (reported)
  std::string record_id;     // without <>
  std::string content_type;  // of the block
  std::string block_digest;  // as given: "sha1:…"
  std::string payload_digest;
  std::string refers_to;  // a revisit's original: without <>
  std::string refers_to_uri;
  std::string refers_to_date;  // as given
  std::string profile;
  std::string concurrent_to;  // the first one; without <>
  std::string truncated;      // why the crawler cut it: "length", "time", "disconnect"…
  std::string ip_address;
  std::optional<std::uint64_t> segment_number;  // of a continuation, or 1 for what is continued
  std::string segment_origin_id;                // without <>
  std::optional<std::uint64_t> segment_total_length;

  std::string source;               // the file; "x.wacz!archive/data.warc.gz" inside a WACZ
  std::uint64_t offset = 0;         // in the file: of the record, or of the gzip member or zstd frame it begins in
  std::uint64_t member_offset = 0;  // in the decompressed member; 0 in a plain file
  std::uint64_t stored_size = 0;    // bytes of the file from `offset` to its end, as far as the reader knows; 0 unknown

  const std::string* header(std::string_view name) const { return find_field(headers, name); }
  // True where the block is an HTTP message (by its content type, or for ARC by its first bytes).
  bool is_http() const;
};

}  // namespace blockarch
