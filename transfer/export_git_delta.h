// Differences as git's packs keep them: copies from a base and bytes of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"

namespace blockarch {

// One after the other these make the delta of a target whose parts are known.
class GitDeltaBuilder {
 public:
  GitDeltaBuilder(std::uint64_t base_size, std::uint64_t target_size);

  // From the base. Positions below 4 GiB.
  void copy(std::uint64_t from, std::uint64_t size);
  void insert(ByteView bytes);

  std::size_t size() const { return delta_.size(); }
  Bytes take() { return std::move(delta_); }

 private:
  Bytes delta_;
};

// Pages larger than this are not compared.
inline constexpr std::size_t kMaxGitDelta = std::size_t{32} << 20;

// Nothing where the delta would have more than `limit` bytes, or a page is too large to compare. Linear in both sizes;
// the same bytes for the same input.
std::optional<Bytes> git_delta(ByteView base, ByteView target, std::size_t limit);

}  // namespace blockarch
