#include "segment/start_tag.h"

#include <algorithm>

namespace blockarch {
namespace {

constexpr ByteView kBlank = " \t\n\r\f";
constexpr ByteView kNameEnd = " \t\n\r\f/>=";
constexpr ByteView kValueEnd = " \t\n\r\f>";

void skip(ByteView& bytes, ByteView any_of) {
  bytes.remove_prefix(std::min(bytes.find_first_not_of(any_of), bytes.size()));
}

ByteView take_until(ByteView& bytes, std::size_t end) {
  const ByteView taken = bytes.substr(0, end);
  bytes.remove_prefix(taken.size());
  return taken;
}

}  // namespace

AttributeReader::AttributeReader(ByteView tag) : rest_(tag) {
  skip(rest_, "<");
  take_until(rest_, rest_.find_first_of(" \t\n\r\f/>"));
}

bool AttributeReader::next(Attribute& attribute) {
  skip(rest_, " \t\n\r\f/");
  if (rest_.empty() || rest_[0] == '>') return false;
  // "=" may begin a name.
  attribute.name = take_until(rest_, rest_.find_first_of(kNameEnd, 1));
  attribute.value = {};
  skip(rest_, kBlank);
  if (rest_.empty() || rest_[0] != '=') return true;
  rest_.remove_prefix(1);
  skip(rest_, kBlank);
  if (rest_.empty()) return true;
  const char quote = rest_[0];
  if (quote != '"' && quote != '\'') {
    attribute.value = take_until(rest_, rest_.find_first_of(kValueEnd));
    return true;
  }
  rest_.remove_prefix(1);
  attribute.value = take_until(rest_, rest_.find(quote));
  if (!rest_.empty()) rest_.remove_prefix(1);
  return true;
}

bool equals_ignoring_case(ByteView text, ByteView lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(), [](char x, char y) {
           return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y;
         });
}

}  // namespace blockarch
