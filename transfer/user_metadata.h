// Metadata that users or their rules gave to captures, as fields of exported records: "Blockarch-Meta: KEY=VALUE", both
// percent-encoded, so that any bytes survive.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace blockarch {

inline constexpr char kUserMetadataField[] = "Blockarch-Meta";

// The value of the field.
std::string user_metadata_field(std::string_view key, std::string_view value);
// Nothing where the field is another one or malformed.
std::optional<std::pair<std::string, std::string>> user_metadata_from_field(std::string_view field_name,
                                                                            std::string_view field_value);

// True for keys that the import itself makes: "http-head", "content-type", "warc-…".
bool is_import_key(std::string_view key);

}  // namespace blockarch
