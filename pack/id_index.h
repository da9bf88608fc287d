// From the beginning of an id to a small number, in some three bytes an entry. Entries stand sorted in buckets by the id's
// first bits; of each the next kFingerprintBits bits are kept, which leaves one chance in about a thousand that an id
// which is not there seems to be. Whoever finds a number looks whether the object has the id.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/result.h"

namespace blockarch {

inline constexpr int kFingerprintBits = 14;
inline constexpr std::uint32_t kBucketsPerPart = 4096;

struct IndexEntry {
  std::uint64_t head = 0;  // the id's first eight bytes, as a number
  std::uint32_t value = 0;

  auto operator<=>(const IndexEntry&) const = default;
};

std::uint64_t head_of(const Hash256& id);

// How many of an id's first bits name the bucket where there are so many entries: some 16 to a bucket.
int bucket_bits(std::uint64_t entries);
inline std::uint64_t bucket_of(std::uint64_t head, int bits) {
  return bits == 0 ? 0 : head >> (64 - bits);
}

// The index in parts of kBucketsPerPart buckets each, in order. `values` is one more than the greatest value.
struct IndexPart {
  Bytes bytes;
  std::uint32_t entries = 0;
};
std::vector<IndexPart> encode_index(std::vector<IndexEntry> entries, std::uint32_t values);

// One part, ready to be asked.
class IndexReader {
 public:
  // `part` is the part's place, `total` the entries of all parts.
  static Result<IndexReader> parse(Bytes bytes, std::uint32_t part, std::uint32_t entries, std::uint64_t total,
                                   std::uint32_t values);

  // Appends the values whose ids may begin as `head` does in its first `bits` bits.
  void find(std::uint64_t head, int bits, std::vector<std::uint32_t>& found) const;
  std::size_t memory() const { return bytes_.size() + starts_.size() * sizeof(std::uint32_t); }

  // For checkers: all entries, with as much of each head as is kept.
  std::vector<IndexEntry> entries() const;
  int kept_bits() const { return bucket_bits_ + kFingerprintBits; }

 private:
  IndexEntry entry_at(std::uint64_t bucket, std::uint32_t position) const;

  Bytes bytes_;
  std::size_t body_ = 0;               // where the packed entries begin
  std::vector<std::uint32_t> starts_;  // of each bucket, and the end
  std::uint64_t first_bucket_ = 0;
  int bucket_bits_ = 0;
  int value_bits_ = 0;
};

}  // namespace blockarch
