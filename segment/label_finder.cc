#include "segment/label_finder.h"

#include <algorithm>
#include <array>
#include <string>

#include "segment/attributes.h"
#include "segment/hints.h"

namespace blockarch {
namespace {

constexpr std::uint32_t bit(BoxTag tag) {
  return 1u << static_cast<unsigned>(tag);
}

bool is_name(ByteView name, std::string_view lower) {
  return name.size() == lower.size() && std::equal(name.begin(), name.end(), lower.begin(), [](char x, char y) {
           return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y;
         });
}

bool contains_ignoring_case(ByteView bytes, std::string_view lower) {
  return std::search(bytes.begin(), bytes.end(), lower.begin(), lower.end(),
                     [](char x, char y) { return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y; }) != bytes.end();
}

bool says_copyright(ByteView bytes) {
  constexpr std::size_t kFoot = 2048;  // a notice stands at the end
  if (bytes.size() > kFoot) bytes.remove_prefix(bytes.size() - kFoot);
  constexpr auto kNotices = std::to_array<std::string_view>(
      {"&copy;", "\xc2\xa9", "&#169;", "&#xa9;", "copyright", "all rights reserved", "(c) 1", "(c) 2",
       "\xe7\x89\x88\xe6\x9d\x83\xe6\x89\x80\xe6\x9c\x89", "alle rechte vorbehalten", "tous droits r",
       "todos los derechos", "\xe7\x89\x88\xe6\xac\x8a\xe6\x89\x80\xe6\x9c\x89", "todos os direitos",
       "tutti i diritti"});
  std::string lower(bytes);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return std::any_of(kNotices.begin(), kNotices.end(),
                     [&](std::string_view notice) { return lower.find(notice) != std::string::npos; });
}

// A script that is no program: JSON state, linked data, templates.
BlockLabel script_label(ByteView tag) {
  Attributes attributes(tag.substr(0, 1024));
  while (attributes.next()) {
    if (!attributes.is("type")) continue;
    const bool program = attributes.value.empty() || contains_ignoring_case(attributes.value, "javascript") ||
                         contains_ignoring_case(attributes.value, "ecmascript") || attributes.value == "module";
    return program ? BlockLabel::script : BlockLabel::data;
  }
  return BlockLabel::script;
}

}  // namespace

// A range of the page as far as labels look at it.
struct LabelFinder::Part {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t first_line = 0;
  std::uint32_t line_end = 0;
  std::uint32_t words = 0;
  std::uint32_t link_words = 0;
  std::uint32_t numbers = 0;
  std::uint32_t links = 0;
  std::uint32_t controls = 0;
  std::uint32_t hints = 0;  // of its own outermost boxes that hold most of it
  std::uint32_t tags = 0;
  std::uint32_t hints_around = 0;
  std::uint32_t tags_around = 0;

  double link_share() const { return words > 0 ? static_cast<double>(link_words) / words : 0; }
};

LabelFinder::LabelFinder(ByteView payload, const ElementTree& tree, const PageBoxes& page,
                         const std::vector<bool>& main)
    : payload_(payload), tree_(tree), page_(page), main_before_(page.lines.size() + 1) {
  first_main_ = last_main_ = static_cast<std::uint32_t>(page.lines.size());
  for (std::uint32_t i = 0; i < page.lines.size(); ++i) {
    main_before_[i + 1] = main_before_[i] + (main[i] ? page.lines[i].text.words : 0);
    if (!main[i]) continue;
    first_main_ = std::min(first_main_, i);
    last_main_ = i;
  }
}

LabelFinder::Part LabelFinder::part_of(std::uint64_t begin, std::uint64_t end) const {
  const auto line_at = [this](std::uint64_t offset) {
    return static_cast<std::uint32_t>(std::partition_point(page_.lines.begin(), page_.lines.end(),
                                                           [offset](const Line& line) { return line.begin < offset; }) -
                                      page_.lines.begin());
  };
  Part part{.begin = begin, .end = end, .first_line = line_at(begin), .line_end = line_at(end)};
  for (std::uint32_t i = part.first_line; i < part.line_end; ++i) {
    part.words += page_.lines[i].text.words;
    part.link_words += page_.lines[i].link_words;
    part.numbers += page_.lines[i].text.numbers;
  }
  // One outermost box after the other.
  for (std::uint32_t i = part.first_line; i < part.line_end;) {
    std::uint32_t box = page_.lines[i].box;
    std::uint32_t inside = kNoElement;
    for (; box != 0; box = page_.boxes[box].parent) {
      const Element& element = tree_.elements[page_.boxes[box].element];
      if (element.begin < begin || element.end > end) break;
      inside = box;
    }
    part.hints_around = page_.boxes[box].around;
    part.tags_around = page_.boxes[box].tags_around;
    if (inside == kNoElement) {
      ++i;
      continue;
    }
    const Box& outer = page_.boxes[inside];
    part.links += outer.links;
    part.controls += outer.controls;
    for (std::uint32_t k = inside; k < outer.next && page_.boxes[k].words * 3 >= part.words * 2; ++k) {
      part.hints |= page_.boxes[k].hints;
      part.tags |= bit(page_.boxes[k].tag);
    }
    i = std::max(i + 1, outer.line_end);
  }
  return part;
}

// Elements that are not shown, where they make up most of the bytes.
BlockLabel LabelFinder::raw_label(std::uint64_t begin, std::uint64_t end) const {
  std::array<std::uint64_t, 3> sizes{};  // script, style, data
  const auto first = std::partition_point(tree_.elements.begin() + 1, tree_.elements.end(),
                                          [begin](const Element& element) { return element.begin < begin; });
  for (auto element = first; element != tree_.elements.end() && element->begin < end; ++element) {
    if (element->dropped || element->kind != ElementKind::leaf) continue;
    const ByteView name = element_name(payload_, *element);
    const std::uint64_t size = std::min<std::uint64_t>(element->end, end) - element->begin;
    if (is_name(name, "style")) sizes[1] += size;
    if (!is_name(name, "script")) continue;
    const ByteView tag = payload_.substr(element->begin, element->inner_begin - element->begin);
    sizes[script_label(tag) == BlockLabel::data ? 2 : 0] += size;
  }
  const auto most = static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  if (sizes[most] * 5 < (end - begin) * 4) return BlockLabel::none;
  constexpr std::array<BlockLabel, 3> kLabels = {BlockLabel::script, BlockLabel::style, BlockLabel::data};
  return kLabels[most];
}

BlockLabel LabelFinder::by_names(const Part& part) const {
  const std::uint32_t hints = part.hints;
  if ((hints & kHintComments) != 0) return BlockLabel::comments;
  if ((hints & kHintAd) != 0) return BlockLabel::ad;
  if ((hints & kHintCopyright) != 0) return BlockLabel::copyright;
  if ((hints & kHintRelated) != 0 && part.link_share() > 0.3) return BlockLabel::related;
  if ((part.tags & bit(BoxTag::nav)) != 0) return BlockLabel::navigation;
  const bool footer = (part.tags & bit(BoxTag::footer)) != 0 || (hints & kHintFooter) != 0;
  if (footer && part.first_line >= last_main_) return BlockLabel::copyright;
  const bool form = (part.tags & bit(BoxTag::form)) != 0 || (hints & (kHintForm | kHintShare | kHintNotice)) != 0;
  if (form && (part.controls > 0 || part.words < 60) && part.link_share() < 0.8) return BlockLabel::interaction;
  if ((hints & kHintNavigation) != 0 && part.link_share() > 0.3) return BlockLabel::navigation;
  const bool header = (part.tags & bit(BoxTag::header)) != 0 || (hints & kHintIdentity) != 0;
  if (header && part.line_end <= first_main_ && part.words < 60) return BlockLabel::identity;
  if ((hints & kHintShare) != 0) return BlockLabel::interaction;
  return BlockLabel::none;
}

BlockLabel LabelFinder::by_content(const Part& part) const {
  const ByteView bytes = payload_.substr(part.begin, part.end - part.begin);
  if (part.first_line >= last_main_ && part.words < 200 && says_copyright(bytes)) return BlockLabel::copyright;
  if (part.link_share() > 0.5 && part.links >= 3) {
    const bool side =
        (part.hints_around & (kHintRelated | kHintSide)) != 0 || (part.tags_around & bit(BoxTag::aside)) != 0;
    const bool long_links = part.link_words > part.links * 5;
    return side || (long_links && part.first_line > first_main_) ? BlockLabel::related : BlockLabel::navigation;
  }
  if (part.controls > 0 && part.words < 12 * part.controls) return BlockLabel::interaction;
  if ((part.tags & bit(BoxTag::table)) != 0 && part.numbers * 2 > part.words) return BlockLabel::data;
  return BlockLabel::none;
}

BlockLabel LabelFinder::by_place(const Part& part) const {
  const std::uint32_t hints = part.hints_around;
  const std::uint32_t tags = part.tags_around;
  if ((hints & kHintComments) != 0) return BlockLabel::comments;
  if ((hints & kHintAd) != 0) return BlockLabel::ad;
  if ((tags & bit(BoxTag::nav)) != 0 || (hints & kHintNavigation) != 0) return BlockLabel::navigation;
  if ((tags & bit(BoxTag::form)) != 0) return BlockLabel::interaction;
  if (((tags & bit(BoxTag::footer)) != 0 || (hints & kHintFooter) != 0) && part.first_line >= last_main_) {
    return BlockLabel::copyright;
  }
  if ((hints & kHintRelated) != 0 || (tags & bit(BoxTag::aside)) != 0 || (hints & kHintSide) != 0) {
    return BlockLabel::related;
  }
  const bool top = part.line_end <= first_main_ && page_.lines[part.first_line].words_before * 5 <= page_.words();
  if (top && part.words < 40) return BlockLabel::identity;
  return BlockLabel::none;
}

BlockLabel LabelFinder::find(std::uint64_t begin, std::uint64_t end, bool outer) const {
  if (begin >= end) return BlockLabel::none;
  if (const BlockLabel raw = raw_label(begin, end); raw != BlockLabel::none) return raw;
  const Part part = part_of(begin, end);
  if (part.words == 0) return BlockLabel::none;
  const double main = static_cast<double>(main_before_[part.line_end] - main_before_[part.first_line]) / part.words;
  if (main >= 0.5) return main >= kMainThroughout || !outer ? BlockLabel::main : BlockLabel::none;
  for (const auto rule : {&LabelFinder::by_names, &LabelFinder::by_content, &LabelFinder::by_place}) {
    if (const BlockLabel label = (this->*rule)(part); label != BlockLabel::none) return label;
  }
  return BlockLabel::none;
}

}  // namespace blockarch
