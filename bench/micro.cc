// blockarch_micro: the hot paths one by one, with Google Benchmark, on pages that are the same on every machine.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/codec.h"
#include "base/hash.h"
#include "bench/synthetic_site.h"
#include "engine/archive.h"
#include "engine/pack_archive.h"
#include "engine/snapshot.h"
#include "engine/writer.h"
#include "segment/chunker.h"
#include "segment/segmenter.h"
#include "segment/split.h"

namespace blockarch::bench {
namespace {

constexpr std::uint32_t kUrls = 20;
constexpr std::uint64_t kCaptures = 1000;

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "blockarch_micro: %s\n", why.c_str());
  std::exit(1);
}

template <typename T>
T must(Result<T> result) {
  if (!result) fail(result.error().message);
  return std::move(result).value();
}
void must(const Result<void>& result) {
  if (!result) fail(result.error().message);
}

const std::vector<std::string>& pages() {
  static const std::vector<std::string> all = [] {
    SyntheticWeb web(1, kUrls);
    std::vector<std::string> made(50);
    for (std::uint64_t i = 0; i < made.size(); ++i) web.capture(web.pick(i), i, made[i]);
    return made;
  }();
  return all;
}

// Calls `work` with one page after the other and counts bytes.
template <typename Work>
void each_page(benchmark::State& state, Work work) {
  std::size_t at = 0;
  std::int64_t bytes = 0;
  for (auto _ : state) {
    const std::string& page = pages()[at++ % pages().size()];
    work(page);
    bytes += static_cast<std::int64_t>(page.size());
  }
  state.SetBytesProcessed(bytes);
}

SegmentOptions html() {
  SegmentOptions options;
  options.media_type = "text/html";
  options.charset = "UTF-8";
  return options;
}

void segment_page(benchmark::State& state, const std::string& name) {
  const Segmenter* segmenter = must(find_segmenter(name));
  const SegmentOptions options = html();
  each_page(state, [&](const std::string& page) { benchmark::DoNotOptimize(segmenter->segment(page, options)); });
}
BENCHMARK_CAPTURE(segment_page, auto, "auto");
BENCHMARK_CAPTURE(segment_page, btls, "btls");
BENCHMARK_CAPTURE(segment_page, bwap, "bwap");
BENCHMARK_CAPTURE(segment_page, tagtree, "tagtree");

// Ranges into objects: blocks hashed, layout and tree made.
void split(benchmark::State& state) {
  const Segmenter* segmenter = must(find_segmenter("auto"));
  std::vector<Segmentation> cut;
  for (const std::string& page : pages()) cut.push_back(segmenter->segment(page, html()));
  std::size_t at = 0;
  each_page(state,
            [&](const std::string& page) { benchmark::DoNotOptimize(split_page(page, cut[at++ % cut.size()])); });
}
BENCHMARK(split);

void chunks(benchmark::State& state) {
  each_page(state,
            [](const std::string& page) { benchmark::DoNotOptimize(chunk_ends(page, chunk_sizes_for(page.size()))); });
}
BENCHMARK(chunks);

void hash(benchmark::State& state) {
  const std::string bytes(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) benchmark::DoNotOptimize(blake3(bytes));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(hash)->Arg(64)->Arg(512)->Arg(4096)->Arg(65536);

void encode_layout_and_tree(benchmark::State& state) {
  const Segmenter* segmenter = must(find_segmenter("auto"));
  std::vector<SplitPage> cut;
  for (const std::string& page : pages()) cut.push_back(split_page(page, segmenter->segment(page, html())));
  std::size_t at = 0;
  for (auto _ : state) {
    const SplitPage& page = cut[at++ % cut.size()];
    benchmark::DoNotOptimize(encode_layout(page.layout));
    benchmark::DoNotOptimize(encode_block_tree(page.tree));
  }
}
BENCHMARK(encode_layout_and_tree);

void compress(benchmark::State& state) {
  each_page(state, [&](const std::string& page) {
    benchmark::DoNotOptimize(zstd_compress(page, static_cast<int>(state.range(0))));
  });
}
BENCHMARK(compress)->Arg(3)->Arg(12);

// As a repeated capture is stored: the difference from the one before.
void compress_difference(benchmark::State& state) {
  SyntheticWeb web(2, 1);
  std::string before;
  std::string after;
  web.capture(0, 0, before);
  web.capture(0, 1, after);
  for (auto _ : state) benchmark::DoNotOptimize(zstd_compress(after, 3, before));
}
BENCHMARK(compress_difference);

// An archive of synthetic captures in a directory of its own, which goes with it.
class SmallArchive {
 public:
  explicit SmallArchive(bool packed) {
    std::string pattern = (std::filesystem::temp_directory_path() / "blockarch_micro.XXXXXX").string();
    if (!mkdtemp(pattern.data())) fail("no temporary directory");
    directory_ = pattern;
    must(Archive::create(directory_ + "/a"));
    archive_ = std::make_unique<Archive>(must(Archive::open(directory_ + "/a")));
    fill();
    if (packed) must(pack_archive(*archive_, {.all = true}));
  }
  ~SmallArchive() {
    archive_.reset();
    std::filesystem::remove_all(directory_);
  }
  SmallArchive(const SmallArchive&) = delete;
  SmallArchive& operator=(const SmallArchive&) = delete;

  const Archive& archive() const { return *archive_; }

 private:
  void fill() {
    Writer writer = must(archive_->writer());
    SyntheticWeb web(3, kUrls);
    std::string html_bytes;
    for (std::uint64_t i = 0; i < kCaptures; ++i) {
      const std::uint32_t page = web.pick(i);
      web.capture(page, i, html_bytes);
      CaptureRequest request;
      request.url = web.url(page);
      request.payload = html_bytes;
      request.time = Time::from_seconds(static_cast<std::int64_t>(1577836800 + i * 3600));
      request.content_type = "text/html";
      must(writer.add(request));
    }
    must(writer.commit());
  }

  std::string directory_;
  std::unique_ptr<Archive> archive_;
};

// Any version of any URL, as a program that holds a snapshot open reads it.
void read_page(benchmark::State& state, bool packed) {
  const SmallArchive small(packed);
  const Snapshot snapshot = must(small.archive().snapshot());
  std::vector<CaptureInfo> all;
  must(snapshot.urls({}, [&](const UrlSummary& url) {
    for (auto at = must(snapshot.first_capture(url.number));;) {
      all.push_back(at);
      const auto next = must(snapshot.next_capture(url.number, at.time));
      if (!next) return true;
      at = *next;
    }
  }));
  std::size_t at = 0;
  std::int64_t bytes = 0;
  for (auto _ : state) {
    const Page page = must(snapshot.page(all[(at += 7919) % all.size()]));
    bytes += static_cast<std::int64_t>(page.bytes.size());
  }
  state.SetBytesProcessed(bytes);
}
BENCHMARK_CAPTURE(read_page, loose, false);
BENCHMARK_CAPTURE(read_page, packed, true);

}  // namespace
}  // namespace blockarch::bench

BENCHMARK_MAIN();
