// The element tree of an XML document, by pugixml.
#pragma once

#include "base/bytes.h"
#include "segment/element_tree.h"

namespace blockarch {

// Of raw bytes in any charset whose markup is ASCII. Entries (feed items, sitemap addresses, in general the
// repeated elements of the first level that branches) are marked as such; XHTML gets the kinds that HTML has.
// A document that is not well formed is used up to the error; what follows belongs to the elements open
// there. XHTML that is not well formed is read as HTML, as people do. Linear, for at most kMaxMarkupSize
// bytes: a larger document's tree is the document alone.
ElementTree xml_elements(ByteView payload);

}  // namespace blockarch
