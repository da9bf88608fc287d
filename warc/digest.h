// Digests of blocks and payloads, in every spelling that writers have used.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "warc/http.h"
#include "warc/record.h"

namespace blockarch {

enum class DigestAlgorithm { md5, sha1, sha256, sha512 };

std::string_view digest_name(DigestAlgorithm algorithm);

struct Digest {
  DigestAlgorithm algorithm = DigestAlgorithm::sha1;
  Bytes value;  // raw: 16, 20, 32 or 64 bytes

  bool operator==(const Digest&) const = default;
};

// Of `first` followed by `second`.
Digest compute_digest(DigestAlgorithm algorithm, ByteView first, ByteView second = {});

// "sha1:" + base32, hexadecimal or base64 (with or without padding), letters of names, base32 and hexadecimal in either
// case; "sha-256:" too. Which one it is is told by its length. Error `invalid` for everything else.
Result<Digest> parse_digest(std::string_view text);

// "sha1:" + upper-case base32 for SHA-1 and MD5, "sha256:" + lower-case hexadecimal: what most tools write.
std::string format_digest(const Digest& digest);

std::string base32_encode(ByteView bytes);

// Checks the record's block digest and payload digest against its bytes; the payload of an HTTP message is its
// transfer-decoded body. A digest that fits the body with its chunking, as some crawlers wrote it, fits. The block of a
// revisit has no payload of its own, so that digest is not checked. One message for each that does not fit or cannot be
// read. `http` is the parsed block where there is one.
std::vector<std::string> check_digests(const ArchiveRecord& record, const HttpMessage* http, ByteView payload);

}  // namespace blockarch
