#include <fmt/format.h>

#include "base/coding.h"
#include "fsck/inspection.h"
#include "refs/sealed.h"

namespace blockarch {
namespace {

using number_table::kIdsPerValue;
constexpr std::size_t kIdSize = sizeof(Hash256::bytes);
// A gap larger than this is a damaged key, and not to make the check allocate.
constexpr std::uint64_t kMaxGap = 1 << 16;

class NumberReader {
 public:
  NumberReader(Inspection& inspection, const char* table) : in_(inspection), table_(table) {}

  void take(const KeyValue& at) {
    ByteReader reader(at.key);
    const std::uint64_t index = reader.fixed32();
    if (!reader.finish("key") || index - expected_ > kMaxGap) {
      in_.log.add(findings::kNumberDamaged,
                  fmt::format("table {} has a wrong key {}", table_, to_hex(at.key.substr(0, 32))));
      return;
    }
    if (numbers_.size() % kIdsPerValue != 0) {
      in_.log.add(findings::kNumberMissing, place_text(expected_ - 1) + " are not all there");
    }
    for (; expected_ < index; ++expected_) {
      in_.log.add(findings::kNumberMissing, place_text(expected_) + " are missing");
    }
    expected_ = index + 1;
    numbers_.resize(index * kIdsPerValue);
    take_ids(index, unseal(at.key, at.value, table_));
  }

  std::vector<Numbered> finish() { return std::move(numbers_); }

 private:
  void take_ids(std::uint64_t index, const Result<ByteView>& ids) {
    if (!ids || ids->empty() || ids->size() % kIdSize != 0 || ids->size() > kIdSize * kIdsPerValue) {
      in_.log.add(findings::kNumberDamaged, place_text(index) + " are damaged");
      numbers_.resize(numbers_.size() + kIdsPerValue);
      return;
    }
    for (std::size_t i = 0; i < ids->size(); i += kIdSize) {
      numbers_.emplace_back();
      numbers_.back().id = Hash256::from_bytes(ids->substr(i, kIdSize));
    }
  }

  std::string place_text(std::uint64_t index) const {
    const std::uint64_t first = index * kIdsPerValue;
    return fmt::format("numbers {} to {} of table {}", first, first + kIdsPerValue - 1, table_);
  }

  Inspection& in_;
  const char* table_;
  std::uint64_t expected_ = 0;
  std::vector<Numbered> numbers_;
};

}  // namespace

Result<std::vector<Numbered>> read_numbers(Inspection& in, Table table, const char* table_name) {
  NumberReader reader(in, table_name);
  BA_ASSIGN(Cursor cursor, in.transaction.cursor(table));
  BA_ASSIGN(auto at, cursor.first());
  while (at) {
    reader.take(*at);
    BA_ASSIGN(at, cursor.next());
  }
  return reader.finish();
}

}  // namespace blockarch
