#include "pack/frame_compressor.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "base/codec.h"

namespace blockarch {
namespace {

struct Job {
  std::shared_ptr<const Bytes> raw;
  std::shared_ptr<const Bytes> prefix;
  std::promise<CompressedFrame> done;
};

CompressedFrame compress_with(FarCompressor& compressor, ByteView raw, const std::shared_ptr<const Bytes>& prefix,
                              const PackCodec& codec) {
  CompressedFrame frame{codec.codec, {}, raw.size()};
  if (codec.codec == FrameCodec::zstd) frame.stored = compressor.compress(raw, prefix);
  if (codec.codec == FrameCodec::deflate) frame.stored = deflate_compress(raw, std::min(codec.level, 12));
  // With a prefix, even an empty gain is kept: the frame says that it has one.
  const bool has_prefix = prefix && codec.codec == FrameCodec::zstd;
  if (frame.codec == FrameCodec::stored || (!has_prefix && frame.stored.size() >= raw.size())) {
    return {FrameCodec::stored, Bytes(raw), raw.size()};
  }
  return frame;
}

void do_job(FarCompressor& compressor, Job& job, const PackCodec& codec) {
  try {
    job.done.set_value(compress_with(compressor, *job.raw, job.prefix, codec));
  } catch (...) {
    job.done.set_exception(std::current_exception());
  }
}

}  // namespace

CompressedFrame compress_frame(ByteView raw, const PackCodec& codec) {
  FarCompressor compressor(codec.level);
  return compress_with(compressor, raw, nullptr, codec);
}

// With one thread only `own` is used.
struct FrameCompressor::Threads {
  FarCompressor own;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> waiting;
  bool ending = false;
  std::vector<std::thread> running;

  explicit Threads(const PackCodec& codec) : own(codec.level) {}

  void work(const PackCodec& codec) {
    FarCompressor compressor(codec.level);
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return ending || !waiting.empty(); });
      if (ending) return;
      Job job = std::move(waiting.front());
      waiting.pop_front();
      lock.unlock();
      do_job(compressor, job, codec);
      lock.lock();
    }
  }
};

FrameCompressor::FrameCompressor(const PackCodec& codec, unsigned threads)
    : codec_(codec), threads_(std::make_unique<Threads>(codec)) {
  if (threads < 2) return;
  for (unsigned i = 0; i < threads; ++i) {
    threads_->running.emplace_back([all = threads_.get(), codec] { all->work(codec); });
  }
}

FrameCompressor::~FrameCompressor() {
  {
    const std::lock_guard lock(threads_->mutex);
    threads_->ending = true;
  }
  threads_->changed.notify_all();
  for (std::thread& thread : threads_->running) thread.join();
}

std::future<CompressedFrame> FrameCompressor::compress(std::shared_ptr<const Bytes> raw,
                                                       std::shared_ptr<const Bytes> prefix) {
  Job job{std::move(raw), std::move(prefix), {}};
  std::future<CompressedFrame> done = job.done.get_future();
  if (threads_->running.empty()) {
    do_job(threads_->own, job, codec_);
    return done;
  }
  {
    const std::lock_guard lock(threads_->mutex);
    threads_->waiting.push_back(std::move(job));
  }
  threads_->changed.notify_one();
  return done;
}

}  // namespace blockarch
