// Every URL of the archive: found by its key, numbered in order of arrival, kept as it was first given.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lmdb.h"
#include "base/result.h"
#include "base/url.h"
#include "objects/metadata.h"
#include "refs/tables.h"

namespace blockarch {

struct UrlNumber {
  std::uint32_t value = 0;
  auto operator<=>(const UrlNumber&) const = default;
};

struct UrlEntry {
  UrlNumber number;
  std::string key;
  std::string given;
  Metadata metadata;
};

// What the archive keeps of a URL beside its history.
struct UrlRecord {
  std::string given;
  std::string key;
  Metadata metadata;  // each key once
};

inline constexpr std::size_t kMaxUrlMetadataValue = 4096;
inline constexpr std::size_t kMaxUrlMetadataEntries = 256;

// Sorts and checks the limits (invalid); of a key that comes twice the last value counts.
Result<Metadata> make_url_metadata(std::vector<std::pair<std::string, std::string>> entries);

Result<std::optional<UrlNumber>> find_url(const ReadTransaction& transaction, const Tables& tables, const Url& url);
// Finds or adds.
Result<UrlNumber> add_url(WriteTransaction& transaction, const Tables& tables, const Url& url);
// Forgets the URL; its history must be gone.
Result<void> erase_url(WriteTransaction& transaction, const Tables& tables, UrlNumber number);
// The URL as it was first given.
Result<std::string> url_given(const ReadTransaction& transaction, const Tables& tables, UrlNumber number);
Result<UrlRecord> url_record(const ReadTransaction& transaction, const Tables& tables, UrlNumber number);
Result<UrlRecord> decode_url_record(ByteView key, ByteView value);

// Sets these keys and leaves the others as they are; writes nothing where nothing changes. too_large where the URL would
// have more than kMaxUrlMetadataEntries.
Result<void> set_url_metadata(WriteTransaction& transaction, const Tables& tables, UrlNumber number,
                              const Metadata& metadata);

// URLs in key order, those whose key begins with a prefix.
class UrlCursor {
 public:
  static Result<UrlCursor> open(const ReadTransaction& transaction, const Tables& tables, std::string prefix);
  // Nothing at the end.
  Result<std::optional<UrlEntry>> next();

 private:
  UrlCursor(const ReadTransaction& transaction, const Tables& tables, Cursor cursor, std::string prefix)
      : transaction_(&transaction), tables_(tables), cursor_(std::move(cursor)), prefix_(std::move(prefix)) {}

  const ReadTransaction* transaction_;
  Tables tables_;
  Cursor cursor_;
  std::string prefix_;
  bool started_ = false;
};

}  // namespace blockarch
