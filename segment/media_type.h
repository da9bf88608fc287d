// What kind of document a payload is, where its capture does not say or says it wrongly.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"

namespace blockarch {

// From the first bytes alone: "text/html", "application/xml", "application/json", "application/pdf", "image/png"…,
// "text/plain" for other text, "application/octet-stream" for the rest.
std::string sniff_media_type(ByteView payload);

// Whether a charset means something for it: text/*, XML, JSON, JavaScript and the like.
bool is_text_media_type(std::string_view essence);

bool is_html_media_type(std::string_view essence);
bool is_xml_media_type(std::string_view essence);

}  // namespace blockarch
