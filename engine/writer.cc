#include "engine/writer.h"

#include <fmt/format.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "engine/writer_impl.h"
#include "refs/payload_index.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxCachedBases = 512;

void remember_base(std::optional<LooseBase>& base, const LooseObject& object, ByteView content) {
  const auto stored = LooseStore::describe(object.value);
  base = LooseBase{object.id.hash, stored ? stored->depth : kMaxLooseDepth, Bytes(content)};
}

// A version that is stored already, as far as a batch needs to know it.
Version known_version_of(const VersionFacts& facts, const Hash256& payload) {
  Version version;
  version.payload_hash = payload;
  version.payload_size = facts.payload_size;
  version.media_type = facts.type.media_type;
  version.charset = facts.type.charset;
  version.segmenter = facts.type.segmenter;
  version.level = facts.type.level;
  return version;
}

VersionType type_of(const Version& version) {
  return {version.media_type, version.charset, version.segmenter, version.level};
}

}  // namespace

std::size_t Writer::Impl::push_version(PendingVersion version) {
  versions_by_payload.emplace(version.version.payload_hash, versions.size());
  versions_by_id.emplace(version.id.hash, versions.size());
  versions.push_back(std::move(version));
  return versions.size() - 1;
}

Result<std::size_t> Writer::Impl::version_of_id(const VersionId& id, const View& view) {
  if (const auto pending = versions_by_id.find(id.hash); pending != versions_by_id.end()) return pending->second;
  BA_ASSIGN(const auto packed, view.objects.find_packed_version(id));
  if (packed) {
    const VersionNumber number{packed->pack->version_number(packed->ordinal)};
    BA_ASSIGN(const VersionFacts facts, view.objects.facts(*packed));
    BA_ASSIGN(const Hash256 payload, view.payload_hash(number));
    return push_version({known_version_of(facts, payload), id, number, {}, {}});
  }
  BA_ASSIGN(Version version, load_version(view.objects, id));
  BA_ASSIGN(const auto numbers, view.find_payload(version.payload_hash));
  for (const VersionNumber number : numbers) {
    BA_ASSIGN(const VersionId numbered, view.version_id(number));
    if (numbered == id) return push_version({std::move(version), id, number, {}, {}});
  }
  return Error{ErrorCode::not_found, fmt::format("version {} belongs to no capture", short_id(id.hash))};
}

Result<std::optional<std::size_t>> Writer::Impl::known_version(const PreparedCapture::Impl& prepared,
                                                               const View& view) {
  const WantedCapture& wanted = prepared.wanted;
  const auto [begin, end] = versions_by_payload.equal_range(wanted.hash);
  for (auto it = begin; it != end; ++it) {
    const PendingVersion& pending = versions[it->second];
    if (!wanted.profile.empty() && pending.profile != wanted.profile) continue;
    if (wanted.is_met_by(type_of(pending.version))) return std::optional<std::size_t>(it->second);
  }
  if (!wanted.profile.empty()) return std::optional<std::size_t>();
  std::optional<VersionNumber> number = prepared.stored;
  if (!number) {
    std::optional<CutPage> cut;
    BA_ASSIGN(number, stored_version(wanted, view, cut));
  }
  if (!number) return std::optional<std::size_t>();
  BA_ASSIGN(const VersionId id, view.version_id(*number));
  BA_ASSIGN(const VersionFacts facts, view.facts(*number));
  return std::optional<std::size_t>(push_version({known_version_of(facts, wanted.hash), id, *number, {}, {}}));
}

Result<bool> Writer::Impl::is_new(const View& view, const Hash256& id) {
  if (pending_objects.count(id)) return false;
  BA_ASSIGN(const bool stored, view.objects.contains(id));
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

PageBases& Writer::Impl::bases_of(const WantedCapture& wanted) {
  const auto cached = bases.find(wanted.url.key);
  if (cached != bases.end()) return cached->second;
  if (bases.size() >= kMaxCachedBases) bases.clear();
  return bases[wanted.url.key];
}

// The stored capture that the new one most likely resembles: the one before it, else the first.
Result<std::optional<Observation>> Writer::Impl::nearest(const WantedCapture& wanted, const View& view) const {
  BA_ASSIGN(const auto url, find_url(view.transaction(), view.tables, wanted.url));
  if (!url) return std::optional<Observation>();
  BA_ASSIGN(HistoryCursor cursor, HistoryCursor::open(view.transaction(), view.tables, *url));
  BA_ASSIGN(auto near, cursor.as_of(wanted.time));
  if (near) return near;
  return cursor.first();
}

// What is packed is no base: reading it takes longer than a difference is worth until the new object is packed too.
Result<void> Writer::Impl::load_page_bases(PageBases& found, const WantedCapture& wanted, const View& view) const {
  BA_ASSIGN(const auto near, nearest(wanted, view));
  if (!near) return {};
  BA_ASSIGN(const VersionId id, view.version_id(near->version));
  const LooseStore& loose = view.objects.loose();
  BA_ASSIGN(const bool at_hand, loose.contains(id.hash));
  if (!at_hand) return {};
  BA_ASSIGN(const Version version, load_version(view.objects, id));
  BA_ASSIGN(found.layout, loose.find_base(version.layout.hash));
  BA_ASSIGN(found.tree, loose.find_base(version.tree.hash));
  if (!found.tree) return {};
  BA_ASSIGN(const BlockTree tree, decode_block_tree(found.tree->content));
  std::unordered_set<Hash256> seen;
  for (const TreeNode& node : tree.nodes) {
    if (!node.is_leaf() || node.content.kind != ObjectKind::list || !seen.insert(node.content.hash).second) continue;
    BA_ASSIGN(found.lists.emplace_back(), loose.find_base(node.content.hash));
  }
  return {};
}

// Stages the object if it is new. Afterwards `base` is the object itself, for the next version.
Result<void> Writer::Impl::stage_from_base(PendingVersion& version, const ObjectId& id, ByteView content,
                                           std::optional<LooseBase>& base, const View& view) {
  if (base && base->id == id.hash) return {};
  BA_ASSIGN(const bool wanted_here, is_new(view, id.hash));
  if (wanted_here) {
    LooseObject object = make_loose_object(id, content, base ? &*base : nullptr);
    remember_base(base, object, content);
    stage(version, std::move(object));
    return {};
  }
  // An earlier one has come back. Where the batch holds it, the next version goes without a base.
  base = std::nullopt;
  if (pending_objects.count(id.hash)) return {};
  auto known = view.objects.loose().find_base(id.hash);
  if (known) base = std::move(*known);
  return {};
}

Result<void> Writer::Impl::stage_contents(PendingVersion& version, CutPage& cut, PageBases& page_bases,
                                          const View& view) {
  std::size_t lists = 0;
  for (std::size_t i = 0; i < cut.page.objects.size(); ++i) {
    const PageObject& object = cut.page.objects[i];
    if (object.id.kind == ObjectKind::list) {
      // The list at the same place of the page before; where lists have moved, the difference is not smaller and the
      // list is stored whole.
      if (page_bases.lists.size() == lists) page_bases.lists.emplace_back();
      BA_TRY(stage_from_base(version, object.id, object.content, page_bases.lists[lists++], view));
      continue;
    }
    if (cut.stored[i]) continue;
    BA_ASSIGN(const bool wanted_here, is_new(view, object.id.hash));
    if (!wanted_here) continue;
    const auto ready = cut.compressed.find(object.id.hash);
    stage(version,
          ready != cut.compressed.end() ? std::move(ready->second) : make_loose_object(object.id, object.content));
  }
  page_bases.lists.resize(lists);
  return {};
}

Result<std::size_t> Writer::Impl::stage_page(const WantedCapture& wanted, CutPage cut, const View& view) {
  PageBases& known = bases_of(wanted);
  if (!known.page_loaded) {
    known.page_loaded = true;
    // Damage in an old page must not keep a new one out: without a base, objects are stored whole.
    PageBases found;
    if (load_page_bases(found, wanted, view)) {
      known.layout = std::move(found.layout);
      known.tree = std::move(found.tree);
      known.lists = std::move(found.lists);
    }
  }
  PendingVersion pending{cut.version, cut.id, std::nullopt, {}, wanted.profile};
  PageBases page_bases{known.layout, known.tree, known.lists, true, {}, false};
  const auto stage_all = [&]() -> Result<void> {
    BA_TRY(stage_contents(pending, cut, page_bases, view));
    BA_TRY(stage_from_base(pending, cut.version.layout, cut.layout, page_bases.layout, view));
    BA_TRY(stage_from_base(pending, cut.version.tree, cut.tree, page_bases.tree, view));
    BA_ASSIGN(const bool version_is_new, is_new(view, cut.id.hash));
    if (version_is_new) stage(pending, make_loose_object(cut.id, encode_version(cut.version)));
    return {};
  };
  if (auto staged = stage_all(); !staged) {
    unstage(pending);
    return staged.error();
  }
  known.layout = std::move(page_bases.layout);
  known.tree = std::move(page_bases.tree);
  known.lists = std::move(page_bases.lists);
  return push_version(std::move(pending));
}

Result<std::size_t> Writer::Impl::version_for(PreparedCapture::Impl& prepared, const View& view) {
  if (prepared.epoch != epoch) {
    // What was stored then may have been collected since.
    prepared.stored.reset();
    prepared.cut.reset();
  }
  BA_ASSIGN(const auto known, known_version(prepared, view));
  if (known) return *known;
  if (!prepared.cut) {
    // The thread that was to prepare these bytes did so for another media type, or failed.
    BA_ASSIGN(prepared.cut, cut(prepared.wanted, view));
  }
  if (!prepared.wanted.profile.empty()) {
    // Another profile, or the same one before this batch, may have cut it alike.
    if (const auto same = version_of_id(prepared.cut->id, view)) return *same;
  }
  return stage_page(prepared.wanted, std::move(*prepared.cut), view);
}

// HTTP heads differ from one capture to the next by a date or a cookie, so each is stored as a difference too.
Result<void> Writer::Impl::set_metadata(PendingCapture& capture, const WantedCapture& wanted, const View& view) {
  if (wanted.metadata.empty()) return {};
  capture.metadata_content = encode_metadata(wanted.metadata);
  const MetadataId id{hash_object(ObjectKind::metadata, capture.metadata_content)};
  PageBases& known = bases_of(wanted);
  if (!known.metadata_loaded) {
    known.metadata_loaded = true;
    BA_ASSIGN(const auto near, nearest(wanted, view));
    if (near && near->metadata) {
      const auto before = view.metadata_id(*near->metadata);
      auto base =
          before ? view.objects.loose().find_base(before->hash) : Result<std::optional<LooseBase>>(std::nullopt);
      if (base) known.metadata = std::move(*base);
    }
  }
  const bool again = known.metadata && known.metadata->id == id.hash;
  capture.metadata =
      make_loose_object(id, capture.metadata_content, known.metadata && !again ? &*known.metadata : nullptr);
  if (!again) remember_base(known.metadata, *capture.metadata, capture.metadata_content);
  pending_bytes += capture.metadata->value.size() + capture.metadata_content.size() + sizeof(PendingCapture);
  return {};
}

Result<VersionId> Writer::Impl::add(PreparedCapture::Impl prepared) {
  BA_ASSIGN(const ReadTransaction transaction, hot->lmdb.read());
  const View view(transaction, hot->tables(), packs);
  BA_ASSIGN(const std::size_t version, version_for(prepared, view));
  PendingCapture capture{prepared.wanted.url, prepared.wanted.time, version, std::nullopt, {}, {}};
  capture.url_metadata = prepared.wanted.url_metadata;
  BA_TRY(set_metadata(capture, prepared.wanted, view));
  captures.push_back(std::move(capture));
  return versions[version].id;
}

Result<void> Writer::Impl::add_repeat(const RepeatRequest& request) {
  WantedCapture wanted;
  BA_ASSIGN(wanted.metadata, make_metadata(request.metadata));
  BA_ASSIGN(wanted.url, parse_url(request.url));
  wanted.time = request.time;
  BA_ASSIGN(const ReadTransaction transaction, hot->lmdb.read());
  const View view(transaction, hot->tables(), packs);
  BA_ASSIGN(const std::size_t version, version_of_id(request.version, view));
  PendingCapture capture{wanted.url, wanted.time, version, std::nullopt, {}};
  BA_TRY(set_metadata(capture, wanted, view));
  captures.push_back(std::move(capture));
  return {};
}

Result<void> Writer::Impl::give_way(const std::function<Result<void>()>& work) {
  constexpr std::chrono::milliseconds kTurn{120};  // longer than anybody waits between two tries
  constexpr std::chrono::minutes kPatience{10};
  if (!captures.empty()) return Error{ErrorCode::invalid, "a writer gives way with captures that are not committed"};
  if (!work && !lock->is_wanted()) return {};
  const std::unique_lock nobody_prepares(use);
  lock.reset();
  Result<void> done;
  if (work) {
    recent_blocks.clear();
    done = work();
  } else {
    std::this_thread::sleep_for(kTurn);
  }
  BA_ASSIGN(lock, FileLock::acquire(archive.path(kLockFile), kPatience));
  ++epoch;
  bases.clear();
  stored_ids.clear();
  clear_batch();
  BA_ASSIGN(hot, archive.hot());
  BA_ASSIGN(const ReadTransaction transaction, hot->lmdb.read());
  BA_ASSIGN(packs, archive.packs(transaction, hot->tables()));
  count_packed();
  return done;
}

void Writer::Impl::clear_batch() {
  versions.clear();
  captures.clear();
  versions_by_payload.clear();
  versions_by_id.clear();
  pending_objects.clear();
  pending_bytes = 0;
  claims.clear();
}

PreparedCapture::PreparedCapture(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PreparedCapture::PreparedCapture(PreparedCapture&&) noexcept = default;
PreparedCapture& PreparedCapture::operator=(PreparedCapture&&) noexcept = default;
PreparedCapture::~PreparedCapture() = default;

std::uint64_t PreparedCapture::payload_size() const {
  return impl_->wanted.payload.size();
}

const Hash256& PreparedCapture::payload_hash() const {
  return impl_->wanted.hash;
}

Writer::Writer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() = default;

Result<PreparedCapture> Writer::prepare(const CaptureRequest& request, std::vector<std::string>* warnings) const {
  BA_ASSIGN(auto prepared, impl_->prepare(request, warnings));
  return PreparedCapture(std::make_unique<PreparedCapture::Impl>(std::move(prepared)));
}

Result<VersionId> Writer::add(PreparedCapture prepared) {
  return impl_->add(std::move(*prepared.impl_));
}

Result<void> Writer::add_repeat(const RepeatRequest& request) {
  return impl_->add_repeat(request);
}

Result<VersionId> Writer::add(const CaptureRequest& request, std::vector<std::string>* warnings) {
  BA_ASSIGN(auto prepared, impl_->prepare(request, warnings));
  return impl_->add(std::move(prepared));
}

std::size_t Writer::pending_captures() const {
  return impl_->captures.size();
}

std::uint64_t Writer::pending_bytes() const {
  return impl_->pending_bytes;
}

std::size_t Writer::pending_objects() const {
  return impl_->pending_objects.size();
}

Result<void> Writer::give_way() {
  return impl_->give_way({});
}

Result<void> Writer::give_way_to(const std::function<Result<void>()>& work) {
  return impl_->give_way(work);
}

Result<std::vector<CaptureOutcome>> Writer::commit() {
  return impl_->commit();
}

Result<void> Writer::put_tag(const Tag& tag, bool replace) {
  return impl_->hot->lmdb.write([&](WriteTransaction& transaction) {
    return blockarch::put_tag(transaction, impl_->hot->tables(), tag, replace);
  });
}

Result<void> Writer::erase_tag(const std::string& name) {
  return impl_->hot->lmdb.write(
      [&](WriteTransaction& transaction) { return blockarch::erase_tag(transaction, impl_->hot->tables(), name); });
}

Result<void> Writer::put_setting(const Setting& setting) {
  BA_TRY(check_setting_name(setting.name));
  BA_TRY(impl_->hot->make_later_tables());
  const Tables tables = impl_->hot->tables();
  return impl_->hot->lmdb.write(
      [&](WriteTransaction& transaction) { return blockarch::put_setting(transaction, tables, setting); });
}

Result<void> Writer::erase_setting(const std::string& name) {
  const Tables tables = impl_->hot->tables();
  return impl_->hot->lmdb.write(
      [&](WriteTransaction& transaction) { return blockarch::erase_setting(transaction, tables, name); });
}

}  // namespace blockarch
