#include "engine/writer.h"

#include <fmt/format.h>

#include "base/charset.h"
#include "engine/writer_impl.h"
#include "refs/payload_index.h"
#include "segment/media_type.h"
#include "segment/segmenter.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxCachedBases = 512;
constexpr char kDefaultSegmenter[] = "auto";

void remember_base(std::optional<LooseBase>& base, const LooseObject& object, ByteView content) {
  const auto stored = LooseStore::describe(object.value);
  base = LooseBase{object.id.hash, stored ? stored->depth : kMaxLooseDepth, Bytes(content)};
}

}  // namespace

struct Writer::Impl::Wanted {
  Url url;
  Time time;
  ByteView payload;
  Hash256 hash;
  std::string media_type;
  std::string charset;
  const Segmenter* segmenter = nullptr;
  bool segmenter_given = false;
  int level = 0;

  bool is_met_by(const Version& version) const {
    return version.payload_hash == hash && version.media_type == media_type && version.charset == charset &&
           (!segmenter_given || version.segmenter == segmenter->name()) &&
           (level == 0 || version.level == static_cast<std::uint32_t>(level));
  }
};

Result<Writer::Impl::Wanted> Writer::Impl::understand(const CaptureRequest& request,
                                                      std::vector<std::string>* warnings) const {
  Wanted wanted;
  BA_ASSIGN(wanted.url, parse_url(request.url));
  if (request.payload.size() > kMaxPayload) {
    return Error{ErrorCode::too_large, fmt::format("the page of {} has {} bytes: at most {} can be kept", request.url,
                                                   request.payload.size(), kMaxPayload)};
  }
  if (request.time < Time::min() || request.time > Time::max()) {
    return Error{ErrorCode::invalid, fmt::format("the capture time of {} is outside the years 0 to 9999", request.url)};
  }
  if (request.level < 0 || request.level > kMaxLevel) {
    return Error{ErrorCode::invalid, fmt::format("level {} is out of range: 1 to {}", request.level, kMaxLevel)};
  }
  wanted.segmenter_given = !request.segmenter.empty();
  BA_ASSIGN(wanted.segmenter, find_segmenter(wanted.segmenter_given ? request.segmenter : kDefaultSegmenter));
  wanted.level = request.level;
  wanted.time = request.time;
  wanted.payload = request.payload;
  wanted.hash = blake3(request.payload);
  const MediaType declared = parse_media_type(request.content_type);
  wanted.media_type = declared.essence.empty() ? sniff_media_type(request.payload) : declared.essence;
  if (wanted.media_type.size() > 255) {
    return Error{ErrorCode::invalid, fmt::format("the content type of {} is too long", request.url)};
  }
  if (is_text_media_type(wanted.media_type)) {
    const Charset charset = detect_charset(request.payload, declared.charset_label);
    wanted.charset = charset.name;
    if (warnings && !charset.unknown_label.empty()) {
      warnings->push_back(
          fmt::format("charset '{}' of {} is not known: the bytes are kept as they are, text is read as {}",
                      charset.unknown_label, request.url, charset.name));
    }
  }
  return wanted;
}

Result<std::optional<std::size_t>> Writer::Impl::known_version(const Wanted& wanted,
                                                               const ReadTransaction& transaction) {
  const auto [begin, end] = versions_by_payload.equal_range(wanted.hash);
  for (auto it = begin; it != end; ++it) {
    if (wanted.is_met_by(versions[it->second].version)) return std::optional<std::size_t>(it->second);
  }
  BA_ASSIGN(const auto numbers, find_payload(transaction, archive.tables.payloads, wanted.hash));
  const LooseStore objects(transaction, archive.tables.objects);
  for (const VersionNumber number : numbers) {
    const auto id = id_of_number(transaction, archive.tables.version_numbers, number);
    if (!id) continue;
    // The index is derived: whatever is wrong with a candidate, the page can always be cut again.
    auto version = load_version(objects, *id);
    if (!version || !wanted.is_met_by(*version)) continue;
    versions_by_payload.emplace(wanted.hash, versions.size());
    versions.push_back({std::move(*version), *id, number, {}});
    return std::optional<std::size_t>(versions.size() - 1);
  }
  return std::optional<std::size_t>();
}

Result<bool> Writer::Impl::is_new(const ReadTransaction& transaction, const Hash256& id) {
  if (pending_objects.count(id)) return false;
  BA_ASSIGN(const bool stored, LooseStore(transaction, archive.tables.objects).contains(id));
  return !stored;
}

void Writer::Impl::stage(PendingVersion& version, LooseObject object) {
  pending_objects.insert(object.id.hash);
  pending_bytes += object.value.size() + sizeof(LooseObject);
  version.objects.push_back(std::move(object));
}

// A version that does not get into the batch after all: what it brought is not there for the next ones.
void Writer::Impl::unstage(const PendingVersion& version) {
  for (const LooseObject& object : version.objects) {
    pending_objects.erase(object.id.hash);
    pending_bytes -= object.value.size() + sizeof(LooseObject);
  }
}

Result<PageBases> Writer::Impl::find_bases(const Wanted& wanted, const ReadTransaction& transaction) {
  if (const auto cached = bases.find(wanted.url.key); cached != bases.end()) return cached->second;
  PageBases found;
  BA_ASSIGN(const auto url, find_url(transaction, archive.tables, wanted.url));
  if (!url) return found;
  BA_ASSIGN(HistoryCursor cursor, HistoryCursor::open(transaction, archive.tables, *url));
  BA_ASSIGN(auto near, cursor.as_of(wanted.time));
  if (!near) {
    BA_ASSIGN(near, cursor.first());
  }
  if (!near) return found;
  const LooseStore objects(transaction, archive.tables.objects);
  BA_ASSIGN(const VersionId id, id_of_number(transaction, archive.tables.version_numbers, near->version));
  BA_ASSIGN(const Version version, load_version(objects, id));
  BA_ASSIGN(found.layout, objects.find_base(version.layout.hash));
  BA_ASSIGN(found.tree, objects.find_base(version.tree.hash));
  BA_ASSIGN(const BlockTree tree, load_block_tree(objects, version.tree));
  std::unordered_set<Hash256> seen;
  for (const TreeNode& node : tree.nodes) {
    if (!node.is_leaf() || node.content.kind != ObjectKind::list || !seen.insert(node.content.hash).second) continue;
    BA_ASSIGN(found.lists.emplace_back(), objects.find_base(node.content.hash));
  }
  return found;
}

// Stages the object if it is new. Afterwards `base` is the object itself, for the next version.
Result<void> Writer::Impl::stage_from_base(PendingVersion& version, const ObjectId& id, ByteView content,
                                           std::optional<LooseBase>& base, const ReadTransaction& transaction) {
  if (base && base->id == id.hash) return {};
  BA_ASSIGN(const bool wanted_here, is_new(transaction, id.hash));
  if (wanted_here) {
    LooseObject object = make_loose_object(id, content, base ? &*base : nullptr);
    remember_base(base, object, content);
    stage(version, std::move(object));
    return {};
  }
  // An earlier one has come back. Where the batch holds it, the next version goes without a base.
  auto known = LooseStore(transaction, archive.tables.objects).find_base(id.hash);
  base = known ? std::move(*known) : std::nullopt;
  return {};
}

Result<void> Writer::Impl::stage_contents(PendingVersion& version, const SplitPage& page, PageBases& page_bases,
                                          const ReadTransaction& transaction) {
  std::size_t lists = 0;
  for (const PageObject& object : page.objects) {
    if (object.id.kind == ObjectKind::list) {
      // The list at the same place of the page before; where lists have moved, the difference is not smaller and the
      // list is stored whole.
      if (page_bases.lists.size() == lists) page_bases.lists.emplace_back();
      BA_TRY(stage_from_base(version, object.id, object.content, page_bases.lists[lists++], transaction));
    } else {
      BA_ASSIGN(const bool wanted_here, is_new(transaction, object.id.hash));
      if (wanted_here) stage(version, make_loose_object(object.id, object.content));
    }
  }
  page_bases.lists.resize(lists);
  return {};
}

Result<std::size_t> Writer::Impl::cut(const Wanted& wanted, const ReadTransaction& transaction) {
  SegmentOptions options;
  options.media_type = wanted.media_type;
  options.charset = wanted.charset;
  options.level = wanted.level;
  const SplitPage page = split_page(wanted.payload, wanted.segmenter->segment(wanted.payload, options));
  const Bytes layout = encode_layout(page.layout);
  const Bytes tree = encode_block_tree(page.tree);

  PendingVersion pending;
  pending.version = {.payload_hash = wanted.hash,
                     .payload_size = wanted.payload.size(),
                     .media_type = wanted.media_type,
                     .charset = wanted.charset,
                     .segmenter = std::string(wanted.segmenter->name()),
                     .level = static_cast<std::uint32_t>(wanted.level),
                     .layout = {hash_object(ObjectKind::layout, layout)},
                     .tree = {hash_object(ObjectKind::tree, tree)}};
  pending.id = id_of(pending.version);

  // Damage in an old page must not keep a new one out: without a base, objects are stored whole.
  auto found = find_bases(wanted, transaction);
  PageBases page_bases = found ? std::move(*found) : PageBases{};
  const auto stage_all = [&]() -> Result<void> {
    BA_TRY(stage_contents(pending, page, page_bases, transaction));
    BA_TRY(stage_from_base(pending, pending.version.layout, layout, page_bases.layout, transaction));
    BA_TRY(stage_from_base(pending, pending.version.tree, tree, page_bases.tree, transaction));
    BA_ASSIGN(const bool version_is_new, is_new(transaction, pending.id.hash));
    if (version_is_new) stage(pending, make_loose_object(pending.id, encode_version(pending.version)));
    return {};
  };
  if (auto staged = stage_all(); !staged) {
    unstage(pending);
    return staged.error();
  }

  if (bases.size() >= kMaxCachedBases) bases.clear();
  bases[wanted.url.key] = std::move(page_bases);
  versions_by_payload.emplace(wanted.hash, versions.size());
  versions.push_back(std::move(pending));
  return versions.size() - 1;
}

Result<std::size_t> Writer::Impl::version_for(const Wanted& wanted) {
  BA_ASSIGN(const ReadTransaction transaction, archive.lmdb.read());
  BA_ASSIGN(const auto known, known_version(wanted, transaction));
  if (known) return *known;
  return cut(wanted, transaction);
}

Result<void> Writer::Impl::add(const CaptureRequest& request, std::vector<std::string>* warnings) {
  BA_ASSIGN(Metadata metadata, make_metadata(request.metadata));
  BA_ASSIGN(Wanted wanted, understand(request, warnings));
  BA_ASSIGN(const std::size_t version, version_for(wanted));
  PendingCapture capture{std::move(wanted.url), request.time, version, std::nullopt};
  if (!metadata.empty()) capture.metadata = make_loose_object(id_of(metadata), encode_metadata(metadata));
  captures.push_back(std::move(capture));
  return {};
}

void Writer::Impl::clear_batch() {
  versions.clear();
  captures.clear();
  versions_by_payload.clear();
  pending_objects.clear();
  pending_bytes = 0;
}

Writer::Writer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() = default;

Result<void> Writer::add(const CaptureRequest& request, std::vector<std::string>* warnings) {
  return impl_->add(request, warnings);
}

std::uint64_t Writer::pending_bytes() const {
  return impl_->pending_bytes;
}

Result<std::vector<CaptureOutcome>> Writer::commit() {
  return impl_->commit();
}

Result<void> Writer::put_tag(const Tag& tag, bool replace) {
  return impl_->archive.lmdb.write([&](WriteTransaction& transaction) {
    return blockarch::put_tag(transaction, impl_->archive.tables, tag, replace);
  });
}

Result<void> Writer::erase_tag(const std::string& name) {
  return impl_->archive.lmdb.write(
      [&](WriteTransaction& transaction) { return blockarch::erase_tag(transaction, impl_->archive.tables, name); });
}

}  // namespace blockarch
