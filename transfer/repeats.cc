#include "transfer/repeats.h"

#include "transfer/stored_head.h"
#include "warc/digest.h"

namespace blockarch {
namespace {

// Each entry costs about 150 bytes. Beyond this the oldest knowledge is dropped; the archive has it too.
constexpr std::size_t kMaxNoted = 500'000;
// How many versions of the revisit's own URL are tried.
constexpr int kMaxTried = 8;

std::string normal_digest(const std::string& digest) {
  const auto parsed = parse_digest(digest);
  return parsed ? format_digest(*parsed) : std::string();
}

Result<std::optional<RepeatedPage>> page_of(const Snapshot& snapshot, const VersionId& id) {
  BA_ASSIGN(const Version version, load_version(snapshot.objects(), id));
  return std::optional(RepeatedPage{id, version.payload_size});
}

bool came_compressed(const Metadata& metadata) {
  for (const auto& [key, value] : metadata.entries) {
    if (key != kHttpHead) continue;
    const auto head = parse_http(value + "\r\n\r\n");
    return head && !content_codings(*head).empty();
  }
  return false;
}

}  // namespace

void RepeatResolver::note(const std::string& payload_digest, const RepeatedPage& page) {
  const std::string digest = normal_digest(payload_digest);
  if (digest.empty()) return;
  if (noted_.size() >= kMaxNoted) noted_.clear();
  noted_.insert_or_assign(digest, page);
}

std::optional<RepeatedPage> RepeatResolver::find_noted(const RepeatOf& repeat) const {
  const auto found = noted_.find(normal_digest(repeat.payload_digest));
  if (found == noted_.end()) return std::nullopt;
  return found->second;
}

Result<bool> RepeatResolver::fits(const Snapshot& snapshot, const CaptureInfo& capture, const std::string& digest,
                                  bool is_named) {
  if (digest.empty()) return true;
  const auto wanted = parse_digest(digest);
  if (!wanted) return is_named;
  if (came_compressed(capture.metadata)) return is_named;
  const std::string key = std::string(capture.version.hash.view()) + std::string(digest_name(wanted->algorithm));
  auto known = known_digests_.find(key);
  if (known == known_digests_.end()) {
    BA_ASSIGN(const Page page, snapshot.page(capture));
    if (known_digests_.size() >= kMaxNoted) known_digests_.clear();
    known = known_digests_.emplace(key, format_digest(compute_digest(wanted->algorithm, page.bytes))).first;
  }
  return known->second == format_digest(*wanted);
}

Result<std::optional<RepeatedPage>> RepeatResolver::find_stored(const Snapshot& snapshot, const std::string& url,
                                                                Time time, const RepeatOf& repeat) {
  if (!repeat.url.empty() && repeat.time) {
    const auto number = snapshot.find_url(repeat.url);
    const auto named = number ? snapshot.capture_at(*number, *repeat.time) : Result<CaptureInfo>(number.error());
    if (named && named->time == *repeat.time) {
      BA_ASSIGN(const bool good, fits(snapshot, *named, repeat.payload_digest, true));
      if (good) return page_of(snapshot, named->version);
    }
  }
  const auto number = snapshot.find_url(repeat.url.empty() ? url : repeat.url);
  if (!number) return std::optional<RepeatedPage>();
  for (int back = 0; back < kMaxTried; ++back) {
    const auto earlier = snapshot.versions_back(*number, time, static_cast<std::uint64_t>(back));
    if (!earlier) break;
    BA_ASSIGN(const bool good, fits(snapshot, *earlier, repeat.payload_digest, false));
    if (good) return page_of(snapshot, earlier->version);
    if (repeat.payload_digest.empty()) break;
  }
  return std::optional<RepeatedPage>();
}

}  // namespace blockarch
