// What the tests of segmenters share.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "segment/segmenter.h"

namespace blockarch {

inline Segmentation segment_as(ByteView payload, const std::string& media_type = "text/html", int level = 0,
                               const std::string& charset = "utf-8") {
  return (*find_segmenter("auto"))->segment(payload, {media_type, charset, level, {}});
}

inline void require_well_formed(ByteView payload, const Segmentation& segmentation, int level = kMaxLevel) {
  INFO("payload of " << payload.size() << " bytes: " << payload.substr(0, 200));
  REQUIRE(is_well_formed(segmentation, payload.size(), level));
}

inline std::vector<Region> leaf_regions(const Segmentation& segmentation) {
  std::vector<bool> inner(segmentation.regions.size());
  for (const Region& region : segmentation.regions) {
    if (region.parent != kNoParent) inner[region.parent] = true;
  }
  std::vector<Region> leaves;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (!inner[i]) leaves.push_back(segmentation.regions[i]);
  }
  return leaves;
}

inline std::vector<std::string> leaf_bytes(ByteView payload, const Segmentation& segmentation) {
  std::vector<std::string> bytes;
  for (const Region& leaf : leaf_regions(segmentation)) {
    bytes.emplace_back(payload.substr(leaf.begin, leaf.end - leaf.begin));
  }
  return bytes;
}

inline std::string repeat(const std::string& text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

// A sentence of its own for every number.
inline std::string sentences(unsigned seed, int words) {
  std::string text;
  for (int i = 0; i < words; ++i) {
    seed = seed * 1664525 + 1013904223;
    text += "word" + std::to_string((seed >> 12) % 5000) + (i % 9 == 8 ? ". " : " ");
  }
  return text;
}

}  // namespace blockarch
