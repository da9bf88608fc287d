// HTTP messages as archives keep them: heads parsed, transfer and content encodings taken off and put on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "warc/record.h"

namespace blockarch {

inline constexpr std::size_t kMaxHttpHead = 4 << 20;

// Views are into the block it was parsed from.
struct HttpMessage {
  ByteView head;  // up to and with the empty line that ends it
  ByteView body;
  std::string version;  // "HTTP/1.1"; empty for a request
  int status = 0;       // of a response
  std::string reason;
  std::string method, target;  // of a request
  HeaderFields headers;        // values trimmed, folded lines joined
  // What was not as it should be: "the status line has no version", "a header line without a colon".
  std::vector<std::string> defects;

  const std::string* header(std::string_view name) const { return find_field(headers, name); }
};

// Tolerant like browsers: lines may end in LF alone, the reason may be missing, header lines that are none are skipped,
// a head without end is all head. Error `invalid` only where the first line is neither a status nor a request line, or
// the head is longer than kMaxHttpHead.
Result<HttpMessage> parse_http(ByteView block);

// The body without chunking: the message's own where nothing had to be done, else `owned`.
struct TransferDecoded {
  Bytes owned;
  ByteView view(const HttpMessage& message) const { return is_owned ? ByteView(owned) : message.body; }
  bool is_owned = false;
  // Set where the head says chunked and the body is not, or ends early. What is no chunk comes as it is: the whole body,
  // or what follows the last good chunk.
  std::string defect;
};
TransferDecoded decode_transfer(const HttpMessage& message);

// Of transfer-decoded bytes.
struct DecodeLimits {
  std::uint64_t max_size = std::uint64_t{2} << 30;
  // Output may always have this size; beyond it, at most max_ratio bytes for each byte of input.
  std::uint64_t free_size = std::uint64_t{16} << 20;
  std::uint64_t max_ratio = 250;
};

// The codings of Content-Encoding in the order they were applied: lower case, without "identity".
std::vector<std::string> content_codings(const HttpMessage& message);

// Takes the codings off, last one first: gzip, x-gzip, deflate (zlib or raw), br, zstd. Errors: `unsupported` names a
// coding nobody knows, `too_large` a bomb, `corrupt` bytes that do not decode or end early. With no codings the bytes
// come back as they are.
Result<Bytes> decode_content(ByteView bytes, const std::vector<std::string>& codings, const DecodeLimits& limits = {});

// The same bytes for the same input and build. Error `unsupported` for other codings than the above.
Result<Bytes> encode_content(ByteView bytes, std::string_view coding);

// One chunk and the last one.
Bytes encode_chunked(ByteView bytes);

}  // namespace blockarch
