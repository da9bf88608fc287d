#include "segment/open_tags.h"

namespace blockarch {
namespace {

// An end tag whose start tag is further away closes nothing. Keeps hostile pages linear.
constexpr std::size_t kFarthest = 256;

enum class Item { none, paragraph, list_item, term, option, cell, row, section };

Item item_of(std::uint8_t tag) {
  const std::string_view name = traits_of(tag).name;
  if (name == "p") return Item::paragraph;
  if (name == "li") return Item::list_item;
  if (name == "dt" || name == "dd") return Item::term;
  if (name == "option") return Item::option;
  if (name == "td" || name == "th") return Item::cell;
  if (name == "tr") return Item::row;
  if (name == "tbody" || name == "thead" || name == "tfoot") return Item::section;
  return Item::none;
}

bool ends(Item next, Item open) {
  if (open == Item::paragraph) return true;  // any block ends a paragraph
  switch (next) {
    case Item::list_item:
    case Item::term:
    case Item::option:
    case Item::cell:
      return open == next;
    case Item::row:
      return open == Item::cell || open == Item::row;
    case Item::section:
      return open == Item::cell || open == Item::row || open == Item::section;
    default:
      return false;
  }
}

}  // namespace

void OpenTags::pop() {
  --counts_[open_.back()];
  open_.pop_back();
}

void OpenTags::open(std::uint8_t tag) {
  const Item next = item_of(tag);
  while (!open_.empty() && traits_of(open_.back()).item && ends(next, item_of(open_.back()))) pop();
  open_.push_back(tag);
  ++counts_[tag];
}

void OpenTags::close(std::uint8_t tag) {
  if (counts_[tag] == 0) return;
  const bool scope = traits_of(tag).scope || item_of(tag) == Item::row || item_of(tag) == Item::section;
  std::size_t steps = 0;
  for (std::size_t i = open_.size(); i-- > 0; ++steps) {
    if (open_[i] == tag) {
      while (open_.size() > i) pop();
      return;
    }
    if (steps == kFarthest || (!scope && traits_of(open_[i]).scope)) return;
  }
}

}  // namespace blockarch
