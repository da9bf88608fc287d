// What a reader sees of a stored block: its text, without markup.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "objects/version.h"

namespace blockarch {

// Whether the version's type is one that has tags; what has no type is taken for a page.
bool has_markup(const PageFacts& version);

// UTF-8. Tags, comments, scripts and styles are left out, character references resolved, runs of blanks are one blank, none
// stands at either end; a tag that begins a line in a browser is a blank, one that flows with its text is nothing. A plain
// reading of the bytes: a block may begin and end anywhere. Linear.
std::string reader_text(ByteView block, std::string_view charset, bool markup);

}  // namespace blockarch
