// The attributes of a start tag, read from its own bytes.
#pragma once

#include "base/bytes.h"

namespace blockarch {

struct Attribute {
  ByteView name;   // as written
  ByteView value;  // without quotes, character references as written; empty where there is none
};

// `tag` is from "<" to ">" or to where the page ends.
class AttributeReader {
 public:
  explicit AttributeReader(ByteView tag);

  // False past the last.
  bool next(Attribute& attribute);

 private:
  ByteView rest_;
};

// ASCII letters of any case.
bool equals_ignoring_case(ByteView text, ByteView lower);

}  // namespace blockarch
