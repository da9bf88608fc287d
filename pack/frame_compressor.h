// Frames of a pack, compressed outside its writer so that many threads can do it.
#pragma once

#include <cstdint>
#include <future>
#include <memory>

#include "base/bytes.h"
#include "pack/format.h"

namespace blockarch {

struct PackCodec {
  FrameCodec codec = FrameCodec::zstd;
  int level = 12;
};

struct CompressedFrame {
  FrameCodec codec = FrameCodec::stored;
  Bytes stored;
  std::uint64_t raw_size = 0;
};

// A single frame, at once.
CompressedFrame compress_frame(ByteView raw, const PackCodec& codec);

// Many frames, by threads that keep their memory and what they made of a prefix from one frame to the next. What comes out
// does not depend on the number of threads. Used by one thread.
class FrameCompressor {
 public:
  // With one thread everything is done by the caller, in compress().
  FrameCompressor(const PackCodec& codec, unsigned threads);
  // Waits for frames that are being compressed; those that wait are dropped, and their futures are broken.
  ~FrameCompressor();
  FrameCompressor(const FrameCompressor&) = delete;
  FrameCompressor& operator=(const FrameCompressor&) = delete;

  // `prefix` may be nullptr; only zstd uses it.
  std::future<CompressedFrame> compress(std::shared_ptr<const Bytes> raw, std::shared_ptr<const Bytes> prefix);

 private:
  struct Threads;
  PackCodec codec_;
  std::unique_ptr<Threads> threads_;
};

}  // namespace blockarch
