#include "pack/pack_writer.h"

#include <algorithm>

#include "base/coding.h"
#include "pack/format.h"
#include "pack/frame_compressor.h"
#include "pack/frames.h"

namespace blockarch {
namespace {

constexpr std::size_t kRecipeFrame = 1 << 20;
constexpr std::uint32_t kVersionsPerFrame = 4096;

}  // namespace

PackWriter::PackWriter(std::unique_ptr<WritableFile> file, const PackCodec& codec)
    : file_(std::move(file)), codec_(codec), hasher_(std::make_unique<Hasher>()) {}

Result<PackWriter> PackWriter::create(FileSystem& files, const std::string& path, const PackCodec& codec) {
  BA_ASSIGN(auto file, files.open_output(path));
  PackWriter writer(std::move(file), codec);
  BA_TRY(writer.append(ByteView(kPackMagic, kPackMagicSize)));
  return writer;
}

Result<void> PackWriter::append(ByteView bytes) {
  BA_TRY(file_->append(bytes));
  hasher_->update(bytes);
  offset_ += bytes.size();
  return {};
}

Result<void> PackWriter::put_frame(FrameEntry entry, const CompressedFrame& frame) {
  entry.codec = frame.codec;
  entry.stored_size = frame.stored.size();
  entry.raw_size = frame.raw_size;
  entry.checksum = frame_checksum(frame.stored);
  if (frame.raw_size > kMaxFrameSize) return Error{ErrorCode::too_large, "a frame of a pack would be too large"};
  BA_TRY(append(frame.stored));
  directory_.frames.push_back(entry);
  return {};
}

std::uint32_t PackWriter::type_number(const VersionType& type) {
  const auto known = std::find(directory_.types.begin(), directory_.types.end(), type);
  if (known == directory_.types.end()) {
    directory_.types.push_back(type);
    return static_cast<std::uint32_t>(directory_.types.size() - 1);
  }
  return static_cast<std::uint32_t>(known - directory_.types.begin());
}

std::uint32_t PackWriter::external_content(const Hash256& id) {
  const auto [at, added] = external_contents_.emplace(id, external_content_ids_.size());
  if (added) external_content_ids_.push_back(id);
  return at->second;
}

std::uint32_t PackWriter::external_list(const Hash256& id) {
  const auto [at, added] = external_lists_.emplace(id, external_list_ids_.size());
  if (added) external_list_ids_.push_back(id);
  return at->second;
}

Result<std::uint32_t> PackWriter::add_contents(FrameType type, const std::vector<Hash256>& ids,
                                               const CompressedFrame& frame, std::optional<std::uint32_t> prefix) {
  const auto number = static_cast<std::uint32_t>(directory_.frames.size());
  FrameEntry entry;
  entry.type = type;
  entry.count = static_cast<std::uint32_t>(ids.size());
  entry.prefix = frame.codec == FrameCodec::zstd ? prefix : std::nullopt;
  for (const Hash256& id : ids) content_index_.push_back({head_of(id), number});
  (type == FrameType::content ? contents_ : metadata_) += entry.count;
  BA_TRY(put_frame(entry, frame));
  return number;
}

void PackWriter::number_metadata(std::uint32_t number) {
  const auto& runs = directory_.metadata_numbers;
  const std::uint32_t ordinal = runs.empty() ? 0 : runs.back().ordinal + runs.back().length;
  add_to_runs(directory_.metadata_numbers, number, ordinal);
}

Result<std::uint32_t> PackWriter::add_list(const Hash256& id, const ListRecipe& recipe) {
  recipe_index_.push_back({head_of(id), 0, lists_});
  list_records_.push_back(encode_list_recipe(recipe));
  recipe_bytes_ += list_records_.back().size();
  return lists_++;
}

Result<std::uint32_t> PackWriter::add_version(const VersionNames& names, const VersionRecipe& recipe) {
  recipe_index_.push_back({head_of(names.id), 1, versions_});
  if (recipe.tree_back == 0) recipe_index_.push_back({head_of(names.tree), 2, versions_});
  version_records_.push_back(encode_version_recipe(recipe));
  recipe_bytes_ += version_records_.back().size();
  VersionsFrame::put(version_table_, names.id, names.payload_head);
  add_to_runs(directory_.version_numbers, names.number, versions_);
  const std::uint32_t ordinal = versions_++;
  if (recipe_bytes_ >= kRecipeFrame) BA_TRY(flush_recipes());
  return ordinal;
}

Result<void> PackWriter::flush_recipes() {
  if (list_records_.empty() && version_records_.empty()) return {};
  FrameEntry entry;
  entry.type = FrameType::recipe;
  entry.count = static_cast<std::uint32_t>(version_records_.size());
  entry.lists = static_cast<std::uint32_t>(list_records_.size());
  BA_TRY(put_frame(entry, compress_frame(RecipeFrame::encode(list_records_, version_records_), codec_)));
  list_records_.clear();
  version_records_.clear();
  recipe_bytes_ = 0;
  return {};
}

// Ids and hashes do not compress.
Result<void> PackWriter::put_versions() {
  for (std::uint32_t first = 0; first < versions_; first += kVersionsPerFrame) {
    FrameEntry entry;
    entry.type = FrameType::versions;
    entry.count = std::min(kVersionsPerFrame, versions_ - first);
    Bytes part = version_table_.substr(first * VersionsFrame::kEntrySize, entry.count * VersionsFrame::kEntrySize);
    const std::uint64_t size = part.size();
    BA_TRY(put_frame(entry, {FrameCodec::stored, std::move(part), size}));
  }
  return {};
}

Result<void> PackWriter::put_externals() {
  if (external_content_ids_.empty() && external_list_ids_.empty()) return {};
  FrameEntry entry;
  entry.type = FrameType::externals;
  entry.count = static_cast<std::uint32_t>(external_content_ids_.size());
  entry.lists = static_cast<std::uint32_t>(external_list_ids_.size());
  Bytes ids;
  for (const Hash256& id : external_content_ids_) put_hash(ids, id);
  for (const Hash256& id : external_list_ids_) put_hash(ids, id);
  const std::uint64_t size = ids.size();
  return put_frame(entry, {FrameCodec::stored, std::move(ids), size});
}

Result<void> PackWriter::put_indexes() {
  const auto put = [this](FrameType type, std::vector<IndexEntry> entries, std::uint64_t values) -> Result<void> {
    if (entries.empty()) return {};
    if (values > UINT32_MAX) return Error{ErrorCode::too_large, "a pack would hold too many objects"};
    for (IndexPart& part : encode_index(std::move(entries), static_cast<std::uint32_t>(values))) {
      FrameEntry entry;
      entry.type = type;
      entry.count = part.entries;
      const std::uint64_t size = part.bytes.size();
      BA_TRY(put_frame(entry, {FrameCodec::stored, std::move(part.bytes), size}));
    }
    return {};
  };
  // Values of the content index are numbers of frames, and there will be more frames than now: the width comes from the
  // directory's final count, so the parts of both indexes are counted first.
  std::vector<IndexEntry> recipes;
  recipes.reserve(recipe_index_.size());
  for (const RecipeEntry& entry : recipe_index_) {
    const std::uint32_t shift = entry.which == 0 ? 0 : entry.which == 1 ? lists_ : lists_ + versions_;
    recipes.push_back({entry.head, entry.number + shift});
  }
  const auto parts_of = [](std::size_t entries) {
    if (entries == 0) return std::uint64_t{0};
    const std::uint64_t buckets = std::uint64_t{1} << bucket_bits(entries);
    return (buckets + kBucketsPerPart - 1) / kBucketsPerPart;
  };
  const std::uint64_t frames = directory_.frames.size() + parts_of(content_index_.size()) + parts_of(recipes.size());
  BA_TRY(put(FrameType::content_index, std::move(content_index_), frames));
  return put(FrameType::recipe_index, std::move(recipes), std::uint64_t{lists_} + 2 * std::uint64_t{versions_});
}

Result<Hash256> PackWriter::finish() {
  BA_TRY(flush_recipes());
  BA_TRY(put_versions());
  BA_TRY(put_externals());
  BA_TRY(put_indexes());
  const Bytes directory = encode_directory(directory_);
  Bytes footer;
  put_fixed64(footer, offset_);
  put_fixed64(footer, directory.size());
  put_fixed64(footer, frame_checksum(directory));
  BA_TRY(append(directory));
  BA_TRY(append(footer));
  const Hash256 name = hasher_->finish();
  BA_TRY(file_->append(name.view()));
  BA_TRY(file_->sync());
  return name;
}

}  // namespace blockarch
