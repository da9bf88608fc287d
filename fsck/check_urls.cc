#include <fmt/format.h>

#include "base/coding.h"
#include "fsck/inspection.h"
#include "refs/settings.h"
#include "refs/tags.h"
#include "refs/url_table.h"

namespace blockarch {
namespace {

Result<std::optional<UrlNumber>> find_by_key(const Inspection& in, ByteView key) {
  Url url;
  url.key = key;
  return find_url(in.transaction, in.tables, url);
}

// From a record to its key and back.
Result<void> check_record(Inspection& in, const KeyValue& at) {
  ByteReader reader(at.key);
  const UrlNumber number{reader.fixed32()};
  const auto record = decode_url_record(at.key, at.value);
  if (!reader.finish("key") || !record) {
    in.log.add(findings::kUrlRecordDamaged,
               fmt::format("the record of URL number {} is damaged: which URL it was is lost", number.value));
    if (reader.ok()) in.recorded_urls.push_back(number.value);
    return {};
  }
  in.recorded_urls.push_back(number.value);
  const auto back = find_by_key(in, record->key);
  if (!back && back.error().code != ErrorCode::corrupt) return back.error();
  if (!back) return {};  // said where the entry itself is looked at
  if (*back == number) return {};
  in.log.add(findings::kUrlMismatch,
             fmt::format("{} (number {}) {}", record->given, number.value,
                         *back ? fmt::format("is found as number {}", (*back)->value) : "is not found by its name"));
  return {};
}

// From a key to its record.
Result<void> check_key(Inspection& in, ByteView key) {
  ++in.report.urls;
  const auto number = find_by_key(in, key);
  if (!number) {
    if (number.error().code != ErrorCode::corrupt) return number.error();
    in.log.add(findings::kUrlDamaged, fmt::format("the entry of URL key '{}' is damaged", key));
    return {};
  }
  Bytes record_key;
  put_fixed32(record_key, (*number)->value);
  BA_ASSIGN(const auto value, in.transaction.get(in.tables.url_records, record_key));
  if (!value) {
    in.log.add(findings::kUrlRecordMissing,
               fmt::format("URL key '{}' has number {}, which has no record", key, (*number)->value));
    return {};
  }
  const auto record = decode_url_record(record_key, *value);
  if (record && record->key != key) {
    in.log.add(findings::kUrlMismatch, fmt::format("URL key '{}' has number {}, whose record is that of {}", key,
                                                   (*number)->value, record->given));
  }
  return {};
}

}  // namespace

Result<void> check_urls(Inspection& in) {
  constexpr char kStage[] = "urls";
  BA_ASSIGN(const TableStats stats, in.transaction.stats(in.tables.urls));
  BA_ASSIGN(Cursor records, in.transaction.cursor(in.tables.url_records));
  BA_ASSIGN(auto at, records.first());
  while (at) {
    BA_TRY(check_record(in, *at));
    BA_ASSIGN(at, records.next());
  }
  BA_ASSIGN(Cursor keys, in.transaction.cursor(in.tables.urls));
  BA_ASSIGN(at, keys.first());
  while (at) {
    BA_TRY(check_key(in, at->key));
    in.progress(kStage, in.report.urls, stats.entries);
    BA_ASSIGN(at, keys.next());
  }
  return {};
}

Result<void> check_tags(Inspection& in) {
  BA_ASSIGN(Cursor cursor, in.transaction.cursor(in.tables.tags));
  BA_ASSIGN(auto at, cursor.first());
  while (at) {
    const auto tag = find_tag(in.transaction, in.tables, at->key);
    if (!tag && tag.error().code != ErrorCode::corrupt) return tag.error();
    if (!tag || !*tag) {
      in.log.add(findings::kTagDamaged, fmt::format("tag '{}' is damaged", at->key.substr(0, kMaxTagName)));
    }
    BA_ASSIGN(at, cursor.next());
  }
  return {};
}

Result<void> check_settings(Inspection& in) {
  if (in.tables.settings.handle == 0) return {};
  BA_ASSIGN(Cursor cursor, in.transaction.cursor(in.tables.settings));
  BA_ASSIGN(auto at, cursor.first());
  while (at) {
    const auto setting = find_setting(in.transaction, in.tables, at->key);
    if (!setting && setting.error().code != ErrorCode::corrupt) return setting.error();
    if (!setting || !*setting) {
      in.log.add(findings::kSettingDamaged, fmt::format("setting '{}' is damaged", at->key.substr(0, kMaxSettingName)));
    }
    BA_ASSIGN(at, cursor.next());
  }
  return {};
}

}  // namespace blockarch
