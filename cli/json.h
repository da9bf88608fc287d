// JSON answers. The forward declarations are the library's own: nothing else of it is seen outside the .cc
// files.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/output.h"
#include "engine/snapshot.h"

namespace blockarch {

using Json = nlohmann::ordered_json;

// One object on a line of its own, for answers that stream or are short.
void write_json_line(Output& out, const Json& json);
// A whole document, indented.
void write_json_document(Output& out, const Json& json);

// {"key": ["value", …]}: a key may occur more than once.
Json metadata_json(const Metadata& metadata);
std::string base64(ByteView bytes);
// {"content": "…"} where the bytes are UTF-8, else {"content_base64": "…"}.
void put_content(Json& json, ByteView bytes);

}  // namespace blockarch
