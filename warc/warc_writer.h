// Writes WARC 1.1, the same bytes for the same records.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "warc/record.h"

namespace blockarch {

enum class WarcCompression { none, gzip };

// What write() puts into the head, in this order; empty fields are left out. Content-Length is the block's size, and the
// block digest (SHA-1) is computed.
struct WarcFields {
  RecordType type = RecordType::resource;
  std::string target_uri;
  Time date;
  std::string record_id;  // "urn:uuid:…" without <>
  std::string content_type;
  std::string payload_digest;
  std::string refers_to;  // without <>
  std::string refers_to_uri;
  std::optional<Time> refers_to_date;
  std::string profile;
  std::string concurrent_to;
  std::string warcinfo_id;
  std::string filename;
  std::string ip_address;
  std::string truncated;
  HeaderFields more;  // written after the others
};

// Strict: error `invalid` where a field would break the head (line breaks, control bytes, no record id, a record of a
// type that must have a target URI without one). Nothing of such a record is written.
class WarcWriter {
 public:
  // `write` gets whole records, one call each, in order.
  using Sink = std::function<Result<void>(ByteView)>;
  explicit WarcWriter(Sink sink, WarcCompression compression = WarcCompression::gzip, int level = 6);
  ~WarcWriter();
  WarcWriter(WarcWriter&&) noexcept;
  WarcWriter& operator=(WarcWriter&&) noexcept;

  struct Place {
    std::uint64_t offset = 0;  // in the file
    std::uint64_t length = 0;
    std::string block_digest;
  };
  // The block is `first` followed by `second`: an HTTP head and a body that need not stand together.
  Result<Place> write(const WarcFields& fields, ByteView first, ByteView second = {});

  std::uint64_t size() const { return offset_; }

 private:
  struct Compressor;
  Sink sink_;
  std::unique_ptr<Compressor> compressor_;
  std::uint64_t offset_ = 0;
  Bytes record_, packed_;
};

// A record id that is the same for the same `name`: "urn:uuid:" and a version 8 UUID made of its BLAKE3.
std::string record_id_for(ByteView name);

inline constexpr std::string_view kRevisitIdentical =
    "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
inline constexpr std::string_view kRevisitNotModified = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

}  // namespace blockarch
