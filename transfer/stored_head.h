// The HTTP head of a capture as its metadata keeps it, under kHttpHead (docs/format.md, "Captures from WARC").
//
// It is the head as it came, without the empty line that ends it. One thing is taken out because it can be derived: the
// value of a Content-Length that fits the body is written "=". So heads repeat, and an export whose body is compressed
// anew has the right length.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "warc/http.h"

namespace blockarch {

inline constexpr char kHttpHead[] = "http-head";

// `body_size` is that of the body as it stands in the record, without chunking.
std::string stored_head(const HttpMessage& message, std::uint64_t body_size);

// The stored head of a revisit, once it is known which page it repeats: a length that fits the page is written "=". Where
// the head says that the body was compressed, its length there is not known any more, and that of the page's own capture
// is taken for it.
std::string stored_head_of_repeat(std::string_view stored, std::uint64_t page_size);

// With the empty line at the end, and "=" replaced.
Bytes restored_head(std::string_view stored, std::uint64_t body_size);

}  // namespace blockarch
