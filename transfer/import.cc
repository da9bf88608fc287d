#include "transfer/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/pack_archive.h"
#include "engine/snapshot.h"
#include "engine/writer.h"
#include "segment/segmenter.h"
#include "transfer/ordered_queue.h"
#include "transfer/repeats.h"
#include "transfer/stored_head.h"

namespace blockarch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxParcel = 64;                     // captures that travel together
constexpr std::uint64_t kParcelBytes = 256 << 10;          // at least, unless there are that many
constexpr std::uint64_t kLarge = std::uint64_t{32} << 20;  // one of these at a time is decoded
constexpr std::size_t kMaxBatchCaptures = 20'000;
constexpr std::size_t kMaxBatchObjects = 24'000;
constexpr std::size_t kMaxDeferred = 1'000'000;  // revisits that wait for their original
constexpr std::size_t kSlowest = 5;
constexpr std::chrono::seconds kMaxBatchAge{4};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Adds the time of its scope.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum), begin_(Clock::now()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { sum_ += seconds_since(begin_); }

 private:
  double& sum_;
  Clock::time_point begin_;
};

// True where the capture is at fault, not the machine.
bool is_bad_input(const Error& error) {
  return error.code == ErrorCode::invalid || error.code == ErrorCode::too_large ||
         error.code == ErrorCode::unsupported || error.code == ErrorCode::not_found;
}

struct ParcelEntry {
  DecodedCapture capture;
  std::optional<PreparedCapture> prepared;  // not of revisits
  double seconds = 0;
};

// Captures on their way through the threads.
struct Parcel {
  std::vector<std::unique_ptr<RawCapture>> raw;
  std::vector<Problem> problems;
  std::vector<ParcelEntry> entries;
  std::optional<Error> failure;  // the machine's
  double decoding = 0;
  double preparing = 0;
  std::uint64_t weight = 0;
};

struct DeferredRepeat {
  DecodedCapture capture;
  bool tried = false;
};

class Import {
 public:
  Import(Archive& archive, CaptureSource& source, const ImportOptions& options, Writer writer)
      : archive_(archive),
        source_(source),
        options_(options),
        writer_(std::move(writer)),
        queue_(options.queue_bytes) {}

  Result<ImportSummary> run();

 private:
  bool is_stopped() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }

  // The reading thread.
  void read();
  // The preparing threads.
  void work();
  void prepare(Parcel& parcel);
  void prepare_entry(Parcel& parcel, DecodedCapture capture);
  CaptureRequest make_request(const DecodedCapture& capture) const;
  // The calling thread.
  Result<void> store_all();
  Result<void> store(Parcel& parcel);
  Result<void> store_page(ParcelEntry& entry);
  Result<void> store_repeat(DecodedCapture& capture);
  Result<void> add_repeat(DecodedCapture& capture, const RepeatedPage& page);
  Result<void> make_room();
  Result<void> commit();
  Result<void> resolve_deferred(bool last);
  void report(const Problem& problem);
  void lose(const DecodedCapture& capture, const Error& error);
  void note_slow(const ParcelEntry& entry);
  void tell_progress();

  Archive& archive_;
  CaptureSource& source_;
  const ImportOptions& options_;
  Writer writer_;
  OrderedQueue<Parcel> queue_;
  std::mutex large_;

  std::optional<Error> read_failure_;  // written by the reading thread before it closes the queue
  double reading_ = 0;

  ImportSummary summary_;
  RepeatResolver repeats_;
  std::vector<DeferredRepeat> deferred_;
  Clock::time_point batch_begin_ = Clock::now();
};

void Import::read() {
  auto parcel = std::make_unique<Parcel>();
  const auto send = [&] {
    const std::uint64_t weight = parcel->weight;
    return queue_.push(std::exchange(parcel, std::make_unique<Parcel>()), weight);
  };
  while (!is_stopped()) {
    Result<std::unique_ptr<RawCapture>> raw = std::unique_ptr<RawCapture>();
    {
      const Stopwatch watch(reading_);
      raw = source_.next(parcel->problems);
    }
    if (!raw) {
      read_failure_ = raw.error();
      break;
    }
    if (!*raw) break;
    parcel->weight += (*raw)->size();
    parcel->raw.push_back(std::move(*raw));
    if (parcel->weight < kParcelBytes && parcel->raw.size() < kMaxParcel) continue;
    if (!send()) return;
  }
  if (send()) queue_.close();
}

CaptureRequest Import::make_request(const DecodedCapture& capture) const {
  CaptureRequest request;
  request.url = capture.url;
  request.time = capture.time;
  request.payload = capture.bytes();
  request.content_type = capture.content_type;
  request.metadata = capture.metadata;
  request.segmenter = options_.segmenter;
  request.level = options_.level;
  request.profile = options_.profile;
  if (options_.choose_cut) options_.choose_cut(request);
  if (!options_.rules) return request;
  HeaderFields headers;
  for (const auto& [key, value] : capture.metadata) {
    if (key != kHttpHead) continue;
    if (const auto head = parse_http(restored_head(value, capture.bytes().size()))) headers = head->headers;
  }
  options_.rules->apply(request, &headers);
  return request;
}

void Import::prepare_entry(Parcel& parcel, DecodedCapture capture) {
  if (capture.repeat) {
    if (options_.rules) capture.metadata = make_request(capture).metadata;
    parcel.entries.push_back({std::move(capture), std::nullopt, 0});
    return;
  }
  if (options_.before_prepare) {
    if (auto checked = options_.before_prepare(capture); !checked) {
      parcel.failure = checked.error();
      return;
    }
  }
  const auto begin = Clock::now();
  parcel.entries.push_back({std::move(capture), std::nullopt, 0});
  ParcelEntry& entry = parcel.entries.back();
  auto prepared = writer_.prepare(make_request(entry.capture));
  entry.seconds = seconds_since(begin);
  if (prepared) {
    entry.prepared.emplace(std::move(*prepared));
  } else if (is_bad_input(prepared.error())) {
    parcel.problems.push_back(
        {ProblemKind::unsupported, entry.capture.file, entry.capture.offset, prepared.error().message});
    parcel.entries.pop_back();
  } else {
    parcel.failure = prepared.error();
  }
}

void Import::prepare(Parcel& parcel) {
  // Views of one entry's payload point into the entry, so they must not move.
  std::vector<Decoded> decoded;
  std::size_t count = 0;
  std::uint64_t weight = parcel.weight;
  for (auto& raw : parcel.raw) {
    std::unique_lock<std::mutex> alone;
    if (raw->size() > kLarge) alone = std::unique_lock(large_);
    const Stopwatch watch(parcel.decoding);
    decoded.push_back(raw->decode());
    count += decoded.back().captures.size();
    for (const DecodedCapture& capture : decoded.back().captures) weight += capture.owned.size();
  }
  queue_.reweigh(&parcel, weight);
  parcel.entries.reserve(count);
  const Stopwatch watch(parcel.preparing);
  for (Decoded& one : decoded) {
    std::move(one.problems.begin(), one.problems.end(), std::back_inserter(parcel.problems));
    for (DecodedCapture& capture : one.captures) {
      std::unique_lock<std::mutex> alone;
      if (capture.bytes().size() > kLarge) alone = std::unique_lock(large_);
      prepare_entry(parcel, std::move(capture));
      if (parcel.failure) return;
    }
  }
}

void Import::work() {
  while (Parcel* parcel = queue_.take()) {
    try {
      prepare(*parcel);
    } catch (const std::exception& e) {
      parcel->failure = Error{ErrorCode::io, fmt::format("a page could not be prepared: {}", e.what())};
    }
    queue_.finish(parcel);
  }
}

void Import::report(const Problem& problem) {
  ++summary_.problems;
  if (loses_record(problem.kind)) ++summary_.lost_records;
  if (options_.on_problem) options_.on_problem(problem);
}

void Import::lose(const DecodedCapture& capture, const Error& error) {
  report({ProblemKind::unsupported, capture.file, capture.offset, fmt::format("{}: {}", capture.url, error.message)});
}

void Import::note_slow(const ParcelEntry& entry) {
  auto& list = summary_.slowest;
  if (list.size() == kSlowest && list.back().seconds >= entry.seconds) return;
  const SlowPage page{entry.capture.url, entry.capture.time, entry.capture.bytes().size(), entry.seconds};
  list.insert(std::upper_bound(list.begin(), list.end(), page,
                               [](const SlowPage& a, const SlowPage& b) { return a.seconds > b.seconds; }),
              page);
  if (list.size() > kSlowest) list.pop_back();
}

void Import::tell_progress() {
  if (!options_.on_progress) return;
  options_.on_progress({source_.progress(), summary_.captures, summary_.first, summary_.changed, summary_.unchanged,
                        summary_.duplicates, summary_.problems});
}

Result<void> Import::store_page(ParcelEntry& entry) {
  note_slow(entry);
  auto version = writer_.add(std::move(*entry.prepared));
  if (!version && is_bad_input(version.error())) {
    lose(entry.capture, version.error());
    return {};
  }
  if (!version) return version.error();
  repeats_.note(entry.capture.payload_digest, {*version, entry.capture.bytes().size()});
  return {};
}

Result<void> Import::add_repeat(DecodedCapture& capture, const RepeatedPage& page) {
  for (auto& [key, value] : capture.metadata) {
    if (key == kHttpHead) value = stored_head_of_repeat(value, page.size);
  }
  auto added = writer_.add_repeat({capture.url, capture.time, page.version, capture.metadata});
  if (added) {
    ++summary_.repeats;
  } else if (is_bad_input(added.error())) {
    lose(capture, added.error());
  } else {
    return added.error();
  }
  return {};
}

Result<void> Import::store_repeat(DecodedCapture& capture) {
  if (const auto page = repeats_.find_noted(*capture.repeat)) return add_repeat(capture, *page);
  // Its original may be in this batch, or stand later in the input.
  if (deferred_.size() < kMaxDeferred) {
    deferred_.push_back({std::move(capture), false});
  } else {
    ++summary_.unresolved;
  }
  return {};
}

Result<void> Import::resolve_deferred(bool last) {
  if (deferred_.empty()) return {};
  BA_ASSIGN(const Snapshot snapshot, archive_.snapshot());
  std::vector<DeferredRepeat> waiting;
  for (DeferredRepeat& deferred : deferred_) {
    DecodedCapture& capture = deferred.capture;
    if (deferred.tried && !last) {
      waiting.push_back(std::move(deferred));
      continue;
    }
    deferred.tried = true;
    std::optional<RepeatedPage> page = repeats_.find_noted(*capture.repeat);
    if (!page) {
      BA_ASSIGN(page, repeats_.find_stored(snapshot, capture.url, capture.time, *capture.repeat));
    }
    if (page) {
      BA_TRY(add_repeat(capture, *page));
    } else if (!last) {
      waiting.push_back(std::move(deferred));
    } else {
      ++summary_.unresolved;
      if (summary_.unresolved_list.size() < kMaxListed) {
        summary_.unresolved_list.push_back({capture.url, capture.time, capture.file, capture.offset});
      }
    }
  }
  deferred_ = std::move(waiting);
  return {};
}

// Lets others have the archive where somebody waits for it, and packs where much has come together. Packing that fails
// because somebody else packs, or because it is stopped, is no reason to fail.
Result<void> Import::make_room() {
  BA_TRY(writer_.give_way());
  if (options_.pack_at == 0) return {};
  BA_ASSIGN(const PackNeed need, pack_need(archive_));
  if (need.loose_bytes < options_.pack_at) return {};
  const Stopwatch watch(summary_.seconds.packing);
  PackOptions packing;
  packing.all = need.all;
  packing.wait = options_.wait;
  packing.stop = options_.stop;
  return writer_.give_way_to([&]() -> Result<void> {
    const auto packed = pack_archive(archive_, packing);
    const bool excused =
        !packed && (packed.error().code == ErrorCode::locked || packed.error().code == ErrorCode::interrupted);
    return packed || excused ? Result<void>() : packed.error();
  });
}

Result<void> Import::commit() {
  if (writer_.pending_captures() != 0) {
    const Stopwatch watch(summary_.seconds.committing);
    BA_ASSIGN(const auto outcomes, writer_.commit());
    for (const CaptureOutcome& outcome : outcomes) {
      ++summary_.captures;
      switch (outcome.change) {
        case CaptureChange::first:
          ++summary_.first;
          break;
        case CaptureChange::changed:
          ++summary_.changed;
          break;
        case CaptureChange::unchanged:
          ++summary_.unchanged;
          break;
        case CaptureChange::duplicate:
          ++summary_.duplicates;
          break;
      }
      summary_.logical_bytes += outcome.payload_size;
      summary_.new_objects += outcome.new_objects;
      summary_.stored_bytes += outcome.new_stored_bytes;
      if (!outcome.known_page) {
        ++summary_.new_pages;
        summary_.new_bytes += outcome.payload_size;
      }
    }
  }
  BA_TRY(make_room());
  batch_begin_ = Clock::now();
  tell_progress();
  return {};
}

Result<void> Import::store(Parcel& parcel) {
  for (const Problem& problem : parcel.problems) report(problem);
  summary_.seconds.decoding += parcel.decoding;
  summary_.seconds.preparing += parcel.preparing;
  {
    const Stopwatch watch(summary_.seconds.adding);
    for (ParcelEntry& entry : parcel.entries) {
      if (entry.prepared) {
        BA_TRY(store_page(entry));
      } else if (entry.capture.repeat) {
        BA_TRY(store_repeat(entry.capture));
      }
    }
  }
  if (parcel.failure) return *parcel.failure;
  const bool full = writer_.pending_bytes() >= options_.batch_bytes ||
                    writer_.pending_captures() >= kMaxBatchCaptures || writer_.pending_objects() >= kMaxBatchObjects ||
                    Clock::now() - batch_begin_ > kMaxBatchAge;
  if (!full) return {};
  BA_TRY(commit());
  const Stopwatch watch(summary_.seconds.adding);
  return resolve_deferred(false);
}

Result<void> Import::store_all() {
  while (true) {
    std::unique_ptr<Parcel> parcel;
    {
      const Stopwatch watch(summary_.seconds.waiting);
      parcel = queue_.pop();
    }
    if (!parcel) break;
    BA_TRY(store(*parcel));
    tell_progress();
  }
  BA_TRY(commit());
  if (!is_stopped()) {
    BA_TRY(resolve_deferred(true));
    BA_TRY(commit());
  }
  return {};
}

Result<ImportSummary> Import::run() {
  const auto begin = Clock::now();
  unsigned threads = options_.threads != 0 ? options_.threads : std::thread::hardware_concurrency();
  threads = std::clamp(threads, 1u, 64u);
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i) workers.emplace_back([this] { work(); });
  std::thread reader([this] { read(); });
  const auto stored = store_all();
  if (!stored) queue_.cancel();
  reader.join();
  for (std::thread& worker : workers) worker.join();
  if (!stored) return stored.error();
  summary_.records = source_.counts();
  summary_.not_kept = source_.not_kept();
  summary_.stopped = is_stopped();
  if (read_failure_) summary_.failure = read_failure_->message;
  summary_.seconds.reading = reading_;
  summary_.seconds.total = seconds_since(begin);
  return std::move(summary_);
}

}  // namespace

Result<ImportSummary> import_captures(Archive& archive, CaptureSource& source, const ImportOptions& options) {
  // Else every capture would be refused for it.
  BA_TRY(choose_segmenter(options.segmenter, options.level, options.profile));
  WriterOptions writer_options;
  writer_options.wait = options.wait;
  BA_ASSIGN(Writer writer, archive.writer(writer_options));
  return Import(archive, source, options, std::move(writer)).run();
}

}  // namespace blockarch
