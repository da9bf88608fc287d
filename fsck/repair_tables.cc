#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/coding.h"
#include "fsck/inspection.h"
#include "fsck/repairing.h"
#include "refs/history.h"
#include "refs/pack_table.h"
#include "refs/payload_index.h"
#include "refs/sealed.h"
#include "refs/url_table.h"

namespace blockarch {
namespace {

using number_table::kIdsPerValue;
constexpr std::size_t kIdSize = sizeof(Hash256::bytes);

Bytes number_key(std::uint32_t number) {
  Bytes key;
  put_fixed32(key, number);
  return key;
}

Result<void> each_entry(const ReadTransaction& transaction, Table table,
                        const std::function<Result<void>(const KeyValue&)>& use) {
  BA_ASSIGN(Cursor cursor, transaction.cursor(table));
  BA_ASSIGN(auto at, cursor.first());
  while (at) {
    BA_TRY(use(*at));
    BA_ASSIGN(at, cursor.next());
  }
  return {};
}

// All packs that can be opened.
Result<PackList> readable_packs(const Repairing& repair, const ReadTransaction& transaction, const Tables& tables) {
  FindingLog unused;
  BA_ASSIGN(const auto names, listed_packs(transaction, tables, unused));
  const auto cache = std::make_shared<FrameCache>(std::size_t{64} << 20);
  PackList packs;
  for (const Hash256& name : names) {
    auto pack = Pack::open(posix_files(), repair.directory + "/" + pack_file_name(name), cache);
    if (pack) packs.push_back(std::move(*pack));
  }
  return packs;
}

bool is_packed(const PackList& packs, std::uint32_t number) {
  return std::any_of(packs.begin(), packs.end(),
                     [&](const auto& pack) { return pack->version_ordinal(number).has_value(); });
}

// The ids of a number table that can be read; zeros are left out.
Result<std::map<std::uint32_t, Hash256>> loose_numbers(const ReadTransaction& transaction, Table table) {
  std::map<std::uint32_t, Hash256> numbers;
  const auto walked = each_entry(transaction, table, [&](const KeyValue& at) -> Result<void> {
    const auto ids = unseal(at.key, at.value, "numbers");
    ByteReader key(at.key);
    const std::uint32_t first = key.fixed32() * kIdsPerValue;
    if (!ids || !key.finish("key") || ids->size() % kIdSize != 0) return {};
    for (std::uint32_t i = 0; i < ids->size() / kIdSize; ++i) {
      const Hash256 id = Hash256::from_bytes(ids->substr(i * kIdSize, kIdSize));
      if (!id.is_zero()) numbers.emplace(first + i, id);
    }
    return {};
  });
  BA_TRY(walked);
  return numbers;
}

}  // namespace

Result<void> put_number(WriteTransaction& transaction, Table table, std::uint32_t number, const Hash256& id) {
  const Bytes key = number_key(number / kIdsPerValue);
  Bytes ids;
  BA_ASSIGN(const auto value, transaction.get(table, key));
  if (value) {
    const auto before = unseal(key, *value, "numbers");
    if (before) ids = *before;
  }
  const std::size_t at = number % kIdsPerValue * kIdSize;
  if (ids.size() < at + kIdSize) ids.resize(at + kIdSize, '\0');
  ids.replace(at, kIdSize, id.view());
  return transaction.put(table, key, seal(key, std::move(ids)));
}

// One that is stored as a difference from a damaged one goes with it.
Result<void> repair_objects(Repairing& repair, OpenTables& open) {
  std::vector<std::pair<Hash256, Bytes>> damaged;
  {
    BA_ASSIGN(const ReadTransaction transaction, open.lmdb.read());
    BA_ASSIGN(PackList packs, readable_packs(repair, transaction, open.tables));
    const ObjectStore store(transaction, open.tables.objects, std::move(packs));
    const auto walked = each_entry(transaction, open.tables.objects, [&](const KeyValue& at) -> Result<void> {
      if (at.key.size() != kIdSize) return {};
      const Hash256 id = Hash256::from_bytes(at.key);
      const auto object = store.loose().find(id);
      if (object) return {};
      if (object.error().code != ErrorCode::corrupt) return object.error();
      damaged.emplace_back(id, Bytes(at.value));
      return {};
    });
    BA_TRY(walked);
  }
  for (const auto& [id, value] : damaged) {
    BA_TRY(quarantine_bytes(repair, "object-" + id.hex(), value));
    repair.actions.push_back(fmt::format("damaged object {} moved into {}/", short_id(id), kQuarantineDirectory));
  }
  if (damaged.empty()) return {};
  return open.lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
    for (const auto& [id, value] : damaged) BA_TRY(transaction.erase(open.tables.objects, id.view()));
    return {};
  });
}

Result<void> rebuild_url_keys(Repairing& repair, OpenTables& open) {
  std::uint64_t changed = 0;
  const auto written = open.lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
    changed = 0;
    std::map<Bytes, Bytes> right;
    const auto walked = each_entry(transaction, open.tables.url_records, [&](const KeyValue& at) -> Result<void> {
      const auto record = decode_url_record(at.key, at.value);
      if (record && at.key.size() == sizeof(std::uint32_t))
        right.try_emplace(record->key, seal(record->key, Bytes(at.key)));
      return {};
    });
    BA_TRY(walked);
    // Entries that are sound and whose record is not are all that is left of their URL.
    std::vector<Bytes> wrong;
    const auto compared = each_entry(transaction, open.tables.urls, [&](const KeyValue& at) -> Result<void> {
      if (!right.contains(Bytes(at.key)) && !unseal(at.key, at.value, "urls")) wrong.emplace_back(at.key);
      return {};
    });
    BA_TRY(compared);
    for (const Bytes& key : wrong) BA_TRY(transaction.erase(open.tables.urls, key));
    changed += wrong.size();
    for (const auto& [key, value] : right) {
      BA_ASSIGN(const auto now, transaction.get(open.tables.urls, key));
      if (now && *now == value) continue;
      BA_TRY(transaction.put(open.tables.urls, key, value));
      ++changed;
    }
    return {};
  });
  BA_TRY(written);
  if (changed > 0) repair.actions.push_back(fmt::format("{} entries of table urls made anew", changed));
  return {};
}

Result<void> rebuild_payload_index(Repairing& repair, OpenTables& open) {
  bool changed = false;
  const auto written = open.lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
    BA_ASSIGN(const PackList packs, readable_packs(repair, transaction, open.tables));
    const ObjectStore store(transaction, open.tables.objects, packs);
    BA_ASSIGN(const auto numbers, loose_numbers(transaction, open.tables.version_numbers));
    std::map<Bytes, Bytes> right;
    for (const auto& [number, id] : numbers) {
      if (is_packed(packs, number)) continue;
      const auto version = load_version(store, VersionId{id});
      if (version) right[Bytes(version->payload_hash.view().substr(0, 8))].append(number_key(number));
    }
    std::map<Bytes, Bytes> now;
    const auto walked = each_entry(transaction, open.tables.payloads, [&](const KeyValue& at) -> Result<void> {
      now.emplace(at.key, at.value);
      return {};
    });
    BA_TRY(walked);
    changed = now != right;
    if (!changed) return {};
    for (const auto& [key, value] : now) BA_TRY(transaction.erase(open.tables.payloads, key));
    for (const auto& [key, value] : right) BA_TRY(transaction.put(open.tables.payloads, key, value));
    return {};
  });
  BA_TRY(written);
  if (changed) repair.actions.push_back("table payloads made anew");
  return {};
}

namespace {

class Dropping {
 public:
  Dropping(Repairing& repair, OpenTables& open, const FsckReport& found)
      : repair_(repair), open_(open), found_(found) {}

  Result<void> run() {
    BA_TRY(set_aside_damaged(open_.tables.history, "history"));
    BA_TRY(set_aside_damaged(open_.tables.version_numbers, "version_numbers"));
    BA_TRY(set_aside_damaged(open_.tables.metadata_numbers, "metadata_numbers"));
    const auto written = open_.lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
      dropped_ = 0;
      forgotten_ = 0;
      BA_TRY(drop_observations(transaction));
      BA_TRY(drop_empty_urls(transaction));
      BA_TRY(drop_numbers(transaction, open_.tables.version_numbers, found_.broken_versions));
      return drop_numbers(transaction, open_.tables.metadata_numbers, found_.broken_metadata);
    });
    BA_TRY(written);
    if (dropped_ > 0) repair_.actions.push_back(fmt::format("{} lost captures taken out of their histories", dropped_));
    if (forgotten_ > 0) repair_.actions.push_back(fmt::format("{} URLs without captures forgotten", forgotten_));
    return {};
  }

 private:
  static bool is_lost(const std::vector<std::uint32_t>& broken, std::uint64_t end, std::uint32_t number) {
    return number >= end || std::binary_search(broken.begin(), broken.end(), number);
  }

  // Entries whose seal does not hold.
  Result<void> set_aside_damaged(Table table, const std::string& name) {
    std::vector<Bytes> keys;
    {
      BA_ASSIGN(const ReadTransaction transaction, open_.lmdb.read());
      const auto walked = each_entry(transaction, table, [&](const KeyValue& at) -> Result<void> {
        const bool sound = table.handle == open_.tables.history.handle ? decode_chunk(at.key, at.value).has_value()
                                                                       : unseal(at.key, at.value, name).has_value();
        if (sound) return {};
        keys.emplace_back(at.key);
        return quarantine_bytes(repair_, name + "-" + to_hex(at.key), at.value);
      });
      BA_TRY(walked);
    }
    if (keys.empty()) return {};
    repair_.actions.push_back(
        fmt::format("{} damaged entries of table {} moved into {}/", keys.size(), name, kQuarantineDirectory));
    return open_.lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
      for (const Bytes& key : keys) BA_TRY(transaction.erase(table, key));
      return {};
    });
  }

  // URL by URL: what stays, and whether anything changes.
  Result<void> drop_observations(WriteTransaction& transaction) {
    struct Kept {
      std::vector<Observation> observations;
      std::optional<Observation> last;
      bool changed = false;
    };
    std::map<std::uint32_t, Kept> urls;
    const auto walked = each_entry(transaction, open_.tables.history, [&](const KeyValue& at) -> Result<void> {
      BA_ASSIGN(const ChunkKey key, decode_chunk_key(at.key));
      BA_ASSIGN(const auto observations, decode_chunk(at.key, at.value));
      Kept& kept = urls[key.url.value];
      for (Observation o : observations) {
        if (is_lost(found_.broken_versions, found_.versions_end, o.version.value)) {
          kept.changed = true;
          ++dropped_;
          continue;
        }
        if (o.metadata && is_lost(found_.broken_metadata, found_.metadata_end, o.metadata->value)) {
          kept.changed = true;
          o.metadata.reset();
        }
        kept.observations.push_back(o);
      }
      return {};
    });
    BA_TRY(walked);
    for (auto& [number, kept] : urls) {
      std::stable_sort(kept.observations.begin(), kept.observations.end(),
                       [](const Observation& a, const Observation& b) { return a.time < b.time; });
      // Also where a damaged part was set aside: ranks count from the part before.
      BA_TRY(replace_history(transaction, open_.tables, UrlNumber{number}, kept.observations));
    }
    return {};
  }

  Result<void> drop_empty_urls(WriteTransaction& transaction) {
    std::vector<UrlNumber> empty;
    const auto walked = each_entry(transaction, open_.tables.url_records, [&](const KeyValue& at) -> Result<void> {
      ByteReader key(at.key);
      const UrlNumber number{key.fixed32()};
      if (!key.finish("key") || !decode_url_record(at.key, at.value)) return {};
      BA_ASSIGN(const std::uint64_t captures, count_observations(transaction, open_.tables, number));
      if (captures == 0) empty.push_back(number);
      return {};
    });
    BA_TRY(walked);
    for (const UrlNumber number : empty) BA_TRY(erase_url(transaction, open_.tables, number));
    forgotten_ = empty.size();
    return {};
  }

  Result<void> drop_numbers(WriteTransaction& transaction, Table table, const std::vector<std::uint32_t>& broken) {
    BA_ASSIGN(const auto numbers, loose_numbers(transaction, table));
    for (const std::uint32_t number : broken) {
      if (numbers.contains(number)) BA_TRY(put_number(transaction, table, number, Hash256{}));
    }
    return {};
  }

  Repairing& repair_;
  OpenTables& open_;
  const FsckReport& found_;
  std::uint64_t dropped_ = 0;
  std::uint64_t forgotten_ = 0;
};

}  // namespace

Result<void> drop_lost_captures(Repairing& repair, OpenTables& open, const FsckReport& found) {
  return Dropping(repair, open, found).run();
}

}  // namespace blockarch
