#include <fmt/format.h>

#include <unordered_set>

#include "base/coding.h"
#include "fsck/inspection.h"

namespace blockarch {
namespace {

constexpr char kStage[] = "payload index";

// Whether the entry names the version rightly; what cannot be read cannot be compared.
bool is_right(const Inspection& in, std::uint64_t head, std::uint32_t number) {
  if (!in.versions.is_given(number)) return number < in.versions.size();
  const auto known = in.versions.payloads().find(number);
  if (known != in.versions.payloads().end()) return known->second == head;
  const auto packed = in.store.packed_version(number);
  if (!packed) return true;
  const auto own = packed->pack->payload_head(packed->ordinal);
  return !own || *own == head;
}

}  // namespace

// Packs find their versions by themselves; the table is for the others.
Result<void> check_payload_index(Inspection& in) {
  BA_ASSIGN(const TableStats stats, in.transaction.stats(in.tables.payloads));
  BA_ASSIGN(Cursor cursor, in.transaction.cursor(in.tables.payloads));
  std::unordered_set<std::uint32_t> found;
  std::uint64_t done = 0;
  BA_ASSIGN(auto at, cursor.first());
  while (at) {
    ByteReader key(at->key);
    const std::uint64_t head = key.fixed64();
    ByteReader reader(at->value);
    bool right = key.finish("key").has_value() && !reader.at_end();
    while (right && !reader.at_end()) {
      const std::uint32_t number = reader.fixed32();
      right = reader.ok() && is_right(in, head, number) && found.insert(number).second;
    }
    if (!right) {
      in.log.add(findings::kPayloadIndexWrong,
                 fmt::format("table payloads has a wrong entry under {}", to_hex(at->key.substr(0, 32))));
    }
    in.progress(kStage, ++done, stats.entries);
    BA_ASSIGN(at, cursor.next());
  }
  for (const auto& [number, id] : in.versions.loose()) {
    if (found.contains(number) || in.versions.is_packed(number) || !in.versions.payloads().contains(number)) continue;
    in.log.add(findings::kPayloadIndexMissing, fmt::format("version {} is not found by its page", short_id(id)));
  }
  return {};
}

}  // namespace blockarch
