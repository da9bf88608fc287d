#include <fmt/format.h>

#include "base/coding.h"
#include "fsck/inspection.h"

namespace blockarch {
namespace {

constexpr char kStage[] = "payload index";
constexpr std::size_t kPayloadKeySize = 8;  // the beginning of the payload's hash

// Whether the entry names the version rightly; what cannot be read cannot be compared.
bool is_right(const Inspection& in, ByteView key, std::uint32_t number) {
  if (number >= in.versions.size()) return false;
  const auto& payload = in.versions[number].payload;
  return !payload || payload->view().starts_with(key);
}

}  // namespace

Result<void> check_payload_index(Inspection& in) {
  BA_ASSIGN(const TableStats stats, in.transaction.stats(in.tables.payloads));
  BA_ASSIGN(Cursor cursor, in.transaction.cursor(in.tables.payloads));
  std::vector<bool> found(in.versions.size(), false);
  std::uint64_t done = 0;
  BA_ASSIGN(auto at, cursor.first());
  while (at) {
    ByteReader reader(at->value);
    bool right = at->key.size() == kPayloadKeySize && !reader.at_end();
    while (right && !reader.at_end()) {
      const std::uint32_t number = reader.fixed32();
      right = reader.ok() && is_right(in, at->key, number) && !found[number];
      if (right) found[number] = true;
    }
    if (!right) {
      in.log.add(findings::kPayloadIndexWrong,
                 fmt::format("table payloads has a wrong entry under {}", to_hex(at->key.substr(0, 32))));
    }
    in.progress(kStage, ++done, stats.entries);
    BA_ASSIGN(at, cursor.next());
  }
  for (std::size_t number = 0; number < found.size(); ++number) {
    const auto& payload = in.versions[number].payload;
    if (found[number] || !payload) continue;
    in.log.add(findings::kPayloadIndexMissing, fmt::format("version {} is not found by its page {}",
                                                           short_id(*in.versions[number].id), short_id(*payload)));
  }
  return {};
}

}  // namespace blockarch
