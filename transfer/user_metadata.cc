#include "transfer/user_metadata.h"

#include <fmt/format.h>

#include "transfer/stored_head.h"

namespace blockarch {
namespace {

// Visible ASCII without '%' and '=' stands for itself.
std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && c != '%' && c != '=') {
      out.push_back(c);
    } else {
      out += fmt::format("%{:02X}", byte);
    }
  }
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::optional<std::string> unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return out;
}

bool is_field_name(std::string_view name) {
  constexpr std::string_view wanted = "blockarch-meta";
  if (name.size() != wanted.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char low = static_cast<char>(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32 : name[i]);
    if (low != wanted[i]) return false;
  }
  return true;
}

}  // namespace

std::string user_metadata_field(std::string_view key, std::string_view value) {
  return escape(key) + "=" + escape(value);
}

std::optional<std::pair<std::string, std::string>> user_metadata_from_field(std::string_view field_name,
                                                                            std::string_view field_value) {
  if (!is_field_name(field_name)) return std::nullopt;
  const std::size_t equals = field_value.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  auto key = unescape(field_value.substr(0, equals));
  auto value = unescape(field_value.substr(equals + 1));
  if (!key || key->empty() || !value) return std::nullopt;
  return std::pair(std::move(*key), std::move(*value));
}

bool is_import_key(std::string_view key) {
  return key == kHttpHead || key == "content-type" || key.starts_with("warc-");
}

}  // namespace blockarch
