#include "segment/page_texts.h"

#include <algorithm>

namespace blockarch {
namespace {

// The length of the white space that `text` begins with, in any of its spellings.
std::size_t blank_at(ByteView text) {
  switch (text[0]) {
    case ' ':
    case '\t':
    case '\n':
    case '\r':
    case '\f':
    case '\0':
      return 1;
    case '&':
      return text.starts_with("&nbsp;") || text.starts_with("&#160;") ? 6 : text.starts_with("&nbsp") ? 5 : 0;
    case '\xc2':
      return text.starts_with("\xc2\xa0") ? 2 : 0;
    default:
      return 0;
  }
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

void add_text(ByteView payload, PageText range, std::vector<PageText>& texts) {
  std::uint32_t first = range.begin;
  while (first < range.end) {
    const std::size_t blank = blank_at(payload.substr(first, range.end - first));
    if (blank == 0) break;
    first += static_cast<std::uint32_t>(blank);
  }
  if (first >= range.end) return;
  while (is_space(payload[range.end - 1])) --range.end;
  while (range.begin < range.end && is_space(payload[range.begin])) ++range.begin;
  texts.push_back(range);
}

bool begins_markup(ByteView text) {
  if (text.size() < 2 || text[0] != '<') return false;
  const char c = text[1];
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' || c == '!' || c == '?';
}

}  // namespace

void find_texts(ByteView payload, PageText gap, bool raw, std::vector<PageText>& texts) {
  if (gap.begin >= gap.end) return;
  if (raw) return add_text(payload, gap, texts);
  std::uint32_t begin = gap.begin;
  std::uint32_t at = gap.begin;
  const ByteView all = payload.substr(0, gap.end);
  while (true) {
    const std::size_t open = all.find('<', at);
    if (open == ByteView::npos) break;
    at = static_cast<std::uint32_t>(open);
    if (!begins_markup(all.substr(at))) {
      ++at;
      continue;
    }
    const bool comment = all.substr(at).starts_with("<!--");
    const std::size_t close = comment ? all.find("-->", at + 4) : all.find('>', at + 1);
    add_text(payload, {begin, at}, texts);
    if (close == ByteView::npos) return;  // what follows is inside that tag or comment
    begin = at = static_cast<std::uint32_t>(close + (comment ? 3 : 1));
  }
  add_text(payload, {begin, gap.end}, texts);
}

}  // namespace blockarch
