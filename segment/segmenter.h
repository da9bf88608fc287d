// What every segmenter does: bytes of a page in, a tree of byte ranges out. No I/O, no clock, no state: the same input
// always gives the same tree.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

inline constexpr std::string_view kDefaultSegmenter = "auto";
inline constexpr int kDefaultLevel = 0;  // 0 = the segmenter's own choice
inline constexpr int kMaxLevel = 60;

struct SegmentOptions {
  std::string media_type;  // essence, "text/html"; empty = decided from the bytes
  std::string charset;     // WHATWG name, as detect_charset gives it
  int level = kDefaultLevel;
  std::string profile;  // a segmenter's own; empty = its default
};

inline constexpr std::uint32_t kNoParent = 0xffffffff;

// A region of the page. Leaves are the blocks; the bytes of an inner region that none of its children covers belong to
// the layout.
struct Region {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // one past the last byte
  std::uint32_t parent = kNoParent;
  std::uint8_t level = 0;  // 0 for the root
  std::string path;        // where it stands, for people: "body/div#main/p"; empty where there is no markup
};

// In pre-order; regions[0] is the whole payload. Holds for every segmenter and every input (see is_well_formed):
//   children lie inside their parent, in order, do not overlap, and are not empty;
//   only the root may be empty, and only for an empty payload;
//   levels grow by one from parent to child and never exceed the level asked for (or kMaxLevel).
struct Segmentation {
  std::vector<Region> regions;
  // The region that the segmenter takes for the main content, where finding it is part of its method; never the root.
  std::optional<std::uint32_t> main = std::nullopt;
};

bool is_well_formed(const Segmentation& segmentation, std::uint64_t payload_size, int max_level);

class Segmenter {
 public:
  virtual ~Segmenter() = default;
  // What --segmenter takes and what a version remembers.
  virtual std::string_view name() const = 0;
  // The names that SegmentOptions::profile may have, the default first; empty where there is nothing to choose.
  virtual std::vector<std::string_view> profiles() const { return {}; }
  // Whether a profile is known; the empty name is the default. segment() cannot refuse one: callers use check_profile.
  virtual bool takes_profile(std::string_view profile) const;
  virtual Segmentation segment(ByteView payload, const SegmentOptions& options) const = 0;
};

// By name; not_found lists the names there are. Segmenters are stateless and live as long as the program.
Result<const Segmenter*> find_segmenter(std::string_view name);
std::vector<std::string_view> segmenter_names();

// invalid, with the names there are, where the segmenter has no such profile. The empty name is the default.
Result<void> check_profile(const Segmenter& segmenter, std::string_view profile);

// The one that a user has named, the empty name being kDefaultSegmenter. Errors as above; invalid for a level out of range.
Result<const Segmenter*> choose_segmenter(std::string_view name, int level, std::string_view profile);

}  // namespace blockarch
