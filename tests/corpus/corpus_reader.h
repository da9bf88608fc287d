// Reads the shared corpora, which are kept compressed: ../shared/corpus beside the clone, or BLOCKARCH_CORPUS.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/time.h"

namespace blockarch {

// The corpus file's path; nothing where it is not there.
std::optional<std::string> corpus_file(const std::string& name);

struct WarcCapture {
  std::string url;
  Time time;
  std::string content_type;
  Bytes payload;  // without the HTTP head
};

// The resource and response records of a plain or compressed WARC file, one after the other.
void for_each_capture(const std::string& path, const std::function<void(const WarcCapture&)>& each);

// Every regular file of a .tar.zst.
void for_each_file(const std::string& path, const std::function<void(const std::string& name, const Bytes&)>& each);

// Everything in a WARC or ARC file that could be a payload, found by its record heads without believing them: damaged
// files give what they give.
void for_each_rough_payload(const Bytes& file, const std::function<void(ByteView)>& each);

}  // namespace blockarch
