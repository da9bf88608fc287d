#include "refs/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "refs/sealed.h"

namespace blockarch {
namespace {

bool has_table(const Tables& tables) {
  return tables.settings.handle != 0;
}

Result<Bytes> decode_setting(ByteView key, ByteView value) {
  BA_ASSIGN(const ByteView body, unseal(key, value, "settings"));
  if (!check_setting_name(key) || body.size() > kMaxSettingValue) {
    return Error{ErrorCode::corrupt, "an entry of table settings is not what can be put there"};
  }
  return Bytes(body);
}

}  // namespace

Result<void> check_setting_name(std::string_view name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte != 0x7f;
  });
  if (plain && !name.empty() && name.size() <= kMaxSettingName) return {};
  return Error{ErrorCode::invalid, fmt::format("a setting's name has 1 to {} bytes and no blanks", kMaxSettingName)};
}

Result<std::optional<Bytes>> find_setting(const ReadTransaction& transaction, const Tables& tables,
                                          std::string_view name) {
  if (!has_table(tables) || !check_setting_name(name)) return std::optional<Bytes>();
  BA_ASSIGN(const auto value, transaction.get(tables.settings, name));
  if (!value) return std::optional<Bytes>();
  BA_ASSIGN(Bytes body, decode_setting(name, *value));
  return std::optional<Bytes>(std::move(body));
}

Result<std::vector<Setting>> find_settings(const ReadTransaction& transaction, const Tables& tables,
                                           std::string_view prefix) {
  std::vector<Setting> settings;
  if (!has_table(tables)) return settings;
  BA_ASSIGN(Cursor cursor, transaction.cursor(tables.settings));
  BA_ASSIGN(auto entry, prefix.empty() ? cursor.first() : cursor.seek(prefix));
  while (entry && entry->key.starts_with(prefix)) {
    BA_ASSIGN(Bytes value, decode_setting(entry->key, entry->value));
    settings.push_back({std::string(entry->key), std::move(value)});
    BA_ASSIGN(entry, cursor.next());
  }
  return settings;
}

Result<void> put_setting(WriteTransaction& transaction, const Tables& tables, const Setting& setting) {
  assert(has_table(tables));
  BA_TRY(check_setting_name(setting.name));
  if (setting.value.size() > kMaxSettingValue) {
    return Error{ErrorCode::too_large,
                 fmt::format("setting '{}' is too large: at most {} bytes", setting.name, kMaxSettingValue)};
  }
  return transaction.put(tables.settings, setting.name, seal(setting.name, setting.value));
}

Result<void> erase_setting(WriteTransaction& transaction, const Tables& tables, std::string_view name) {
  BA_TRY(check_setting_name(name));
  if (has_table(tables)) {
    BA_ASSIGN(const bool erased, transaction.erase(tables.settings, name));
    if (erased) return {};
  }
  return Error{ErrorCode::not_found, fmt::format("there is no setting '{}'", name)};
}

}  // namespace blockarch
