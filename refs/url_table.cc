#include "refs/url_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/coding.h"
#include "refs/sealed.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxEncodedMetadata = kMaxUrlMetadataEntries * (kMaxMetadataKey + kMaxUrlMetadataValue + 8) + 8;

Bytes record_key(UrlNumber number) {
  Bytes key;
  put_fixed32(key, number.value);
  return key;
}

Result<UrlNumber> read_number(ByteView key, ByteView value) {
  BA_ASSIGN(const ByteView body, unseal(key, value, "urls"));
  ByteReader reader(body);
  const UrlNumber number{reader.fixed32()};
  BA_TRY(reader.finish("an entry of table urls"));
  return number;
}

Result<UrlNumber> next_number(const ReadTransaction& transaction, const Tables& tables) {
  BA_ASSIGN(Cursor cursor, transaction.cursor(tables.url_records));
  BA_ASSIGN(const auto last, cursor.last());
  if (!last) return UrlNumber{0};
  const std::uint32_t number = ByteReader(last->key).fixed32();
  if (number >= UINT32_MAX - 1) return Error{ErrorCode::too_large, "the archive holds as many URLs as it can number"};
  return UrlNumber{number + 1};
}

// The key stands in the record too, so that the urls table can be rebuilt from the records alone.
Result<void> put_record(WriteTransaction& transaction, const Tables& tables, UrlNumber number,
                        const UrlRecord& record) {
  Bytes body;
  put_string(body, record.given);
  put_string(body, record.key);
  if (!record.metadata.empty()) put_string(body, encode_metadata(record.metadata));
  const Bytes key = record_key(number);
  return transaction.put(tables.url_records, key, seal(key, std::move(body)));
}

// What set_url_metadata() writes, and nothing else.
bool is_url_metadata(const Metadata& metadata) {
  if (metadata.empty() || metadata.entries.size() > kMaxUrlMetadataEntries) return false;
  for (std::size_t i = 0; i < metadata.entries.size(); ++i) {
    if (metadata.entries[i].second.size() > kMaxUrlMetadataValue) return false;
    if (i > 0 && metadata.entries[i - 1].first == metadata.entries[i].first) return false;
  }
  return true;
}

}  // namespace

Result<std::optional<UrlNumber>> find_url(const ReadTransaction& transaction, const Tables& tables, const Url& url) {
  BA_ASSIGN(const auto value, transaction.get(tables.urls, url.key));
  if (!value) return std::optional<UrlNumber>();
  BA_ASSIGN(const UrlNumber number, read_number(url.key, *value));
  return std::optional<UrlNumber>(number);
}

Result<UrlNumber> add_url(WriteTransaction& transaction, const Tables& tables, const Url& url) {
  BA_ASSIGN(const auto known, find_url(transaction, tables, url));
  if (known) return *known;
  BA_ASSIGN(const UrlNumber number, next_number(transaction, tables));
  Bytes body;
  put_fixed32(body, number.value);
  BA_TRY(transaction.put(tables.urls, url.key, seal(url.key, std::move(body))));
  BA_TRY(put_record(transaction, tables, number, {url.given, url.key, {}}));
  return number;
}

Result<UrlRecord> decode_url_record(ByteView key, ByteView value) {
  BA_ASSIGN(const ByteView body, unseal(key, value, "url_records"));
  ByteReader reader(body);
  UrlRecord record;
  record.given = reader.string(kMaxUrlLength);
  record.key = reader.string(kMaxUrlKey);
  if (reader.ok() && !reader.at_end()) {
    BA_ASSIGN(record.metadata, decode_metadata(reader.string(kMaxEncodedMetadata)));
    if (!is_url_metadata(record.metadata)) reader.fail();
  }
  BA_TRY(reader.finish("an entry of table url_records"));
  return record;
}

Result<UrlRecord> url_record(const ReadTransaction& transaction, const Tables& tables, UrlNumber number) {
  const Bytes key = record_key(number);
  BA_ASSIGN(const auto value, transaction.get(tables.url_records, key));
  if (!value)
    return Error{ErrorCode::corrupt, fmt::format("URL number {} has no record: run blockarch fsck", number.value)};
  return decode_url_record(key, *value);
}

Result<Metadata> make_url_metadata(std::vector<std::pair<std::string, std::string>> entries) {
  BA_ASSIGN(const Metadata sorted, make_metadata(std::move(entries)));
  Metadata metadata;
  for (const auto& entry : sorted.entries) {
    if (entry.second.size() > kMaxUrlMetadataValue) {
      return Error{ErrorCode::invalid, fmt::format("URL metadata value of '{}' is too long: at most {} bytes",
                                                   entry.first, kMaxUrlMetadataValue)};
    }
    if (!metadata.empty() && metadata.entries.back().first == entry.first) metadata.entries.pop_back();
    metadata.entries.push_back(entry);
  }
  if (metadata.entries.size() > kMaxUrlMetadataEntries) {
    return Error{ErrorCode::invalid, fmt::format("{} keys of URL metadata are too many: at most {}",
                                                 metadata.entries.size(), kMaxUrlMetadataEntries)};
  }
  return metadata;
}

Result<void> set_url_metadata(WriteTransaction& transaction, const Tables& tables, UrlNumber number,
                              const Metadata& metadata) {
  if (metadata.empty()) return {};
  BA_ASSIGN(UrlRecord record, url_record(transaction, tables, number));
  Metadata merged;
  // Of equal keys std::merge takes the first range's first.
  std::vector<std::pair<std::string, std::string>> all;
  std::merge(record.metadata.entries.begin(), record.metadata.entries.end(), metadata.entries.begin(),
             metadata.entries.end(), std::back_inserter(all),
             [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& entry : all) {
    if (!merged.empty() && merged.entries.back().first == entry.first) merged.entries.pop_back();
    merged.entries.push_back(std::move(entry));
  }
  if (merged == record.metadata) return {};
  if (merged.entries.size() > kMaxUrlMetadataEntries) {
    return Error{ErrorCode::too_large, fmt::format("{} would have {} keys of metadata: at most {}", record.given,
                                                   merged.entries.size(), kMaxUrlMetadataEntries)};
  }
  record.metadata = std::move(merged);
  return put_record(transaction, tables, number, record);
}

Result<void> erase_url(WriteTransaction& transaction, const Tables& tables, UrlNumber number) {
  BA_ASSIGN(const UrlRecord record, url_record(transaction, tables, number));
  BA_TRY(transaction.erase(tables.urls, record.key));
  BA_TRY(transaction.erase(tables.url_records, record_key(number)));
  return {};
}

Result<std::string> url_given(const ReadTransaction& transaction, const Tables& tables, UrlNumber number) {
  BA_ASSIGN(UrlRecord record, url_record(transaction, tables, number));
  return std::move(record.given);
}

Result<UrlCursor> UrlCursor::open(const ReadTransaction& transaction, const Tables& tables, std::string prefix) {
  BA_ASSIGN(Cursor cursor, transaction.cursor(tables.urls));
  return UrlCursor(transaction, tables, std::move(cursor), std::move(prefix));
}

Result<std::optional<UrlEntry>> UrlCursor::next() {
  std::optional<KeyValue> at;
  if (started_) {
    BA_ASSIGN(at, cursor_.next());
  } else if (prefix_.empty()) {
    BA_ASSIGN(at, cursor_.first());
  } else {
    BA_ASSIGN(at, cursor_.seek(prefix_));
  }
  started_ = true;
  if (!at || !at->key.starts_with(prefix_)) return std::optional<UrlEntry>();
  BA_ASSIGN(const UrlNumber number, read_number(at->key, at->value));
  UrlEntry entry{number, std::string(at->key), {}, {}};
  BA_ASSIGN(UrlRecord record, url_record(*transaction_, tables_, number));
  entry.given = std::move(record.given);
  entry.metadata = std::move(record.metadata);
  return std::optional<UrlEntry>(std::move(entry));
}

}  // namespace blockarch
