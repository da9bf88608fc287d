// The bytes that a name stands for, as `cat` gives them.
#pragma once

#include "engine/names.h"

namespace blockarch {

struct Contents {
  ObjectId id;
  Bytes bytes;
};

// A capture or version gives its page, a block or list the block's bytes; a layout, tree or metadata a text
// for people. `raw`: the object's canonical encoding, which its id is the hash of; of a capture, its
// version's.
Result<Contents> contents_of(const Snapshot& snapshot, const Named& named, bool raw);

}  // namespace blockarch
