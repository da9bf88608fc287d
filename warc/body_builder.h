// Makes a RecordBody of bytes that come in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "warc/piece_stream.h"
#include "warc/reader.h"
#include "warc/record.h"

namespace blockarch {

class BodyBuilder {
 public:
  // For `size` bytes, which the caller has capped. Above the spill limit they go to a nameless file.
  static Result<BodyBuilder> create(std::uint64_t size, const ReaderOptions& options);
  BodyBuilder(BodyBuilder&& other) noexcept;
  BodyBuilder& operator=(BodyBuilder&&) = delete;
  ~BodyBuilder();

  // Takes what the stream's piece has, up to the size; returns how many bytes came.
  Result<std::uint64_t> take(PieceStream& stream);
  // True where compressed bytes gave so many that no more are taken (ReaderOptions::max_ratio).
  bool is_bomb() const { return bomb_; }
  bool complete() const { return have_ == size_; }
  std::uint64_t have() const { return have_; }
  // What came; fewer bytes than asked for where complete() is false.
  Result<RecordBody> finish();

 private:
  BodyBuilder() = default;
  Result<std::size_t> take_to_file(PieceStream& stream);

  std::uint64_t size_ = 0, have_ = 0;
  char* data_ = nullptr;  // by malloc
  Descriptor file_;
  std::string directory_;
  std::uint64_t free_size_ = 0, max_ratio_ = 0;
  std::optional<std::uint64_t> raw_begin_;
  bool bomb_ = false;
};

}  // namespace blockarch
