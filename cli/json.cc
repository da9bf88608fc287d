#include "cli/json.h"

#include <nlohmann/json.hpp>

#include "base/charset.h"

namespace blockarch {
namespace {

// URLs and metadata need not be UTF-8, JSON must be: what is not becomes U+FFFD. On a terminal everything beyond ASCII is
// escaped: it could be a control character.
std::string dump(const Output& out, const Json& json, int indent) {
  return json.dump(indent, ' ', out.terminal().is_terminal, Json::error_handler_t::replace);
}

}  // namespace

void write_json_line(Output& out, const Json& json) {
  out.line(dump(out, json, -1));
}

void write_json_document(Output& out, const Json& json) {
  out.line(dump(out, json, 2));
}

Json metadata_json(const Metadata& metadata) {
  Json json = Json::object();
  for (const auto& [key, value] : metadata.entries) json[key].push_back(value);
  return json;
}

std::string base64(ByteView bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const ByteView group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) out += i <= group.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

void put_content(Json& json, ByteView bytes) {
  if (is_valid_utf8(bytes)) {
    json["content"] = std::string(bytes);
  } else {
    json["content_base64"] = base64(bytes);
  }
}

}  // namespace blockarch
