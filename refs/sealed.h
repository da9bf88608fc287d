// A value sealed to its key: four bytes of BLAKE3 over key and body stand at its end, so a flipped bit, or a value that
// has come under another key, is an error and never a wrong answer.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

Bytes seal(ByteView key, Bytes body);
// The body, or corrupt. `table` names the table in the message.
Result<ByteView> unseal(ByteView key, ByteView value, std::string_view table);

}  // namespace blockarch
