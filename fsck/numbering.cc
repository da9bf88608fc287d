#include "fsck/numbering.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockarch {

bool Numbering::has(std::uint32_t number, std::uint8_t any_of) const {
  const auto page = pages_.find(number / kPageSize);
  return page != pages_.end() && ((*page->second)[number % kPageSize] & any_of) != 0;
}

void Numbering::mark(std::uint32_t number, std::uint8_t flag) {
  auto& page = pages_[number / kPageSize];
  if (!page) page = std::make_unique<Page>(Page{});
  (*page)[number % kPageSize] |= flag;
  if (flag != kObserved) size_ = std::max<std::uint64_t>(size_, std::uint64_t{number} + 1);
}

void Numbering::add_loose(std::uint32_t number, const Hash256& id) {
  loose_.insert_or_assign(number, id);
  mark(number, kLoose);
}

std::uint64_t Numbering::count_given() const {
  std::uint64_t count = 0;
  for (const auto& [at, page] : pages_) {
    count += static_cast<std::uint64_t>(std::count_if(
        page->begin(), page->end(), [](std::uint8_t flags) { return (flags & (kLoose | kPacked)) != 0; }));
  }
  return count;
}

std::uint64_t Numbering::count_unobserved() const {
  std::uint64_t count = 0;
  for (const auto& [at, page] : pages_) {
    count += static_cast<std::uint64_t>(std::count_if(page->begin(), page->end(), [](std::uint8_t flags) {
      return (flags & (kLoose | kPacked)) != 0 && (flags & kObserved) == 0;
    }));
  }
  return count;
}

bool Numbering::observe(std::uint32_t number, UrlNumber url, Time time) {
  if (number >= size_) return false;
  if (!is_given(number)) {
    if (!has(number, kLost)) missing_chunks_.insert(number / number_table::kIdsPerValue);
    set_broken(number, fmt::format("the entry of {} number {} is {}", what_, number,
                                   has(number, kLost) ? "damaged" : "missing"));
  }
  mark(number, kObserved);
  const auto trouble = troubles_.find(number);
  if (trouble == troubles_.end()) return true;
  auto& seen = trouble->second.seen;
  if (!seen) seen = SeenAt{url, time, 0};
  ++seen->captures;
  return true;
}

}  // namespace blockarch
