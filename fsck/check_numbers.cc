#include <fmt/format.h>

#include "base/coding.h"
#include "fsck/inspection.h"
#include "refs/sealed.h"

namespace blockarch {
namespace {

using number_table::kIdsPerValue;
constexpr std::size_t kIdSize = sizeof(Hash256::bytes);
// A key further beyond all others than this is damaged, and not to make the check allocate.
constexpr std::uint64_t kMaxGap = 1 << 16;

class NumberReader {
 public:
  NumberReader(Inspection& inspection, Numbering& numbers)
      : in_(inspection), numbers_(numbers), expected_(numbers.size() / kIdsPerValue) {}

  // Chunks that are not here are held by packs, or nobody asks for them; whoever does is noticed with the histories.
  void take(const KeyValue& at) {
    ByteReader reader(at.key);
    const std::uint64_t index = reader.fixed32();
    if (!reader.finish("key") || index > expected_ + kMaxGap || index > UINT32_MAX / kIdsPerValue) {
      in_.log.add(findings::kNumberDamaged,
                  fmt::format("table {} has a wrong key {}", numbers_.table(), to_hex(at.key.substr(0, 32))));
      return;
    }
    expected_ = std::max(expected_, index + 1);
    take_ids(static_cast<std::uint32_t>(index * kIdsPerValue), unseal(at.key, at.value, numbers_.table()));
  }

 private:
  void take_ids(std::uint32_t first, const Result<ByteView>& ids) {
    if (!ids || ids->empty() || ids->size() % kIdSize != 0 || ids->size() > kIdSize * kIdsPerValue) {
      in_.log.add(findings::kNumberDamaged, fmt::format("numbers {} to {} of table {} are damaged", first,
                                                        first + kIdsPerValue - 1, numbers_.table()));
      for (std::uint32_t i = 0; i < kIdsPerValue; ++i) numbers_.add_lost(first + i);
      return;
    }
    for (std::uint32_t i = 0; i < ids->size() / kIdSize; ++i) {
      const Hash256 id = Hash256::from_bytes(ids->substr(i * kIdSize, kIdSize));
      if (!id.is_zero()) numbers_.add_loose(first + i, id);  // zeros stand for what packs hold
    }
  }

  Inspection& in_;
  Numbering& numbers_;
  std::uint64_t expected_;
};

}  // namespace

Result<void> read_numbers(Inspection& in, Table table, Numbering& numbers) {
  NumberReader reader(in, numbers);
  BA_ASSIGN(Cursor cursor, in.transaction.cursor(table));
  BA_ASSIGN(auto at, cursor.first());
  while (at) {
    reader.take(*at);
    BA_ASSIGN(at, cursor.next());
  }
  return {};
}

}  // namespace blockarch
