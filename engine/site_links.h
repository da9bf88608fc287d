// Links between the files of a checked-out site.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/url.h"
#include "engine/site_names.h"

namespace blockarch {

// How a page in the file `from` refers to the file `to`, both paths below one directory: percent-encoded
// ASCII.
std::string relative_link(std::string_view from, std::string_view to);

// The path of a page, also under the other scheme or with a final "/" more or less; empty where there is
// none.
std::string_view find_page(const SiteNames& names, const Url& url);

struct LocalPage {
  Bytes bytes;
  std::uint64_t links = 0;  // that now lead to a file
};

// An HTML page with its links to named pages leading to their files. The same bytes where there is none.
LocalPage with_local_links(Bytes html, const Url& url, std::string_view charset, const SiteNames& names);

}  // namespace blockarch
