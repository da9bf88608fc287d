// Fills a pack: groups of pages become frames of contents, compressed by several threads, and recipes that refer to them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "engine/id_map.h"
#include "engine/pack_group.h"
#include "pack/frame_compressor.h"
#include "pack/pack_writer.h"

namespace blockarch {

struct PackBuilderOptions {
  PackCodec codec;
  unsigned threads = 2;
  // Whether an object goes into the pack; others are referred to by id. Unset = all.
  std::function<Result<bool>(const Hash256&)> takes;
  // The archive-wide number that a version or metadata object gets, from its ordinal and the number it has now.
  std::function<std::uint32_t(std::uint32_t ordinal, std::uint32_t now)> version_number;
  std::function<std::uint32_t(std::uint32_t ordinal, std::uint32_t now)> metadata_number;
};

class PackBuilder {
 public:
  PackBuilder(const ObjectStore& objects, PackWriter& writer, PackBuilderOptions options)
      : objects_(objects),
        writer_(writer),
        options_(std::move(options)),
        compressor_(options_.codec, options_.threads) {}

  // A URL begins; versions and metadata that are added belong to it, in order of time.
  Result<void> begin_url();
  Result<void> add_version(std::uint32_t number, const Hash256& id);
  Result<void> add_metadata(std::uint32_t number, Bytes content);
  // Objects that no version of this pack refers to and that must be kept for others.
  Result<void> add_extra(const ObjectId& id);  // a block, a layout or a list
  // Writes what has been added so far.
  Result<void> flush() { return flush_group(); }
  Result<void> finish();

  std::uint32_t versions() const { return versions_; }
  std::uint32_t metadata() const { return metadata_; }
  // Whether the pack holds this block, layout, list or tree.
  bool has(const Hash256& id) const { return contents_.find(id) || lists_.find(id) || trees_.find(id); }

 private:
  // The frame that others of its group are compressed with.
  struct Root {
    std::shared_ptr<const Bytes> raw;
    std::uint32_t frame = 0;
  };
  struct Job {
    FrameType type = FrameType::content;
    std::vector<Hash256> ids;
    std::future<CompressedFrame> compressed;
    std::shared_ptr<Root> prefix;  // nothing for none
    std::shared_ptr<Root> is_root;
  };

  Result<void> flush_group();
  Result<void> flush_metadata();
  Result<void> write_contents();
  Result<void> write_versions();
  Result<void> write_frame(const std::vector<std::uint32_t>& members, const std::shared_ptr<Root>& prefix,
                           const std::shared_ptr<Root>& is_root);
  Result<void> submit(Job job, std::shared_ptr<const Bytes> raw);
  Result<void> collect(std::size_t leave);
  Result<PackRef> content_ref(const Hash256& id);
  Result<PackRef> list_ref(const Hash256& id);
  Result<VersionRecipe> recipe_of(const GroupVersion& version);
  Result<bool> takes(const Hash256& id);

  const ObjectStore& objects_;
  PackWriter& writer_;
  PackBuilderOptions options_;
  FrameCompressor compressor_;
  std::unique_ptr<PackGroup> group_;
  std::vector<Hash256> extra_lists_;
  IdMap contents_;
  IdMap lists_;
  IdMap trees_;  // to the ordinal of the version that has it
  std::uint32_t next_content_ = 0;
  std::uint32_t versions_ = 0;
  std::uint32_t metadata_ = 0;
  std::vector<std::pair<ObjectKind, Bytes>> metadata_contents_;
  std::size_t metadata_bytes_ = 0;
  std::deque<Job> jobs_;
};

}  // namespace blockarch
