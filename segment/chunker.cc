#include "segment/chunker.h"

#include <algorithm>
#include <array>
#include <bit>

#include "segment/fingerprint.h"

namespace blockarch {
namespace {

// Entry i is the (i+1)-th output of splitmix64 seeded with this.
constexpr std::uint64_t kGearSeed = 0x626c6f636b617263;  // "blockarc"

constexpr std::array<std::uint64_t, 256> make_gear() {
  std::array<std::uint64_t, 256> gear{};
  std::uint64_t state = kGearSeed;
  for (std::uint64_t& entry : gear) entry = mix64(state += 0x9e3779b97f4a7c15);
  return gear;
}

constexpr std::array<std::uint64_t, 256> kGear = make_gear();

// The top bits: each depends on the last 64 bytes, the bottom ones only on the last few.
constexpr std::uint64_t mask_of_bits(int bits) {
  return ~std::uint64_t{0} << (64 - bits);
}

// Normalised chunking: a cut is four times as rare as the average asks before it, four times as likely after.
constexpr int kNormalisation = 2;

std::size_t chunk_size(ByteView bytes, const ChunkSizes& sizes) {
  if (bytes.size() <= sizes.minimum) return bytes.size();
  const int bits = std::clamp(static_cast<int>(std::bit_width(sizes.average)) - 1, kNormalisation + 1, 48);
  const std::uint64_t rare = mask_of_bits(bits + kNormalisation);
  const std::uint64_t likely = mask_of_bits(bits - kNormalisation);
  const std::size_t end = std::min<std::size_t>(bytes.size(), std::max(sizes.maximum, std::uint32_t{1}));
  const std::size_t middle = std::min<std::size_t>(end, sizes.average);
  std::uint64_t hash = 0;
  std::size_t at = std::min<std::size_t>(sizes.minimum, end);
  for (; at < middle; ++at) {
    hash = (hash << 1) + kGear[static_cast<unsigned char>(bytes[at])];
    if ((hash & rare) == 0) return at + 1;
  }
  for (; at < end; ++at) {
    hash = (hash << 1) + kGear[static_cast<unsigned char>(bytes[at])];
    if ((hash & likely) == 0) return at + 1;
  }
  return end;
}

}  // namespace

ChunkSizes chunk_sizes_for(std::uint64_t total) {
  constexpr std::uint64_t kMiB = 1 << 20;
  const std::uint32_t average = total <= kMiB         ? 1u << 10
                                : total <= 16 * kMiB  ? 1u << 12
                                : total <= 128 * kMiB ? 1u << 14
                                                      : 1u << 16;
  return {average / 4, average, average * 8};
}

std::vector<std::uint64_t> chunk_ends(ByteView bytes, const ChunkSizes& sizes) {
  std::vector<std::uint64_t> ends;
  ends.reserve(bytes.size() / std::max(sizes.average, std::uint32_t{1}) + 1);
  std::uint64_t at = 0;
  while (at < bytes.size()) {
    at += chunk_size(bytes.substr(at), sizes);
    ends.push_back(at);
  }
  return ends;
}

}  // namespace blockarch
