#include "refs/url_table.h"

#include <fmt/format.h>

#include "base/coding.h"
#include "refs/sealed.h"

namespace blockarch {
namespace {

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
  // The key stands in the record too, so that the urls table can be rebuilt from the records alone.
  Bytes record;
  put_string(record, url.given);
  put_string(record, url.key);
  const Bytes key = record_key(number);
  BA_TRY(transaction.put(tables.url_records, key, seal(key, std::move(record))));
  return number;
}

Result<std::string> url_given(const ReadTransaction& transaction, const Tables& tables, UrlNumber number) {
  const Bytes key = record_key(number);
  BA_ASSIGN(const auto value, transaction.get(tables.url_records, key));
  if (!value)
    return Error{ErrorCode::corrupt, fmt::format("URL number {} has no record: run blockarch fsck", number.value)};
  BA_ASSIGN(const ByteView body, unseal(key, *value, "url_records"));
  ByteReader reader(body);
  std::string given(reader.string(kMaxUrlLength));
  reader.string(kMaxUrlKey);
  BA_TRY(reader.finish("an entry of table url_records"));
  return given;
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
  UrlEntry entry{number, std::string(at->key), {}};
  BA_ASSIGN(entry.given, url_given(*transaction_, tables_, number));
  return std::optional<UrlEntry>(std::move(entry));
}

}  // namespace blockarch
