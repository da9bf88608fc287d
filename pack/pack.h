// A pack file, opened for reading: an immutable file with many objects in few compressed frames (docs/format.md, "Packs").
// Everything is checked against the frame's checksum before it is looked at. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "pack/directory.h"
#include "pack/frame_cache.h"
#include "pack/frames.h"
#include "pack/recipe.h"

namespace blockarch {

inline constexpr char kPackDirectory[] = "packs";
inline constexpr char kPackSuffix[] = ".pack";

class Pack {
 public:
  // Reads the directory only. Corrupt where that is damaged; unsupported where a newer program made it.
  static Result<std::shared_ptr<const Pack>> open(FileSystem& files, const std::string& path,
                                                  std::shared_ptr<FrameCache> cache);

  const std::string& path() const { return path_; }
  std::uint64_t file_size() const { return file_->size(); }
  const PackDirectory& directory() const { return directory_; }
  // The hash of everything before it, which is also the file's name.
  const Hash256& name() const { return name_; }

  // A block, layout or metadata object; the bytes live as long as `frame`.
  struct Content {
    std::shared_ptr<const ContentFrame> frame;
    std::uint32_t at = 0;
    ByteView bytes() const { return frame->content(at); }
    ObjectKind kind() const { return frame->kind(at); }
    Hash256 id() const { return frame->id(at); }
  };
  Result<Content> content(std::uint32_t number) const;
  Result<Content> metadata(std::uint32_t ordinal) const;
  // What it is, without its bytes where that was asked before.
  struct ContentName {
    Hash256 id;
    ObjectKind kind = ObjectKind::block;
    std::uint64_t size = 0;
  };
  Result<ContentName> content_name(std::uint32_t number) const;
  Result<Hash256> metadata_id(std::uint32_t ordinal) const;
  Result<ListRecipe> list(std::uint32_t number) const;
  // With its nodes, also where it shares its tree.
  Result<VersionRecipe> version(std::uint32_t ordinal) const;
  // Without nodes.
  Result<VersionRecipe> version_head(std::uint32_t ordinal) const;
  Result<const VersionType*> type(const VersionRecipe& recipe) const;
  Result<Hash256> version_id(std::uint32_t ordinal) const;
  Result<std::uint64_t> payload_head(std::uint32_t ordinal) const;
  Result<Hash256> external_content(std::uint32_t number) const;
  Result<Hash256> external_list(std::uint32_t number) const;

  // Whether a version's page has come out with its own hash before, from nothing but this pack: it then always does, as the
  // file does not change and each frame of it is checked when it is read.
  bool is_proven(std::uint32_t ordinal) const;
  void note_proven(std::uint32_t ordinal) const;

  // By archive-wide number; nothing where the pack does not have it.
  std::optional<std::uint32_t> version_ordinal(std::uint32_t number) const;
  std::optional<std::uint32_t> metadata_ordinal(std::uint32_t number) const;
  std::uint32_t version_number(std::uint32_t ordinal) const;
  std::uint32_t metadata_number(std::uint32_t ordinal) const;

  // Ordinals of versions whose payload hash begins so.
  Result<std::vector<std::uint32_t>> versions_with_payload(std::uint64_t head) const;

  // Frames that may hold a content or metadata object whose id begins with the first `bits` bits of `head`.
  Result<std::vector<std::uint32_t>> candidate_frame_numbers(std::uint64_t head, int bits) const;
  // Lists, versions and trees that may have such an id.
  struct RecipePlace {
    ObjectKind kind = ObjectKind::list;
    std::uint32_t number = 0;  // of the list; ordinal of the version, or of the one that has the tree
  };
  Result<std::vector<RecipePlace>> candidate_recipes(std::uint64_t head, int bits) const;

  // What a byte of this content costs in the file: the ratio of its frame. And a version's record with its id.
  Result<double> content_ratio(std::uint32_t number) const;
  Result<std::uint64_t> version_cost(std::uint32_t ordinal) const;

  // For checkers and for copying: the stored bytes, checked; and decompressed.
  Result<Bytes> stored_frame(std::uint32_t frame) const;
  Result<Bytes> raw_frame(std::uint32_t frame) const;
  // The whole file against its name.
  Result<void> check_trailer() const;
  Result<std::shared_ptr<const ContentFrame>> content_frame(std::uint32_t frame) const;
  Result<std::shared_ptr<const FrameIds>> frame_ids(std::uint32_t frame) const;
  Result<std::shared_ptr<const IndexFrame>> index_frame(std::uint32_t frame) const;

 private:
  Pack() = default;
  template <typename T>
  Result<std::shared_ptr<const T>> cached(std::uint32_t frame) const;
  Result<std::shared_ptr<const Frame>> load(std::uint32_t frame) const;
  Result<void> each_payload(const std::function<void(std::uint64_t head, std::uint32_t ordinal)>& each) const;
  Result<void> candidates(FrameType type, std::uint64_t head, int bits, std::vector<std::uint32_t>& found) const;
  std::uint32_t values_of(FrameType type) const;
  Error damaged(const std::string& what) const;
  // Where a content or metadata object stands.
  struct Place {
    std::uint32_t frame = 0;
    std::uint32_t at = 0;
  };
  Result<void> check_holds_objects(std::uint32_t frame) const;
  Result<Place> content_place(std::uint32_t number) const;
  Result<Place> metadata_place(std::uint32_t ordinal) const;

  std::string path_;
  std::unique_ptr<ReadableFile> file_;
  std::shared_ptr<FrameCache> cache_;
  std::uint64_t number_ = 0;  // in the cache
  PackDirectory directory_;
  Hash256 name_;
  // Of all versions, made when the second look is asked for.
  mutable std::atomic<unsigned> payload_looks_ = 0;
  mutable std::once_flag payloads_sorted_;
  mutable Result<void> payloads_problem_;
  mutable std::vector<std::pair<std::uint64_t, std::uint32_t>> payloads_;
  mutable std::vector<std::atomic<std::uint8_t>> proven_;  // a bit for each version

  // Frames of each type, in order, for finding the one with a number.
  std::vector<std::vector<std::uint32_t>> by_type_;
  std::vector<NumberRun> versions_by_number_;
  std::vector<NumberRun> metadata_by_number_;
};

}  // namespace blockarch
