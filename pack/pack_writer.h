// A pack file in the making: frames go out as they are filled, the indexes and the directory at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "pack/directory.h"
#include "pack/frame_compressor.h"
#include "pack/id_index.h"
#include "pack/recipe.h"

namespace blockarch {

class PackWriter {
 public:
  // Writes to `path`, which must not be an archive's pack yet.
  static Result<PackWriter> create(FileSystem& files, const std::string& path, const PackCodec& codec);

  // The number that the type has in this pack.
  std::uint32_t type_number(const VersionType& type);
  // Places among the externals.
  std::uint32_t external_content(const Hash256& id);
  std::uint32_t external_list(const Hash256& id);

  // A frame of blocks and layouts, or of metadata, in order of their numbers. Returns the frame's own number, for use as
  // a prefix.
  Result<std::uint32_t> add_contents(FrameType type, const std::vector<Hash256>& ids, const CompressedFrame& frame,
                                     std::optional<std::uint32_t> prefix);
  // Archive-wide number of the next metadata object.
  void number_metadata(std::uint32_t number);

  // A list; returns its number.
  Result<std::uint32_t> add_list(const Hash256& id, const ListRecipe& recipe);
  // A version; returns its ordinal. `tree` is the id of its tree where that stands in the recipe.
  struct VersionNames {
    Hash256 id;
    std::uint64_t payload_head = 0;
    std::uint32_t number = 0;  // archive-wide
    Hash256 tree;
  };
  Result<std::uint32_t> add_version(const VersionNames& names, const VersionRecipe& recipe);

  std::uint32_t contents() const { return contents_; }
  std::uint64_t written() const { return offset_; }

  // Writes the rest and syncs. Returns the pack's name.
  Result<Hash256> finish();

 private:
  PackWriter(std::unique_ptr<WritableFile> file, const PackCodec& codec);

  Result<void> append(ByteView bytes);
  Result<void> put_frame(FrameEntry entry, const CompressedFrame& frame);
  Result<void> flush_recipes();
  Result<void> put_versions();
  Result<void> put_externals();
  Result<void> put_indexes();

  std::unique_ptr<WritableFile> file_;
  PackCodec codec_;
  std::unique_ptr<Hasher> hasher_;
  PackDirectory directory_;
  std::uint64_t offset_ = 0;
  std::uint32_t contents_ = 0;
  std::uint32_t metadata_ = 0;
  std::uint32_t lists_ = 0;
  std::uint32_t versions_ = 0;

  // Recipes that wait for their frame.
  std::vector<Bytes> list_records_;
  std::vector<Bytes> version_records_;
  std::size_t recipe_bytes_ = 0;

  Bytes version_table_;
  std::vector<IndexEntry> content_index_;
  struct RecipeEntry {
    std::uint64_t head = 0;
    std::uint8_t which = 0;  // 0 list, 1 version, 2 tree
    std::uint32_t number = 0;
  };
  std::vector<RecipeEntry> recipe_index_;
  std::unordered_map<Hash256, std::uint32_t> external_contents_;
  std::unordered_map<Hash256, std::uint32_t> external_lists_;
  std::vector<Hash256> external_content_ids_;
  std::vector<Hash256> external_list_ids_;
};

}  // namespace blockarch
