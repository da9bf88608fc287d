#include "transfer/user_metadata.h"

#include "transfer/stored_head.h"
#include "warc/text.h"

namespace blockarch {
namespace {

void append_escaped(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && c != '%' && c != '=') {
      out.push_back(c);
    } else {
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
}

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  const char low = lower(c);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text[0] != '%') {
      out.push_back(text[0]);
      text.remove_prefix(1);
      continue;
    }
    if (text.size() < 3 || digit_value(text[1]) < 0 || digit_value(text[2]) < 0) return std::nullopt;
    out.push_back(static_cast<char>(digit_value(text[1]) * 16 + digit_value(text[2])));
    text.remove_prefix(3);
  }
  return out;
}

}  // namespace

std::string user_metadata_field(std::string_view key, std::string_view value) {
  std::string field;
  append_escaped(field, key);
  field.push_back('=');
  append_escaped(field, value);
  return field;
}

std::optional<std::pair<std::string, std::string>> user_metadata_from_field(std::string_view field_name,
                                                                            std::string_view field_value) {
  const std::size_t equals = field_value.find('=');
  if (!same_letters(field_name, kUserMetadataField) || equals == std::string_view::npos) return std::nullopt;
  auto key = unescaped(field_value.substr(0, equals));
  auto value = unescaped(field_value.substr(equals + 1));
  if (!key || key->empty() || !value) return std::nullopt;
  return std::pair(std::move(*key), std::move(*value));
}

bool is_import_key(std::string_view key) {
  return key == kHttpHead || key == "content-type" || key.starts_with("warc-");
}

}  // namespace blockarch
