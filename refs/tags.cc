#include "refs/tags.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/coding.h"
#include "refs/sealed.h"

namespace blockarch {
namespace {

bool may_stand_in_name(char c) {
  const auto b = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-' || c == '/' || b >= 0x80;
}

Result<Tag> decode_tag(ByteView key, ByteView value) {
  BA_ASSIGN(const ByteView body, unseal(key, value, "tags"));
  ByteReader reader(body);
  Tag tag;
  tag.name = key;
  tag.instant.micros = reader.zigzag();
  tag.created.micros = reader.zigzag();
  tag.message = reader.string(kMaxTagMessage);
  BA_TRY(reader.finish("an entry of table tags"));
  return tag;
}

}  // namespace

Result<void> check_tag_name(std::string_view name) {
  const bool sized = !name.empty() && name.size() <= kMaxTagName;
  const bool plain = std::all_of(name.begin(), name.end(), may_stand_in_name);
  const bool digits = name.find_first_not_of("0123456789-") == std::string_view::npos;
  if (sized && plain && !digits && std::string_view(".-/").find(name[0]) == std::string_view::npos) return {};
  return Error{
      ErrorCode::invalid,
      fmt::format("'{}' cannot be a tag name: use letters, digits, '.', '_', '-' and '/', at most {} bytes, and "
                  "something a date cannot be",
                  name.substr(0, 80), kMaxTagName)};
}

Result<std::optional<Tag>> find_tag(const ReadTransaction& transaction, const Tables& tables, std::string_view name) {
  if (!check_tag_name(name)) return std::optional<Tag>();
  BA_ASSIGN(const auto value, transaction.get(tables.tags, name));
  if (!value) return std::optional<Tag>();
  BA_ASSIGN(Tag tag, decode_tag(name, *value));
  return std::optional<Tag>(std::move(tag));
}

Result<std::vector<Tag>> all_tags(const ReadTransaction& transaction, const Tables& tables) {
  std::vector<Tag> tags;
  BA_ASSIGN(Cursor cursor, transaction.cursor(tables.tags));
  BA_ASSIGN(auto entry, cursor.first());
  while (entry) {
    BA_ASSIGN(Tag tag, decode_tag(entry->key, entry->value));
    tags.push_back(std::move(tag));
    BA_ASSIGN(entry, cursor.next());
  }
  return tags;
}

Result<void> put_tag(WriteTransaction& transaction, const Tables& tables, const Tag& tag, bool replace) {
  BA_TRY(check_tag_name(tag.name));
  if (tag.message.size() > kMaxTagMessage) {
    return Error{ErrorCode::invalid,
                 fmt::format("the message of tag '{}' is too long: at most {} bytes", tag.name, kMaxTagMessage)};
  }
  Bytes body;
  put_zigzag(body, tag.instant.micros);
  put_zigzag(body, tag.created.micros);
  put_string(body, tag.message);
  const Bytes value = seal(tag.name, std::move(body));
  if (replace) return transaction.put(tables.tags, tag.name, value);
  BA_ASSIGN(const bool added, transaction.put_new(tables.tags, tag.name, value));
  if (added) return {};
  return Error{ErrorCode::invalid, fmt::format("tag '{}' exists: delete it first or use --force", tag.name)};
}

Result<void> erase_tag(WriteTransaction& transaction, const Tables& tables, std::string_view name) {
  BA_TRY(check_tag_name(name));
  BA_ASSIGN(const bool erased, transaction.erase(tables.tags, name));
  if (erased) return {};
  return Error{ErrorCode::not_found, fmt::format("there is no tag '{}'", name)};
}

}  // namespace blockarch
