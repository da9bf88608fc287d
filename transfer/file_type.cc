#include "transfer/file_type.h"

#include "engine/file_extension.h"
#include "segment/media_type.h"

namespace blockarch {

std::string content_type_of_file(std::string_view name, ByteView bytes) {
  // "page.html?x=1.5" ends at the query.
  const std::string_view type = type_for_name(name.substr(0, name.find('?')));
  // A style sheet cannot be told from other text by its bytes; a picture that is called .html can.
  const bool fits = !type.empty() && is_text_media_type(type) == is_text_media_type(sniff_media_type(bytes));
  return fits ? std::string(type) : std::string();
}

}  // namespace blockarch
