// The blocks of a page, as `show --blocks` lists them.
#pragma once

#include "cli/json.h"

namespace blockarch {

// The beginning of a block in one line, runs of blanks as one.
std::string block_preview(ByteView bytes, const std::string& charset);

// An indented table: size, place, id, and how the block begins.
void print_blocks(Output& out, const VersionInfo& info, ByteView page);

// An array in pre-order: level, begin, end, size, and for leaves kind and id.
Json blocks_json(const VersionInfo& info);

}  // namespace blockarch
