// Reads the records of WARC 0.17–1.1 and ARC 1.x–2.x, plain, gzip or zstd, and of the WARC files in a WACZ. The kind of
// file is told by its first bytes, never by its name.
//
// Strict about what it believes, tolerant about what it reads: a record whose extent or bytes are in doubt is reported
// and skipped, and reading goes on at the next one that can be found. Memory stays bounded whatever the input says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "warc/input.h"
#include "warc/problem.h"
#include "warc/record.h"

namespace blockarch {

inline constexpr std::size_t kMaxRecordHead = 1 << 20;
inline constexpr std::uint64_t kMaxRecordBody = std::uint64_t{2} << 30;
inline constexpr std::uint64_t kSpillLimit = std::uint64_t{64} << 20;

struct ReaderOptions {
  ProblemSink on_problem;  // called by next() in the reader's thread; may be empty
  std::uint64_t max_body = kMaxRecordBody;
  // Larger bodies go to a nameless file in spill_directory ($TMPDIR or /tmp where empty).
  std::uint64_t spill_limit = kSpillLimit;
  std::string spill_directory;
  // Of a body beyond spill_limit: decompressed bytes for each byte of the file. More is taken for a bomb.
  std::uint64_t max_ratio = 250;
  // The largest zstd window that is given memory: 2^27 is what zstd itself allows by default.
  int max_zstd_window_log = 27;
};

class RecordReader {
 public:
  // Error `invalid` where it is no archive at all, `unsupported` where it is one of a kind that we do not read, with
  // the reason. An empty file is an archive without records.
  static Result<RecordReader> open(std::unique_ptr<ByteInput> input, ReaderOptions options);

  RecordReader(RecordReader&&) noexcept;
  RecordReader& operator=(RecordReader&&) noexcept;
  ~RecordReader();

  // The next record; nothing at the end. An Error is the machine's (read failed, no room to spill) and ends the
  // reading; whatever is wrong with the data goes to on_problem.
  Result<std::optional<ArchiveRecord>> next();

  // Of the input, compressed. May be asked by any thread.
  std::uint64_t bytes_read() const;
  std::optional<std::uint64_t> size() const;
  // "WARC", "WARC, gzip", "ARC, gzip", "WARC, zstd with a dictionary", "WACZ", "empty".
  std::string format() const;

  // What next() is made of; the kinds of file derive from it.
  class Source;

 private:
  explicit RecordReader(std::unique_ptr<Source> source);
  std::unique_ptr<Source> source_;
};

}  // namespace blockarch
