// The attributes of one start tag, read one after the other.
#pragma once

#include <string_view>

#include "base/bytes.h"

namespace blockarch {

class Attributes {
 public:
  // "<div class=…>", whole or cut off.
  explicit Attributes(ByteView tag);

  // False at the end of the tag.
  bool next();
  bool is(std::string_view lower_name) const;

  ByteView name;
  ByteView value;  // as it stands, without quotes

 private:
  void read_value();

  ByteView tag_;
  std::size_t at_ = 0;
};

// How long the tag at the beginning of `rest` is, ">" in quoted values left aside.
std::size_t tag_size(ByteView rest);

}  // namespace blockarch
