#include "engine/hot_rewrite.h"

#include "base/coding.h"
#include "objects/block_list.h"
#include "refs/history_chunk.h"
#include "refs/hot_file.h"
#include "refs/pack_table.h"
#include "refs/payload_index.h"
#include "refs/removed.h"

namespace blockarch {
namespace {

// Entries read before the memory that they take is let go.
constexpr std::uint64_t kBreath = 16'384;

class Rewriting {
 public:
  Rewriting(HotRewrite& rewrite, const Tables& to, WriteTransaction& out)
      : from_(rewrite.from), rewrite_(rewrite), to_(to), out_(out) {}

  Result<void> run() {
    numbers_ = rewrite_.numbers;
    BA_TRY(copy(from_.tables.urls, to_.urls));
    BA_TRY(copy(from_.tables.url_records, to_.url_records));
    BA_TRY(copy(from_.tables.tags, to_.tags));
    if (from_.tables.settings.handle != 0) BA_TRY(copy(from_.tables.settings, to_.settings));
    BA_TRY(add_pack(out_, to_, rewrite_.pack.name()));
    BA_TRY(copy_objects());
    BA_TRY(number_the_rest());
    BA_TRY(copy_history());
    return copy_removed();
  }

 private:
  Result<void> each(Table table, const std::function<Result<void>(const KeyValue&)>& use) {
    BA_ASSIGN(Cursor cursor, from_.transaction().cursor(table));
    BA_ASSIGN(auto entry, cursor.first());
    for (std::uint64_t seen = 1; entry; ++seen) {
      BA_TRY(use(*entry));
      if (seen % kBreath == 0) rewrite_.source.release_memory();
      BA_ASSIGN(entry, cursor.next());
    }
    return {};
  }

  Result<void> copy(Table from, Table to) {
    return each(from, [&](const KeyValue& entry) { return out_.append(to, entry.key, entry.value); });
  }

  // An object that is a difference from one that will be neither loose nor packed is written whole.
  Result<void> copy_objects() {
    return each(from_.tables.objects, [this](const KeyValue& entry) -> Result<void> {
      const Hash256 id = Hash256::from_bytes(entry.key);
      BA_ASSIGN(const bool packed, rewrite_.packed(id));
      if (packed) return {};
      BA_ASSIGN(const LooseStore::Stored stored, LooseStore::describe(entry.value));
      if (stored.base) {
        BA_ASSIGN(const bool base_packed, rewrite_.packed(*stored.base));
        BA_ASSIGN(const bool base_loose, from_.objects.loose().contains(*stored.base));
        if (!base_packed && !base_loose) return write_whole(id);
      }
      return out_.append(to_.objects, entry.key, entry.value);
    });
  }

  Result<void> write_whole(const Hash256& id) {
    BA_ASSIGN(const auto object, from_.objects.find(id));
    if (!object) return {};
    return out_.put(to_.objects, id.view(), make_loose_object({object->kind, id}, object->content).value);
  }

  // What has come in since the pack was begun.
  Result<void> number_the_rest() {
    const std::uint32_t packed_versions = rewrite_.pack.directory().versions;
    const std::uint32_t packed_metadata = rewrite_.pack.directory().metadata;
    BA_ASSIGN(const std::uint32_t versions, from_.version_count());
    for (auto n = static_cast<std::uint32_t>(numbers_.versions.size()); n < versions; ++n) {
      BA_ASSIGN(const VersionId id, from_.version_id(VersionNumber{n}));
      BA_TRY(keep_contents(id));
      BA_ASSIGN(const VersionNumber number, append_number(out_, to_.version_numbers, id, packed_versions));
      BA_ASSIGN(const Hash256 payload, from_.payload_hash(VersionNumber{n}));
      BA_TRY(add_payload(out_, to_.payloads, payload, number));
      numbers_.versions.push_back(number.value);
    }
    BA_ASSIGN(const std::uint32_t metadata, from_.metadata_count());
    for (auto n = static_cast<std::uint32_t>(numbers_.metadata.size()); n < metadata; ++n) {
      BA_ASSIGN(const MetadataId id, from_.metadata_id(MetadataNumber{n}));
      BA_TRY(keep(id.hash));
      BA_ASSIGN(const MetadataNumber number, append_number(out_, to_.metadata_numbers, id, packed_metadata));
      numbers_.metadata.push_back(number.value);
    }
    return {};
  }

  // A new version may share an object with one that nothing referred to any more when the pack was begun.
  Result<void> keep(const Hash256& id) {
    BA_ASSIGN(const auto loose, out_.get(to_.objects, id.view()));
    if (loose) return {};
    BA_ASSIGN(const bool packed, rewrite_.packed(id));
    return packed ? Result<void>() : write_whole(id);
  }

  Result<void> keep_contents(const VersionId& id) {
    BA_ASSIGN(const Version version, load_version(from_.objects, id));
    BA_ASSIGN(const BlockTree tree, load_block_tree(from_.objects, version.tree));
    BA_TRY(keep(id.hash));
    BA_TRY(keep(version.layout.hash));
    BA_TRY(keep(version.tree.hash));
    for (const TreeNode& node : tree.nodes) {
      if (!node.is_leaf()) continue;
      BA_TRY(keep(node.content.hash));
      if (node.content.kind != ObjectKind::list) continue;
      BA_ASSIGN(const BlockList list, load_block_list(from_.objects, ListId{node.content.hash}));
      for (const Chunk& chunk : list.chunks) BA_TRY(keep(chunk.id.hash));
    }
    return {};
  }

  Result<std::uint32_t> renumber(const std::vector<std::uint32_t>& numbers, std::uint32_t number) const {
    if (number < numbers.size() && numbers[number] != kNoNumber) return numbers[number];
    return Error{ErrorCode::corrupt, "a history names a number that was never given: run blockarch fsck"};
  }

  Result<void> renumber(Observation& o) const {
    BA_ASSIGN(o.version.value, renumber(numbers_.versions, o.version.value));
    if (o.metadata) {
      BA_ASSIGN(o.metadata->value, renumber(numbers_.metadata, o.metadata->value));
    }
    return {};
  }

  Result<void> copy_history() {
    return each(from_.tables.history, [this](const KeyValue& entry) -> Result<void> {
      BA_ASSIGN(const ChunkKey key, decode_chunk_key(entry.key));
      BA_ASSIGN(auto observations, decode_chunk(entry.key, entry.value));
      for (Observation& o : observations) BA_TRY(renumber(o));
      return out_.append(to_.history, entry.key, encode_chunk(key, observations));
    });
  }

  Result<void> copy_removed() {
    return each_removed(from_.transaction(), from_.tables, [this](Removed removed) -> Result<void> {
      for (Observation& o : removed.observations) BA_TRY(renumber(o));
      const Bytes key = encode_removed_key(removed.when, removed.order);
      return out_.append(to_.removed, key, encode_removed(key, removed));
    });
  }

  const View& from_;
  HotRewrite& rewrite_;
  const Tables to_;
  WriteTransaction& out_;
  Renumbering numbers_;
};

}  // namespace

Result<void> rewrite_hot(HotRewrite& rewrite, Hot& to) {
  return to.lmdb.write(
      [&](WriteTransaction& transaction) { return Rewriting(rewrite, to.tables(), transaction).run(); });
}

Result<void> copy_hot(Archive::Impl& archive) {
  BA_ASSIGN(const auto old, archive.hot());
  const std::uint32_t generation = old->generation + 1;
  {
    BA_ASSIGN(const auto made, create_hot(archive.path(hot_file_name(generation)), generation));
    BA_ASSIGN(const ReadTransaction from, old->lmdb.read());
    const auto copied = made->lmdb.write([&](WriteTransaction& to) -> Result<void> {
      const auto sources = all_tables(old->tables());
      const auto targets = all_tables(made->tables());
      for (std::size_t i = 0; i < sources.size(); ++i) {
        if (sources[i].handle == 0) continue;
        BA_ASSIGN(Cursor cursor, from.cursor(sources[i]));
        BA_ASSIGN(auto entry, cursor.first());
        while (entry) {
          BA_TRY(to.append(targets[i], entry->key, entry->value));
          BA_ASSIGN(entry, cursor.next());
        }
      }
      return {};
    });
    BA_TRY(copied);
  }
  BA_TRY(archive.files->sync_directory(archive.directory));
  return write_current(*archive.files, archive.directory, archive.path("packs/current.tmp"), generation);
}

}  // namespace blockarch
