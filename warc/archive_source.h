// Records out of one stream of pieces.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "warc/piece_stream.h"
#include "warc/reader.h"
#include "warc/record_head.h"

namespace blockarch {

class RecordReader::Source {
 public:
  virtual ~Source() = default;
  virtual Result<std::optional<ArchiveRecord>> next() = 0;
  virtual const ByteInput& input() const = 0;
  virtual std::string format() const = 0;
};

// The source for an input that is not a WACZ. The options' sink gets problems with the input's name.
Result<std::unique_ptr<RecordReader::Source>> archive_source(RawWindow window, const ReaderOptions& options);
// For a WACZ (warc/wacz.cc).
Result<std::unique_ptr<RecordReader::Source>> wacz_source(RawWindow window, const ReaderOptions& options);

}  // namespace blockarch
