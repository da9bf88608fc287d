// Finds the version that a revisit repeats: by the digest of a capture of the same import, else in the archive by URL
// and time, verified by digest.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "engine/snapshot.h"
#include "transfer/source.h"

namespace blockarch {

struct RepeatedPage {
  VersionId version;
  std::uint64_t size = 0;
};

class RepeatResolver {
 public:
  // A capture that was added, with the digest that its source gave.
  void note(const std::string& payload_digest, const RepeatedPage& page);

  // Among what note() was told. Digests name content, so the URL does not matter.
  std::optional<RepeatedPage> find_noted(const RepeatOf& repeat) const;

  // In the archive: the capture that the revisit names, else an earlier one of its own URL. Where the revisit has a
  // digest, the page must fit it; a page that came compressed cannot be checked and is believed where the revisit names
  // its URL and time. Nothing where there is none.
  Result<std::optional<RepeatedPage>> find_stored(const Snapshot& snapshot, const std::string& url, Time time,
                                                  const RepeatOf& repeat);

 private:
  Result<bool> fits(const Snapshot& snapshot, const CaptureInfo& capture, const std::string& digest, bool is_named);

  std::unordered_map<std::string, RepeatedPage> noted_;         // by normal form of the digest
  std::unordered_map<std::string, std::string> known_digests_;  // version and algorithm → digest
};

}  // namespace blockarch
