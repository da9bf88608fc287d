#include "pack/pack.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/coding.h"

namespace blockarch {
namespace {

constexpr std::size_t kFrameTypes = 8;
constexpr std::uint64_t kMaxDirectory = std::uint64_t{1} << 30;

std::vector<NumberRun> sorted_by_number(std::vector<NumberRun> runs) {
  std::sort(runs.begin(), runs.end(), [](const NumberRun& a, const NumberRun& b) { return a.number < b.number; });
  return runs;
}

std::optional<std::uint32_t> ordinal_in(const std::vector<NumberRun>& runs, std::uint32_t number) {
  auto at = std::upper_bound(runs.begin(), runs.end(), number,
                             [](std::uint32_t n, const NumberRun& run) { return n < run.number; });
  if (at == runs.begin()) return std::nullopt;
  --at;
  if (number - at->number >= at->length) return std::nullopt;
  return at->ordinal + (number - at->number);
}

std::uint32_t number_in(const std::vector<NumberRun>& runs, std::uint32_t ordinal) {
  const auto at = std::prev(std::upper_bound(runs.begin(), runs.end(), ordinal,
                                             [](std::uint32_t n, const NumberRun& run) { return n < run.ordinal; }));
  return at->number + (ordinal - at->ordinal);
}

}  // namespace

Error Pack::damaged(const std::string& what) const {
  return {ErrorCode::corrupt, fmt::format("{} is damaged: {}: run blockarch fsck", path_, what)};
}

Result<std::shared_ptr<const Pack>> Pack::open(FileSystem& files, const std::string& path,
                                               std::shared_ptr<FrameCache> cache) {
  std::shared_ptr<Pack> pack(new Pack());
  pack->path_ = path;
  BA_ASSIGN(pack->file_, files.open_input(path));
  const std::uint64_t size = pack->file_->size();
  if (size < kPackMagicSize + kPackFooterSize) return pack->damaged("it is too short");
  BA_ASSIGN(const Bytes magic, pack->file_->read_at(0, kPackMagicSize));
  if (magic != ByteView(kPackMagic, kPackMagicSize)) return pack->damaged("it does not begin as a pack does");
  BA_ASSIGN(const Bytes footer, pack->file_->read_at(size - kPackFooterSize, kPackFooterSize));
  ByteReader reader(footer);
  const std::uint64_t place = reader.fixed64();
  const std::uint64_t length = reader.fixed64();
  const std::uint64_t checksum = reader.fixed64();
  pack->name_ = reader.hash();
  if (place < kPackMagicSize || place > size || length > kMaxDirectory || place + length + kPackFooterSize != size) {
    return pack->damaged("its directory is not where it should be");
  }
  BA_ASSIGN(const Bytes directory, pack->file_->read_at(place, length));
  if (frame_checksum(directory) != checksum) return pack->damaged("its directory has another checksum");
  auto decoded = decode_directory(directory, place);
  if (!decoded) return Error{decoded.error().code, fmt::format("{}: {}", path, decoded.error().message)};
  pack->directory_ = std::move(*decoded);
  pack->by_type_.resize(kFrameTypes);
  for (std::uint32_t i = 0; i < pack->directory_.frames.size(); ++i) {
    pack->by_type_[static_cast<std::size_t>(pack->directory_.frames[i].type)].push_back(i);
  }
  pack->versions_by_number_ = sorted_by_number(pack->directory_.version_numbers);
  pack->metadata_by_number_ = sorted_by_number(pack->directory_.metadata_numbers);
  pack->proven_ = std::vector<std::atomic<std::uint8_t>>(pack->directory_.versions / 8 + 1);
  pack->number_ = cache->new_pack_number();
  pack->cache_ = std::move(cache);
  return std::shared_ptr<const Pack>(std::move(pack));
}

Result<Bytes> Pack::stored_frame(std::uint32_t frame) const {
  const FrameEntry& entry = directory_.frames[frame];
  BA_ASSIGN(Bytes stored, file_->read_at(entry.offset, entry.stored_size));
  if (frame_checksum(stored) != entry.checksum) {
    return damaged(fmt::format("frame {} at byte {} has another checksum", frame, entry.offset));
  }
  return stored;
}

Result<Bytes> Pack::raw_frame(std::uint32_t frame) const {
  const FrameEntry& entry = directory_.frames[frame];
  BA_ASSIGN(Bytes stored, stored_frame(frame));
  if (entry.codec == FrameCodec::stored) return stored;
  std::shared_ptr<const ContentFrame> root;
  if (entry.prefix) {
    const FrameType type = directory_.frames[*entry.prefix].type;
    if (type != FrameType::content && type != FrameType::metadata) return damaged("a prefix is of the wrong type");
    BA_ASSIGN(root, cached<ContentFrame>(*entry.prefix));
  }
  auto raw = entry.codec == FrameCodec::zstd ? zstd_decompress(stored, entry.raw_size, root ? root->raw() : ByteView())
                                             : deflate_decompress(stored, entry.raw_size);
  if (!raw) return damaged(fmt::format("frame {}: {}", frame, raw.error().message));
  return raw;
}

std::uint32_t Pack::values_of(FrameType type) const {
  const std::uint64_t values = type == FrameType::content_index
                                   ? directory_.frames.size()
                                   : std::uint64_t{directory_.lists} + 2 * std::uint64_t{directory_.versions};
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(values, UINT32_MAX));
}

Result<std::shared_ptr<const Frame>> Pack::load(std::uint32_t frame) const {
  const FrameEntry& entry = directory_.frames[frame];
  BA_ASSIGN(Bytes raw, raw_frame(frame));
  const auto checked = [&](auto parsed) -> Result<std::shared_ptr<const Frame>> {
    if (!parsed) return damaged(fmt::format("frame {}: {}", frame, parsed.error().message));
    return std::shared_ptr<const Frame>(std::move(*parsed));
  };
  switch (entry.type) {
    case FrameType::content:
    case FrameType::metadata:
      return checked(ContentFrame::parse(std::move(raw), entry.count, entry.type == FrameType::metadata));
    case FrameType::recipe:
      return checked(RecipeFrame::parse(std::move(raw), entry.lists, entry.count));
    case FrameType::versions:
      return checked(VersionsFrame::parse(std::move(raw), entry.count));
    case FrameType::externals:
      return checked(ExternalsFrame::parse(std::move(raw), entry.count, entry.lists));
    case FrameType::content_index:
    case FrameType::recipe_index:
      break;
  }
  const auto& parts = by_type_[static_cast<std::size_t>(entry.type)];
  std::uint64_t total = 0;
  for (const std::uint32_t part : parts) total += directory_.frames[part].count;
  const auto part = std::find(parts.begin(), parts.end(), frame) - parts.begin();
  auto index =
      IndexReader::parse(std::move(raw), static_cast<std::uint32_t>(part), entry.count, total, values_of(entry.type));
  if (!index) return damaged(fmt::format("frame {}: {}", frame, index.error().message));
  return std::shared_ptr<const Frame>(std::make_shared<IndexFrame>(std::move(*index)));
}

template <typename T>
Result<std::shared_ptr<const T>> Pack::cached(std::uint32_t frame) const {
  std::shared_ptr<const Frame> found = cache_->find(number_, frame);
  if (!found) {
    BA_ASSIGN(found, load(frame));
    cache_->put(number_, frame, found);
  }
  auto typed = std::dynamic_pointer_cast<const T>(std::move(found));
  if (!typed) return damaged(fmt::format("frame {} is of another type", frame));
  return typed;
}

namespace {

// The last of these frames whose first object is not beyond `number`; nothing where there is none.
template <typename First>
std::optional<std::uint32_t> frame_with(const std::vector<std::uint32_t>& frames, std::uint32_t number, First first) {
  const auto at = std::upper_bound(frames.begin(), frames.end(), number,
                                   [&](std::uint32_t n, std::uint32_t frame) { return n < first(frame); });
  if (at == frames.begin()) return std::nullopt;
  return *std::prev(at);
}

}  // namespace

Result<Pack::Place> Pack::content_place(std::uint32_t number) const {
  const auto frame = frame_with(by_type_[static_cast<std::size_t>(FrameType::content)], number,
                                [this](std::uint32_t f) { return directory_.frames[f].first; });
  if (number >= directory_.contents || !frame) return damaged(fmt::format("it has no content {}", number));
  return Place{*frame, number - directory_.frames[*frame].first};
}

Result<Pack::Place> Pack::metadata_place(std::uint32_t ordinal) const {
  const auto frame = frame_with(by_type_[static_cast<std::size_t>(FrameType::metadata)], ordinal,
                                [this](std::uint32_t f) { return directory_.frames[f].first; });
  if (ordinal >= directory_.metadata || !frame) return damaged(fmt::format("it has no metadata {}", ordinal));
  return Place{*frame, ordinal - directory_.frames[*frame].first};
}

Result<Pack::Content> Pack::content(std::uint32_t number) const {
  BA_ASSIGN(const Place place, content_place(number));
  BA_ASSIGN(auto loaded, cached<ContentFrame>(place.frame));
  return Content{std::move(loaded), place.at};
}

Result<Pack::Content> Pack::metadata(std::uint32_t ordinal) const {
  BA_ASSIGN(const Place place, metadata_place(ordinal));
  BA_ASSIGN(auto loaded, cached<ContentFrame>(place.frame));
  return Content{std::move(loaded), place.at};
}

Result<Pack::ContentName> Pack::content_name(std::uint32_t number) const {
  BA_ASSIGN(const Place place, content_place(number));
  BA_ASSIGN(const auto ids, frame_ids(place.frame));
  return ContentName{ids->id(place.at), ids->kind(place.at), ids->size(place.at)};
}

Result<Hash256> Pack::metadata_id(std::uint32_t ordinal) const {
  BA_ASSIGN(const Place place, metadata_place(ordinal));
  BA_ASSIGN(const auto ids, frame_ids(place.frame));
  return ids->id(place.at);
}

Result<double> Pack::content_ratio(std::uint32_t number) const {
  const auto frame = frame_with(by_type_[static_cast<std::size_t>(FrameType::content)], number,
                                [this](std::uint32_t f) { return directory_.frames[f].first; });
  if (number >= directory_.contents || !frame) return damaged(fmt::format("it has no content {}", number));
  const FrameEntry& entry = directory_.frames[*frame];
  return static_cast<double>(entry.stored_size) / static_cast<double>(std::max<std::uint64_t>(entry.raw_size, 1));
}

Result<std::uint64_t> Pack::version_cost(std::uint32_t ordinal) const {
  const auto frame = frame_with(by_type_[static_cast<std::size_t>(FrameType::recipe)], ordinal,
                                [this](std::uint32_t f) { return directory_.frames[f].first; });
  if (ordinal >= directory_.versions || !frame) return damaged(fmt::format("it has no version {}", ordinal));
  const FrameEntry& entry = directory_.frames[*frame];
  BA_ASSIGN(const auto loaded, cached<RecipeFrame>(*frame));
  const std::uint64_t size = loaded->version(ordinal - entry.first).size();
  return VersionsFrame::kEntrySize + size * entry.stored_size / std::max<std::uint64_t>(entry.raw_size, 1);
}

Result<ListRecipe> Pack::list(std::uint32_t number) const {
  const auto frame = frame_with(by_type_[static_cast<std::size_t>(FrameType::recipe)], number,
                                [this](std::uint32_t f) { return directory_.frames[f].first_list; });
  if (number >= directory_.lists || !frame) return damaged(fmt::format("it has no list {}", number));
  BA_ASSIGN(const auto loaded, cached<RecipeFrame>(*frame));
  auto recipe = decode_list_recipe(loaded->list(number - directory_.frames[*frame].first_list));
  if (!recipe) return damaged(recipe.error().message);
  return recipe;
}

Result<VersionRecipe> Pack::version_head(std::uint32_t ordinal) const {
  const auto frame = frame_with(by_type_[static_cast<std::size_t>(FrameType::recipe)], ordinal,
                                [this](std::uint32_t f) { return directory_.frames[f].first; });
  if (ordinal >= directory_.versions || !frame) return damaged(fmt::format("it has no version {}", ordinal));
  BA_ASSIGN(const auto loaded, cached<RecipeFrame>(*frame));
  auto recipe = decode_version_head(loaded->version(ordinal - directory_.frames[*frame].first));
  if (!recipe) return damaged(recipe.error().message);
  return recipe;
}

Result<VersionRecipe> Pack::version(std::uint32_t ordinal) const {
  const auto frame = frame_with(by_type_[static_cast<std::size_t>(FrameType::recipe)], ordinal,
                                [this](std::uint32_t f) { return directory_.frames[f].first; });
  if (ordinal >= directory_.versions || !frame) return damaged(fmt::format("it has no version {}", ordinal));
  BA_ASSIGN(const auto loaded, cached<RecipeFrame>(*frame));
  auto recipe = decode_version_recipe(loaded->version(ordinal - directory_.frames[*frame].first));
  if (!recipe) return damaged(recipe.error().message);
  if (recipe->tree_back == 0) return recipe;
  // The one that it refers to has its own nodes: a version never refers to one that refers further.
  if (recipe->tree_back > ordinal) return damaged("a version shares a tree with none");
  BA_ASSIGN(const VersionRecipe head, version_head(ordinal - recipe->tree_back));
  if (head.tree_back != 0) return damaged("a version shares the tree of one that has none itself");
  BA_ASSIGN(VersionRecipe other, version(ordinal - recipe->tree_back));
  recipe->nodes = std::move(other.nodes);
  return recipe;
}

Result<const VersionType*> Pack::type(const VersionRecipe& recipe) const {
  if (recipe.type >= directory_.types.size()) return damaged(fmt::format("it has no version type {}", recipe.type));
  return &directory_.types[recipe.type];
}

Result<Hash256> Pack::version_id(std::uint32_t ordinal) const {
  const auto frame = frame_with(by_type_[static_cast<std::size_t>(FrameType::versions)], ordinal,
                                [this](std::uint32_t f) { return directory_.frames[f].first; });
  if (ordinal >= directory_.versions || !frame) return damaged(fmt::format("it has no version {}", ordinal));
  BA_ASSIGN(const auto loaded, cached<VersionsFrame>(*frame));
  return loaded->id(ordinal - directory_.frames[*frame].first);
}

Result<std::uint64_t> Pack::payload_head(std::uint32_t ordinal) const {
  const auto frame = frame_with(by_type_[static_cast<std::size_t>(FrameType::versions)], ordinal,
                                [this](std::uint32_t f) { return directory_.frames[f].first; });
  if (ordinal >= directory_.versions || !frame) return damaged(fmt::format("it has no version {}", ordinal));
  BA_ASSIGN(const auto loaded, cached<VersionsFrame>(*frame));
  return loaded->payload(ordinal - directory_.frames[*frame].first);
}

Result<Hash256> Pack::external_content(std::uint32_t number) const {
  const auto frame = frame_with(by_type_[static_cast<std::size_t>(FrameType::externals)], number,
                                [this](std::uint32_t f) { return directory_.frames[f].first; });
  if (number >= directory_.external_contents || !frame) return damaged(fmt::format("it has no external {}", number));
  BA_ASSIGN(const auto loaded, cached<ExternalsFrame>(*frame));
  return loaded->content(number - directory_.frames[*frame].first);
}

Result<Hash256> Pack::external_list(std::uint32_t number) const {
  const auto frame = frame_with(by_type_[static_cast<std::size_t>(FrameType::externals)], number,
                                [this](std::uint32_t f) { return directory_.frames[f].first_list; });
  if (number >= directory_.external_lists || !frame) return damaged(fmt::format("it has no external list {}", number));
  BA_ASSIGN(const auto loaded, cached<ExternalsFrame>(*frame));
  return loaded->list(number - directory_.frames[*frame].first_list);
}

bool Pack::is_proven(std::uint32_t ordinal) const {
  return ordinal < directory_.versions && (proven_[ordinal / 8].load(std::memory_order_relaxed) >> ordinal % 8 & 1);
}

void Pack::note_proven(std::uint32_t ordinal) const {
  if (ordinal < directory_.versions) proven_[ordinal / 8].fetch_or(static_cast<std::uint8_t>(1U << ordinal % 8));
}

std::optional<std::uint32_t> Pack::version_ordinal(std::uint32_t number) const {
  return ordinal_in(versions_by_number_, number);
}

std::optional<std::uint32_t> Pack::metadata_ordinal(std::uint32_t number) const {
  return ordinal_in(metadata_by_number_, number);
}

std::uint32_t Pack::version_number(std::uint32_t ordinal) const {
  return number_in(directory_.version_numbers, ordinal);
}

std::uint32_t Pack::metadata_number(std::uint32_t ordinal) const {
  return number_in(directory_.metadata_numbers, ordinal);
}

Result<void> Pack::each_payload(const std::function<void(std::uint64_t head, std::uint32_t ordinal)>& each) const {
  for (const std::uint32_t frame : by_type_[static_cast<std::size_t>(FrameType::versions)]) {
    BA_ASSIGN(const auto loaded, cached<VersionsFrame>(frame));
    const FrameEntry& entry = directory_.frames[frame];
    for (std::uint32_t i = 0; i < entry.count; ++i) each(loaded->payload(i), entry.first + i);
  }
  return {};
}

// The first looks read the table from end to end, a millisecond for a million versions. Who looks more often sorts it.
Result<std::vector<std::uint32_t>> Pack::versions_with_payload(std::uint64_t head) const {
  constexpr unsigned kPatience = 8;
  std::vector<std::uint32_t> found;
  if (++payload_looks_ <= kPatience) {
    BA_TRY(each_payload([&](std::uint64_t h, std::uint32_t ordinal) {
      if (h == head) found.push_back(ordinal);
    }));
    return found;
  }
  std::call_once(payloads_sorted_, [this] {
    payloads_problem_ = each_payload([this](std::uint64_t h, std::uint32_t o) { payloads_.emplace_back(h, o); });
    std::sort(payloads_.begin(), payloads_.end());
  });
  BA_TRY(payloads_problem_);
  auto at = std::lower_bound(payloads_.begin(), payloads_.end(), std::pair(head, std::uint32_t{0}));
  for (; at != payloads_.end() && at->first == head; ++at) found.push_back(at->second);
  return found;
}

Result<void> Pack::candidates(FrameType type, std::uint64_t head, int bits, std::vector<std::uint32_t>& found) const {
  const auto& parts = by_type_[static_cast<std::size_t>(type)];
  if (parts.empty()) return {};
  std::uint64_t total = 0;
  for (const std::uint32_t part : parts) total += directory_.frames[part].count;
  const int names = bucket_bits(total);
  const std::uint64_t mask = bits == 0 ? 0 : ~std::uint64_t{0} << (64 - bits);
  const std::uint64_t first = bucket_of(head & mask, names) / kBucketsPerPart;
  const std::uint64_t last = bucket_of((head & mask) | ~mask, names) / kBucketsPerPart;
  for (std::uint64_t part = first; part <= last && part < parts.size(); ++part) {
    BA_ASSIGN(const auto loaded, cached<IndexFrame>(parts[part]));
    loaded->index().find(head, bits, found);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return {};
}

Result<std::vector<std::uint32_t>> Pack::candidate_frame_numbers(std::uint64_t head, int bits) const {
  std::vector<std::uint32_t> numbers;
  BA_TRY(candidates(FrameType::content_index, head, bits, numbers));
  return numbers;
}

Result<std::vector<Pack::RecipePlace>> Pack::candidate_recipes(std::uint64_t head, int bits) const {
  std::vector<std::uint32_t> values;
  BA_TRY(candidates(FrameType::recipe_index, head, bits, values));
  std::vector<RecipePlace> places;
  for (const std::uint32_t value : values) {
    if (value < directory_.lists) {
      places.push_back({ObjectKind::list, value});
    } else if (value - directory_.lists < directory_.versions) {
      places.push_back({ObjectKind::version, value - directory_.lists});
    } else if (value - directory_.lists - directory_.versions < directory_.versions) {
      places.push_back({ObjectKind::tree, value - directory_.lists - directory_.versions});
    } else {
      return damaged("its index names a recipe that it does not have");
    }
  }
  return places;
}

Result<void> Pack::check_holds_objects(std::uint32_t frame) const {
  if (frame >= directory_.frames.size()) return damaged(fmt::format("it has no frame {}", frame));
  const FrameType type = directory_.frames[frame].type;
  if (type != FrameType::content && type != FrameType::metadata) {
    return damaged(fmt::format("frame {} holds no objects", frame));
  }
  return {};
}

Result<std::shared_ptr<const ContentFrame>> Pack::content_frame(std::uint32_t frame) const {
  BA_TRY(check_holds_objects(frame));
  return cached<ContentFrame>(frame);
}

Result<std::shared_ptr<const FrameIds>> Pack::frame_ids(std::uint32_t frame) const {
  auto found = std::dynamic_pointer_cast<const FrameIds>(cache_->find(number_, frame, FrameCache::Part::ids));
  if (found) return found;
  // Nobody asked for the bytes, so they do not drive out others: whoever imports into a large archive looks at the ids of all
  // of its frames, and would never find them in memory again.
  std::shared_ptr<const Frame> contents = cache_->find(number_, frame);
  if (!contents) {
    BA_TRY(check_holds_objects(frame));
    BA_ASSIGN(contents, load(frame));
  }
  const auto typed = std::dynamic_pointer_cast<const ContentFrame>(contents);
  if (!typed) return damaged(fmt::format("frame {} is of another type", frame));
  auto made = std::make_shared<const FrameIds>(*typed);
  cache_->put(number_, frame, made, FrameCache::Part::ids);
  return made;
}

Result<std::shared_ptr<const IndexFrame>> Pack::index_frame(std::uint32_t frame) const {
  return cached<IndexFrame>(frame);
}

Result<void> Pack::check_trailer() const {
  constexpr std::uint64_t kPiece = 4 << 20;
  Hasher hasher;
  const std::uint64_t end = file_->size() - sizeof(Hash256::bytes);
  for (std::uint64_t at = 0; at < end; at += kPiece) {
    BA_ASSIGN(const Bytes piece, file_->read_at(at, std::min(kPiece, end - at)));
    hasher.update(piece);
  }
  if (hasher.finish() != name_) return damaged("it does not have the hash that stands at its end");
  return {};
}

}  // namespace blockarch
