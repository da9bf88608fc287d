// What a pack holds and where: the table of its frames, and what is small and needed for nearly every look.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "pack/format.h"

namespace blockarch {

// What versions have in common: few combinations, each kept once.
struct VersionType {
  std::string media_type;
  std::string charset;
  std::string segmenter;
  std::uint32_t level = 0;

  auto operator<=>(const VersionType&) const = default;
};

struct FrameEntry {
  FrameType type = FrameType::content;
  FrameCodec codec = FrameCodec::stored;
  std::uint64_t offset = 0;  // in the file; follows from the sizes before it
  std::uint64_t stored_size = 0;
  std::uint64_t raw_size = 0;           // decompressed
  std::optional<std::uint32_t> prefix;  // the frame that this one is compressed with, an earlier one without a prefix
  std::uint64_t checksum = 0;           // of the stored bytes
  // How many objects, of which kind depends on the type: contents, metadata, versions, external contents, or entries of
  // an index; of a recipe frame the versions.
  std::uint32_t count = 0;
  std::uint32_t lists = 0;  // of a recipe frame its lists, of an externals frame external lists
  // Numbers of the first ones; follow from the counts before.
  std::uint32_t first = 0;
  std::uint32_t first_list = 0;
};

// A run of archive-wide numbers (refs/number_table.h) that stand for consecutive ordinals of the pack.
struct NumberRun {
  std::uint32_t number = 0;
  std::uint32_t ordinal = 0;
  std::uint32_t length = 0;
  bool operator==(const NumberRun&) const = default;
};

struct PackDirectory {
  std::vector<VersionType> types;
  std::vector<NumberRun> version_numbers;  // in order of ordinals
  std::vector<NumberRun> metadata_numbers;
  std::vector<FrameEntry> frames;

  // Totals, which follow from the frames.
  std::uint32_t contents = 0;
  std::uint32_t lists = 0;
  std::uint32_t versions = 0;
  std::uint32_t metadata = 0;
  std::uint32_t external_contents = 0;
  std::uint32_t external_lists = 0;
};

Bytes encode_directory(const PackDirectory& directory);
// Corrupt unless the frames fill [kPackMagicSize, end) exactly and everything counted is there. Fills what follows.
Result<PackDirectory> decode_directory(ByteView bytes, std::uint64_t end);

// Appends a number to runs whose last ordinal is `ordinal` - 1.
void add_to_runs(std::vector<NumberRun>& runs, std::uint32_t number, std::uint32_t ordinal);

}  // namespace blockarch
