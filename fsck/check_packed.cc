// Packs looked into: frames of contents decompressed and hashed, versions put together. Several threads do it, each with
// a transaction of its own; what they find is put together at the end.
#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "fsck/inspection.h"

namespace blockarch {
namespace {

struct Problem {
  const FindingKind* kind = nullptr;
  std::string message;
};

// Index entries as a sum that does not depend on their order: two indexes with equal sums have the same entries.
class EntrySum {
 public:
  void add(std::uint64_t head, std::uint32_t value) {
    low_ += mix(head ^ mix(value));
    high_ += mix(head + mix(value ^ 0xA5A5A5A5U));
  }
  void add(const EntrySum& other) {
    low_ += other.low_;
    high_ += other.high_;
  }
  bool operator==(const EntrySum&) const = default;

 private:
  static std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
  }
  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
};

std::uint64_t masked(std::uint64_t head, int bits) {
  return bits >= 64 ? head : head & ~(~std::uint64_t{0} >> bits);
}

// What an index of a pack says: the sum of its entries, and how many bits of an id it keeps.
struct IndexSaid {
  EntrySum sum;
  int bits = 64;
};

std::optional<IndexSaid> read_index(const Pack& pack, FrameType type) {
  IndexSaid said;
  const auto& frames = pack.directory().frames;
  for (std::uint32_t frame = 0; frame < frames.size(); ++frame) {
    if (frames[frame].type != type) continue;
    const auto index = pack.index_frame(frame);
    if (!index) return std::nullopt;  // said already
    said.bits = (*index)->index().kept_bits();
    for (const IndexEntry& entry : (*index)->index().entries()) said.sum.add(entry.head, entry.value);
  }
  return said;
}

// Runs `work(i)` for i below `count` on several threads, in order as far as that goes. The caller's thread takes part
// and tells the progress.
Result<void> in_parallel(const Inspection& in, const char* stage, std::uint64_t count,
                         const std::function<Result<void>(std::uint64_t i, const ObjectStore& store)>& work) {
  std::atomic<std::uint64_t> next = 0;
  std::atomic<std::uint64_t> done = 0;
  std::mutex mutex;
  Result<void> outcome;
  const auto run = [&](const ObjectStore& store, bool tells) {
    constexpr std::uint64_t kStretch = 16;  // neighbours share frames
    for (std::uint64_t first = next.fetch_add(kStretch); first < count; first = next.fetch_add(kStretch)) {
      for (std::uint64_t i = first; i < std::min(count, first + kStretch); ++i) {
        if (auto result = work(i, store); !result) {
          const std::lock_guard lock(mutex);
          outcome = result;
          next = count;
          return;
        }
        ++done;
      }
      if (tells && in.options.progress) in.options.progress(stage, done, count);
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < in.options.threads && count > 1; ++i) {
    others.emplace_back([&] {
      const auto transaction = in.lmdb.read();
      if (transaction) run(ObjectStore(*transaction, in.tables.objects, in.store.packs()), false);
    });
  }
  run(in.store, true);
  for (std::thread& other : others) other.join();
  if (outcome && in.options.progress) in.options.progress(stage, count, count);
  return outcome;
}

class ContentCheck {
 public:
  ContentCheck(Inspection& inspection, PackState& state) : in_(inspection), state_(state), pack_(*state.pack) {}

  Result<void> run() {
    const auto& frames = pack_.directory().frames;
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t frame = 0; frame < frames.size(); ++frame) {
      const bool holds = frames[frame].type == FrameType::content || frames[frame].type == FrameType::metadata;
      if (holds && !state_.damaged_frames[frame]) wanted.push_back(frame);
      complete_ = complete_ && !(holds && state_.damaged_frames[frame]);
    }
    const auto said = read_index(pack_, FrameType::content_index);
    if (said) bits_ = said->bits;
    BA_TRY(in_parallel(in_, "contents", wanted.size(),
                       [&](std::uint64_t i, const ObjectStore&) { return check_frame(wanted[i]); }));
    for (const Problem& problem : problems_) in_.log.add(*problem.kind, problem.message);
    for (const std::uint32_t frame : damaged_) state_.damaged_frames[frame] = true;
    for (const auto& [ordinal, why] : broken_metadata_) in_.metadata.set_broken(pack_.metadata_number(ordinal), why);
    if (said && complete_ && sum_ != said->sum) {
      in_.log.add(findings::kPackIndexWrong,
                  fmt::format("{}: the index of contents does not lead to the objects", pack_.path()));
    }
    return {};
  }

 private:
  Result<void> check_frame(std::uint32_t number) {
    const FrameEntry& entry = pack_.directory().frames[number];
    const auto frame = pack_.content_frame(number);
    if (!frame) {
      if (frame.error().code != ErrorCode::corrupt) return frame.error();
      const std::lock_guard lock(mutex_);
      problems_.push_back({&findings::kPackFrameDamaged, frame.error().message});
      damaged_.push_back(number);
      complete_ = false;
      return {};
    }
    EntrySum sum;
    for (std::uint32_t i = 0; i < (*frame)->count(); ++i) {
      sum.add(masked(head_of((*frame)->id(i)), bits_), number);
      check_encoding(**frame, i, entry.first + i);
    }
    const std::lock_guard lock(mutex_);
    sum_.add(sum);
    return {};
  }

  void check_encoding(const ContentFrame& frame, std::uint32_t at, std::uint32_t number) {
    Result<void> decoded;
    if (frame.kind(at) == ObjectKind::layout) {
      if (auto layout = decode_layout(frame.content(at)); !layout) decoded = layout.error();
    } else if (frame.kind(at) == ObjectKind::metadata) {
      if (auto metadata = decode_metadata(frame.content(at)); !metadata) decoded = metadata.error();
    }
    if (decoded) return;
    const std::lock_guard lock(mutex_);
    problems_.push_back({&findings::kObjectMalformed,
                         fmt::format("{} in {} cannot be decoded: {}", ObjectId(frame.kind(at), frame.id(at)).text(),
                                     pack_.path(), decoded.error().message)});
    if (frame.kind(at) == ObjectKind::metadata) broken_metadata_.emplace_back(number, problems_.back().message);
  }

  Inspection& in_;
  PackState& state_;
  const Pack& pack_;
  int bits_ = 64;
  std::mutex mutex_;  // guards what follows
  EntrySum sum_;
  bool complete_ = true;
  std::vector<Problem> problems_;
  std::vector<std::uint32_t> damaged_;
  std::vector<std::pair<std::uint32_t, std::string>> broken_metadata_;
};

class PageCheck {
 public:
  PageCheck(Inspection& inspection, PackState& state)
      : in_(inspection), state_(state), pack_(*state.pack), directory_(pack_.directory()) {}

  Result<void> run() {
    const auto said = in_.options.full ? read_index(pack_, FrameType::recipe_index) : std::nullopt;
    if (said) {
      bits_ = said->bits;
      BA_TRY(in_parallel(in_, "lists", directory_.lists, [&](std::uint64_t i, const ObjectStore& store) {
        return check_list(static_cast<std::uint32_t>(i), store);
      }));
    }
    BA_TRY(in_parallel(in_, "pages", directory_.versions, [&](std::uint64_t i, const ObjectStore& store) {
      return check_version(static_cast<std::uint32_t>(i), store);
    }));
    in_.report.rebuilt += rebuilt_;
    for (const auto& [ordinal, message] : broken_) {
      in_.log.add(findings::kPageDiffers, message);
      in_.versions.set_broken(pack_.version_number(ordinal), message);
    }
    for (const std::string& message : bad_lists_) in_.log.add(findings::kPackRecipeWrong, message);
    if (said && complete_ && broken_.empty() && bad_lists_.empty() && sum_ != said->sum) {
      in_.log.add(findings::kPackIndexWrong,
                  fmt::format("{}: the index of lists and versions does not lead to them", pack_.path()));
    }
    return {};
  }

 private:
  void count(const Hash256& id, std::uint32_t value) {
    const std::lock_guard lock(mutex_);
    sum_.add(masked(head_of(id), bits_), value);
  }

  Result<void> check_list(std::uint32_t number, const ObjectStore& store) {
    if (state_.broken_lists[number]) {
      complete_ = false;
      return {};
    }
    const auto id = store.list_id(pack_, {number, false});
    if (id) {
      count(*id, number);
      return {};
    }
    if (id.error().code != ErrorCode::corrupt) return id.error();
    const std::lock_guard lock(mutex_);
    bad_lists_.push_back(fmt::format("list {}: {}", number, id.error().message));
    return {};
  }

  Result<void> check_version(std::uint32_t ordinal, const ObjectStore& store) {
    const std::uint32_t number = pack_.version_number(ordinal);
    if (!is_drawn(in_.options, number)) return {};
    if (in_.versions.is_broken(number)) {
      complete_ = false;
      return {};
    }
    ++rebuilt_;
    const auto version = store.version({&pack_, ordinal});
    if (!version) {
      if (version.error().code != ErrorCode::corrupt) return version.error();
      const std::lock_guard lock(mutex_);
      broken_.emplace_back(ordinal, version.error().message);
      return {};
    }
    BA_ASSIGN(const VersionRecipe head, pack_.version_head(ordinal));
    count(id_of(*version).hash, directory_.lists + ordinal);
    if (head.tree_back == 0) count(version->tree.hash, directory_.lists + directory_.versions + ordinal);
    return {};
  }

  Inspection& in_;
  PackState& state_;
  const Pack& pack_;
  const PackDirectory& directory_;
  int bits_ = 64;
  std::atomic<bool> complete_ = true;
  std::atomic<std::uint64_t> rebuilt_ = 0;
  std::mutex mutex_;  // guards what follows
  EntrySum sum_;
  std::vector<std::pair<std::uint32_t, std::string>> broken_;
  std::vector<std::string> bad_lists_;
};

}  // namespace

bool is_drawn(const FsckOptions& options, std::uint32_t number) {
  if (options.full) return true;
  if (options.sample <= 0) return false;
  constexpr double kAll = 18446744073709551616.0;  // 2^64
  Bytes ticket;
  for (int shift = 0; shift < 64; shift += 8) ticket.push_back(static_cast<char>(options.seed >> shift));
  for (int shift = 0; shift < 32; shift += 8) ticket.push_back(static_cast<char>(number >> shift));
  return static_cast<double>(head_of(blake3(ticket))) < options.sample * kAll;
}

Result<void> check_packed_contents(Inspection& in) {
  for (PackState& state : in.packs) BA_TRY(ContentCheck(in, state).run());
  return {};
}

Result<void> check_packed_pages(Inspection& in) {
  for (PackState& state : in.packs) BA_TRY(PageCheck(in, state).run());
  return {};
}

}  // namespace blockarch
