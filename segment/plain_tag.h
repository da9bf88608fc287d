// Tags as nearly all of them are written, read without the tokenizer's states: a name that HTML knows and attributes without
// ">" in their values. Anything else is left to lexbor.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "segment/html_tags.h"

namespace blockarch {

// Offsets are from the "<".
struct PlainTag {
  std::uint32_t size = 0;  // with "<" and ">"; 0 where it is no plain tag
  std::uint32_t name_end = 0;
  std::uint32_t id_begin = 0;  // the value of the last id attribute that has one
  std::uint32_t id_size = 0;
  TagId tag = 0;
  bool closing = false;       // such a tag has no attributes
  bool self_closing = false;  // "/>"

  std::uint32_t name_begin() const { return closing ? 2 : 1; }
};

// `bytes` begin with "<". A tag that does not end in them is none.
PlainTag read_plain_tag(ByteView bytes);

}  // namespace blockarch
