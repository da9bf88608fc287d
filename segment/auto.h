// The default segmenter: made for boundaries that are meaningful, stay where they are under edits, and store
// cheaply.
#pragma once

#include "segment/segmenter.h"

namespace blockarch {

// HTML is cut by its elements (html_elements.h), XML too (xml_elements.h), everything else is one region,
// which the store cuts into content-defined chunks. The default level is as deep as kMaxLevel.
const Segmenter& auto_segmenter();

enum class Markup { none, html, xml };

// By what the bytes begin with, then by the declared media type: feeds are often sent as text/html, and pages
// as application/xml or as nothing at all.
Markup sniff_markup(ByteView payload, std::string_view media_type);

}  // namespace blockarch
