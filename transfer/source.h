// Where an import takes its captures from: WARC files, a directory of saved pages, a git repository.
//
// A source hands out raw captures one after the other, quickly and in one thread. What takes time (decompressing a body,
// checking a digest, reading a blob) is done by RawCapture::decode, in any thread, many at once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "warc/problem.h"

namespace blockarch {

// What a revisit says about the capture whose bytes it repeats. Any of it may be missing.
struct RepeatOf {
  std::string payload_digest;  // as given: "sha1:…"
  std::string url;
  std::optional<Time> time;
};

// A capture ready for the writer.
struct DecodedCapture {
  std::string url;
  Time time;
  std::string content_type;
  std::vector<std::pair<std::string, std::string>> metadata;
  // The page: a view into `owned`, or into what the raw capture holds.
  ByteView payload;
  Bytes owned;
  bool payload_is_owned = false;
  std::optional<RepeatOf> repeat;  // then there is no payload
  std::string payload_digest;      // as the source gave it and as it was found right; revisits are resolved by it
  // Where it stands, for messages.
  std::string file;
  std::uint64_t offset = 0;

  ByteView bytes() const { return payload_is_owned ? ByteView(owned) : payload; }
};

// What decode() has to say.
struct Decoded {
  std::vector<DecodedCapture> captures;
  std::vector<Problem> problems;
};

class RawCapture {
 public:
  virtual ~RawCapture() = default;
  // Bytes that it keeps in memory or will while it is decoded, about.
  virtual std::uint64_t size() const = 0;
  // Called once, by any thread. The captures may look into this.
  virtual Decoded decode() = 0;
};

// Tells how far a source has been read; asked by another thread than the one that reads.
struct SourceProgress {
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0 = not known
  const char* unit = "bytes";
};

class CaptureSource {
 public:
  virtual ~CaptureSource() = default;

  // Null at the end. What is wrong with the data goes to `problems` and reading goes on; an Error is the machine's and
  // ends the import, after what was read before it has been stored.
  virtual Result<std::unique_ptr<RawCapture>> next(std::vector<Problem>& problems) = 0;

  virtual SourceProgress progress() const = 0;

  // Records read so far by kind ("response", "request", "file", "commit"), and those of them that are only counted.
  // Asked when the reading is over.
  virtual std::map<std::string, std::uint64_t> counts() const = 0;
  virtual std::map<std::string, std::uint64_t> not_kept() const = 0;
};

}  // namespace blockarch
