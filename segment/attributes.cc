#include "segment/attributes.h"

#include <algorithm>

namespace blockarch {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

bool ends_name(char c) {
  return is_blank(c) || c == '/' || c == '>';
}

}  // namespace

Attributes::Attributes(ByteView tag) : tag_(tag) {
  while (at_ < tag_.size() && !ends_name(tag_[at_])) ++at_;
}

bool Attributes::next() {
  while (at_ < tag_.size() && (is_blank(tag_[at_]) || tag_[at_] == '/')) ++at_;
  if (at_ >= tag_.size() || tag_[at_] == '>') return false;
  const std::size_t begin = at_++;  // an attribute's name may begin with "="
  while (at_ < tag_.size() && !ends_name(tag_[at_]) && tag_[at_] != '=') ++at_;
  name = tag_.substr(begin, at_ - begin);
  value = {};
  std::size_t ahead = at_;
  while (ahead < tag_.size() && is_blank(tag_[ahead])) ++ahead;
  if (ahead < tag_.size() && tag_[ahead] == '=') {
    at_ = ahead + 1;
    read_value();
  }
  return true;
}

bool Attributes::is(std::string_view lower_name) const {
  return name.size() == lower_name.size() &&
         std::equal(name.begin(), name.end(), lower_name.begin(),
                    [](char x, char y) { return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y; });
}

void Attributes::read_value() {
  while (at_ < tag_.size() && is_blank(tag_[at_])) ++at_;
  if (at_ >= tag_.size()) return;
  const char quote = tag_[at_];
  if (quote == '"' || quote == '\'') {
    const std::size_t end = std::min(tag_.find(quote, at_ + 1), tag_.size());
    value = tag_.substr(at_ + 1, end - at_ - 1);
    at_ = std::min(end + 1, tag_.size());
    return;
  }
  const std::size_t begin = at_;
  while (at_ < tag_.size() && !is_blank(tag_[at_]) && tag_[at_] != '>') ++at_;
  value = tag_.substr(begin, at_ - begin);
}

std::size_t tag_size(ByteView rest) {
  for (std::size_t at = 0; at < rest.size();) {
    const char c = rest[at];
    if (c == '>') return at + 1;
    if (c != '"' && c != '\'') {
      ++at;
      continue;
    }
    // A quote that begins no value is an odd character of a name.
    const bool begins_value = at > 0 && rest[at - 1] == '=';
    const std::size_t close = begins_value ? rest.find(rest[at], at + 1) : at;
    if (close == ByteView::npos) break;
    at = close + 1;
  }
  const std::size_t close = rest.find('>');
  return close == ByteView::npos ? rest.size() : close + 1;
}

}  // namespace blockarch
