// The method is that of xdelta: the base is indexed by blocks of 16 bytes, the target is looked up at every byte, and
// what is found is extended to both sides. Of the blocks with the same hash the first is kept, so the cost stays linear
// whatever the bytes are.
#include "transfer/export_git_delta.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace blockarch {
namespace {

constexpr std::size_t kBlock = 16;
constexpr std::size_t kMaxCopy = 0xffffff;  // three bytes of size
constexpr std::size_t kMaxInsert = 127;

void put_size(Bytes& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>((value & 0x7f) | 0x80));
  out.push_back(static_cast<char>(value));
}

std::uint64_t block_hash(const char* at) {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::memcpy(&a, at, 8);
  std::memcpy(&b, at + 8, 8);
  std::uint64_t h = a * 0x9e3779b97f4a7c15U ^ std::rotl(b * 0xc2b2ae3d27d4eb4fU, 31);
  h ^= h >> 29;
  return h * 0xbf58476d1ce4e5b9U;
}

// Where the blocks of the base stand, by hash.
class BlockIndex {
 public:
  explicit BlockIndex(ByteView base) : base_(base) {
    const std::size_t blocks = base.size() / kBlock;
    shift_ = 64 - std::max(4, static_cast<int>(std::bit_width(blocks * 2)));
    slots_.assign(std::size_t{1} << (64 - shift_), 0);
    for (std::size_t at = 0; at + kBlock <= base.size(); at += kBlock) {
      std::uint32_t& slot = slots_[block_hash(base.data() + at) >> shift_];
      if (slot == 0) slot = static_cast<std::uint32_t>(at + 1);
    }
  }

  // A place in the base with the same 16 bytes; nothing where none is known.
  std::optional<std::size_t> find(const char* at) const {
    const std::uint32_t slot = slots_[block_hash(at) >> shift_];
    if (slot == 0 || std::memcmp(base_.data() + slot - 1, at, kBlock) != 0) return std::nullopt;
    return slot - 1;
  }

 private:
  ByteView base_;
  int shift_ = 0;
  std::vector<std::uint32_t> slots_;  // position + 1; 0 = empty
};

std::size_t same_ahead(ByteView a, ByteView b) {
  const std::size_t limit = std::min(a.size(), b.size());
  std::size_t n = 0;
  for (; n + 8 <= limit && std::memcmp(a.data() + n, b.data() + n, 8) == 0; n += 8) {
  }
  while (n < limit && a[n] == b[n]) ++n;
  return n;
}

std::size_t same_behind(ByteView a, ByteView b) {
  const std::size_t limit = std::min(a.size(), b.size());
  std::size_t n = 0;
  while (n < limit && a[a.size() - 1 - n] == b[b.size() - 1 - n]) ++n;
  return n;
}

}  // namespace

GitDeltaBuilder::GitDeltaBuilder(std::uint64_t base_size, std::uint64_t target_size) {
  put_size(delta_, base_size);
  put_size(delta_, target_size);
}

void GitDeltaBuilder::copy(std::uint64_t from, std::uint64_t size) {
  while (size > 0) {
    const std::uint64_t part = std::min<std::uint64_t>(size, kMaxCopy);
    const std::size_t head = delta_.size();
    delta_.push_back(0);
    unsigned flags = 0x80;
    for (unsigned i = 0; i < 4; ++i) {
      const auto byte = static_cast<char>(from >> (8 * i));
      if (byte != 0) flags |= 1U << i, delta_.push_back(byte);
    }
    // A size without bytes would mean 65,536; no size of ours has none, since it is not 0.
    for (unsigned i = 0; i < 3; ++i) {
      const auto byte = static_cast<char>(part >> (8 * i));
      if (byte != 0) flags |= 0x10U << i, delta_.push_back(byte);
    }
    delta_[head] = static_cast<char>(flags);
    from += part;
    size -= part;
  }
}

void GitDeltaBuilder::insert(ByteView bytes) {
  while (!bytes.empty()) {
    const ByteView part = bytes.substr(0, kMaxInsert);
    delta_.push_back(static_cast<char>(part.size()));
    delta_.append(part);
    bytes.remove_prefix(part.size());
  }
}

std::optional<Bytes> git_delta(ByteView base, ByteView target, std::size_t limit) {
  if (base.size() < kBlock || base.size() > kMaxGitDelta || target.size() > kMaxGitDelta) return std::nullopt;
  GitDeltaBuilder delta(base.size(), target.size());
  const BlockIndex index(base);
  std::size_t pending = 0;   // what stands in the target from here on has not been written yet
  std::size_t expected = 0;  // where the base would go on after the last copy
  for (std::size_t at = 0; at + kBlock <= target.size();) {
    // Most often the page goes on as the base does: this also keeps runs of equal blocks in their order.
    const std::size_t likely = expected + (at - pending);
    std::optional<std::size_t> from;
    if (likely + kBlock <= base.size() && std::memcmp(base.data() + likely, target.data() + at, kBlock) == 0) {
      from = likely;
    } else {
      from = index.find(target.data() + at);
    }
    if (!from) {
      ++at;
      if (at - pending > limit) return std::nullopt;
      continue;
    }
    const std::size_t back = same_behind(base.substr(0, *from), target.substr(pending, at - pending));
    const std::size_t ahead = same_ahead(base.substr(*from), target.substr(at));
    delta.insert(target.substr(pending, at - back - pending));
    delta.copy(*from - back, back + ahead);
    if (delta.size() > limit) return std::nullopt;
    at += ahead;
    pending = at;
    expected = *from + ahead;
  }
  delta.insert(target.substr(pending));
  if (delta.size() > limit) return std::nullopt;
  return delta.take();
}

}  // namespace blockarch
