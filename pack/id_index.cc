#include "pack/id_index.h"

#include <algorithm>
#include <bit>

#include "base/coding.h"

namespace blockarch {
namespace {

constexpr std::uint64_t kEntriesPerBucket = 16;

int bits_for(std::uint32_t values) {
  return values <= 1 ? 0 : static_cast<int>(std::bit_width(values - 1));
}

// Most significant bit first.
class BitWriter {
 public:
  explicit BitWriter(Bytes& out) : out_(out) {}

  void put(std::uint64_t value, int bits) {
    for (int left = bits; left > 0;) {
      const int take = std::min(left, 8 - filled_);
      const auto piece = static_cast<unsigned>(value >> (left - take)) & ((1U << take) - 1);
      current_ |= piece << (8 - filled_ - take);
      filled_ += take;
      left -= take;
      if (filled_ == 8) flush();
    }
  }
  void flush() {
    if (filled_ == 0) return;
    out_.push_back(static_cast<char>(current_));
    current_ = 0;
    filled_ = 0;
  }

 private:
  Bytes& out_;
  unsigned current_ = 0;
  int filled_ = 0;
};

std::uint64_t read_bits(ByteView bytes, std::uint64_t at, int bits) {
  std::uint64_t value = 0;
  for (int left = bits; left > 0;) {
    const auto byte = static_cast<std::uint8_t>(bytes[at >> 3]);
    const int offset = static_cast<int>(at & 7);
    const int take = std::min(left, 8 - offset);
    value = value << take | (byte >> (8 - offset - take) & ((1U << take) - 1));
    at += static_cast<std::uint64_t>(take);
    left -= take;
  }
  return value;
}

// The bits of a head that follow those of its bucket.
std::uint64_t fingerprint_of(std::uint64_t head, int bits) {
  return head << bits >> (64 - kFingerprintBits);
}

}  // namespace

std::uint64_t head_of(const Hash256& id) {
  return ByteReader(id.view()).fixed64();
}

int bucket_bits(std::uint64_t entries) {
  constexpr int kMost = 40;
  const std::uint64_t buckets = entries / kEntriesPerBucket;
  return buckets <= 1 ? 0 : std::min(kMost, static_cast<int>(std::bit_width(buckets)) - 1);
}

std::vector<IndexPart> encode_index(std::vector<IndexEntry> entries, std::uint32_t values) {
  std::sort(entries.begin(), entries.end());
  const int bits = bucket_bits(entries.size());
  const int value_bits = bits_for(values);
  const std::uint64_t buckets = std::uint64_t{1} << bits;
  std::vector<IndexPart> parts;
  std::size_t next = 0;
  for (std::uint64_t first = 0; first < buckets; first += kBucketsPerPart) {
    IndexPart part;
    const std::size_t begin = next;
    for (std::uint64_t bucket = first; bucket < std::min(buckets, first + kBucketsPerPart); ++bucket) {
      const std::size_t start = next;
      while (next < entries.size() && bucket_of(entries[next].head, bits) == bucket) ++next;
      put_varint(part.bytes, next - start);
    }
    BitWriter writer(part.bytes);
    for (std::size_t i = begin; i < next; ++i) {
      writer.put(fingerprint_of(entries[i].head, bits), kFingerprintBits);
      writer.put(entries[i].value, value_bits);
    }
    writer.flush();
    part.entries = static_cast<std::uint32_t>(next - begin);
    parts.push_back(std::move(part));
  }
  return parts;
}

Result<IndexReader> IndexReader::parse(Bytes bytes, std::uint32_t part, std::uint32_t entries, std::uint64_t total,
                                       std::uint32_t values) {
  IndexReader index;
  index.bytes_ = std::move(bytes);
  index.bucket_bits_ = bucket_bits(total);
  index.value_bits_ = bits_for(values);
  index.first_bucket_ = std::uint64_t{part} * kBucketsPerPart;
  const std::uint64_t buckets = std::uint64_t{1} << index.bucket_bits_;
  ByteReader reader(index.bytes_);
  if (index.first_bucket_ >= buckets) reader.fail();
  const std::uint64_t here = reader.ok() ? std::min<std::uint64_t>(kBucketsPerPart, buckets - index.first_bucket_) : 0;
  std::uint64_t sum = 0;
  index.starts_.push_back(0);
  for (std::uint64_t i = 0; i < here; ++i) {
    sum += reader.varint_up_to(entries);
    if (sum > entries) reader.fail();
    index.starts_.push_back(static_cast<std::uint32_t>(sum));
  }
  index.body_ = reader.offset();
  const std::uint64_t body_bits = sum * static_cast<std::uint64_t>(kFingerprintBits + index.value_bits_);
  reader.bytes((body_bits + 7) / 8);
  BA_TRY(reader.finish("the index of a pack"));
  if (sum != entries) return Error{ErrorCode::corrupt, "the index of a pack does not have as many entries as it says"};
  return index;
}

IndexEntry IndexReader::entry_at(std::uint64_t bucket, std::uint32_t position) const {
  const int width = kFingerprintBits + value_bits_;
  const std::uint64_t bits =
      read_bits(ByteView(bytes_).substr(body_), std::uint64_t{position} * static_cast<std::uint64_t>(width), width);
  const std::uint64_t fingerprint = bits >> value_bits_;
  const std::uint64_t top = bucket_bits_ == 0 ? 0 : bucket << (64 - bucket_bits_);
  const auto value = static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << value_bits_) - 1));
  return {top | fingerprint << (64 - kFingerprintBits - bucket_bits_), value};
}

void IndexReader::find(std::uint64_t head, int bits, std::vector<std::uint32_t>& found) const {
  const int shown = std::min(bits, kept_bits());
  const std::uint64_t mask = shown == 0 ? 0 : ~std::uint64_t{0} << (64 - shown);
  const std::uint64_t last_head = (head & mask) | ~mask;
  const std::uint64_t from = std::max(bucket_of(head & mask, bucket_bits_), first_bucket_);
  const std::uint64_t to = bucket_of(last_head, bucket_bits_);
  for (std::uint64_t bucket = from; bucket <= to && bucket - first_bucket_ + 1 < starts_.size(); ++bucket) {
    const std::uint64_t local = bucket - first_bucket_;
    for (std::uint32_t i = starts_[local]; i < starts_[local + 1]; ++i) {
      const IndexEntry entry = entry_at(bucket, i);
      if ((entry.head & mask) == (head & mask)) found.push_back(entry.value);
    }
  }
}

std::vector<IndexEntry> IndexReader::entries() const {
  std::vector<IndexEntry> all;
  for (std::size_t local = 0; local + 1 < starts_.size(); ++local) {
    for (std::uint32_t i = starts_[local]; i < starts_[local + 1]; ++i) {
      all.push_back(entry_at(first_bucket_ + local, i));
    }
  }
  return all;
}

}  // namespace blockarch
