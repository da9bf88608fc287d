#include "segment/btls.h"

#include <algorithm>

#include "base/charset.h"
#include "segment/auto.h"
#include "segment/btls_blocks.h"
#include "segment/html_elements.h"

namespace blockarch {
namespace {

constexpr int kDefaultLevels = 6;

struct Profile {
  bool paper = false;
  std::optional<Script> script;
};

constexpr std::string_view kModern = "modern";
constexpr std::string_view kPaper = "paper";

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    words.push_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

// Unknown words change nothing: a segmenter is total.
Profile read_profile(std::string_view text) {
  Profile profile;
  for (const std::string_view word : words_of(text)) {
    if (word == kPaper) profile.paper = true;
    if (const auto script = script_named(word)) profile.script = script;
  }
  return profile;
}

Segmentation whole_page(ByteView page) {
  return {{{0, page.size(), kNoParent, 0, {}}}};
}

class BtlsSegmenter final : public Segmenter {
 public:
  std::string_view name() const override { return "btls"; }

  std::vector<std::string_view> profiles() const override {
    std::vector<std::string_view> names = {kModern, kPaper};
    for (std::size_t i = 0; i < kScripts; ++i) names.push_back(script_name(static_cast<Script>(i)));
    return names;
  }
  // Also several with commas between them: a method and a script.
  bool takes_profile(std::string_view profile) const override {
    const std::vector<std::string_view> words = words_of(profile);
    return std::all_of(words.begin(), words.end(),
                       [this](std::string_view word) { return Segmenter::takes_profile(word) && !word.empty(); });
  }

  Segmentation segment(ByteView payload, const SegmentOptions& options) const override {
    const bool readable = payload.size() <= kMaxMarkupSize && markup_is_ascii(options.charset);
    if (!readable || sniff_markup(payload, options.media_type) == Markup::none) return whole_page(payload);
    const Profile profile = read_profile(options.profile);
    if (profile.paper) {
      return btls_paper(payload, options.charset, profile.script, options.level <= 0 ? 1 : std::min(options.level, 2));
    }
    const int level = options.level <= 0 ? kDefaultLevels : std::min(options.level, kMaxLevel);
    return btls_levels(payload, options.charset, profile.script, level);
  }
};

}  // namespace

Segmentation btls_paper(ByteView page, std::string_view charset, std::optional<Script> script, int max_level) {
  Segmentation result = whole_page(page);
  if (page.size() > kMaxMarkupSize) return result;
  const TextLines text = source_lines(page, charset);
  const BtlsConstants constants = constants_for(script.value_or(text.script));
  std::vector<TextBlock> blocks = find_blocks(text, constants.thickness);
  mark_titles(blocks, constants);
  const std::vector<std::uint32_t> contents = content_blocks(blocks);
  const auto begin_of = [&](std::size_t block) {
    return block < blocks.size() ? text.lines[blocks[block].first].cut : text.lines.back().end;
  };
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const std::size_t end = i + 1 < contents.size() ? contents[i + 1] : blocks.size();
    const auto region = static_cast<std::uint32_t>(result.regions.size());
    result.regions.push_back({begin_of(contents[i]), begin_of(end), 0, 1, {}});
    if (max_level < 2 || end - contents[i] < 2) continue;
    for (std::size_t block = contents[i]; block < end; ++block) {
      result.regions.push_back({begin_of(block), begin_of(block + 1), region, 2, {}});
    }
  }
  return result;
}

const Segmenter& btls_segmenter() {
  static const BtlsSegmenter segmenter;
  return segmenter;
}

}  // namespace blockarch
