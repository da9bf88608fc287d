// The table of contents of a checked-out site: one page of HTML without scripts or anything from elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"

namespace blockarch {

struct SiteIndexRow {
  std::string url;
  std::string path;  // of its file; empty for a page that could not be read
  Time captured;
  std::uint64_t size = 0;
};

std::string site_index_head(Time at, std::uint64_t pages);
std::string site_index_row(const SiteIndexRow& row);
std::string site_index_tail();

}  // namespace blockarch
