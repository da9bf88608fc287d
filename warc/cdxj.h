// CDXJ, the index that replay tools read: one sorted line for each capture.
#pragma once

#include <string>
#include <string_view>

#include "base/time.h"
#include "base/url.h"
#include "warc/record.h"

namespace blockarch {

// The key by which web archives sort: host labels reversed without a leading "www.", the port where it is not the usual
// one, the path without a slash at its end, the query's fields sorted, everything in lower case, no scheme:
// "com,example)/a?b=1". Several URLs share one.
std::string surt_key(const Url& url);

// `surt timestamp14 {"url":…,…}` and a line break: "url" first, then the fields as given, all values strings. Bytes that
// are not UTF-8 become U+FFFD.
std::string format_cdxj(const Url& url, Time date, const HeaderFields& fields);

}  // namespace blockarch
