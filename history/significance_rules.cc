#include "history/significance_rules.h"

#include <algorithm>
#include <cassert>

#include "engine/glob.h"
#include "history/rule_lines.h"
#include "segment/attributes.h"
#include "segment/css_match.h"
#include "segment/describe.h"
#include "segment/start_tag.h"

namespace blockarch {
namespace {

constexpr std::uint64_t kSelectorSteps = 20'000'000;

using Rules = std::vector<const NoiseRule*>;

std::string lower(ByteView text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

bool is_read(const PageBlock& block) {
  return block.kind == PageBlockKind::text || block.kind == PageBlockKind::media;
}

// One page, looked at for one set of rules.
class NoiseFinder {
 public:
  NoiseFinder(ByteView page, const PageBlocks& blocks, bool read_only)
      : page_(page), blocks_(blocks), read_only_(read_only) {}

  std::vector<NoiseRange> find(const std::vector<NoiseRule>& all, std::string_view url) {
    Rules rules;
    for (const NoiseRule& rule : all) {
      if (rule.scope.empty() || matches_glob(rule.scope, url)) rules.push_back(&rule);
    }
    take_selectors(rules);
    take_labels(rules);
    take_tags(rules);
    take_patterns(rules);
    return settled();
  }

 private:
  void add(std::uint64_t begin, std::uint64_t end) {
    if (begin < end) noise_.push_back({begin, end});
  }
  void add(ByteView part) {
    const auto begin = static_cast<std::uint64_t>(part.data() - page_.data());
    add(begin, begin + part.size());
  }

  static bool any(const Rules& rules, NoiseRule::Kind kind) {
    return std::any_of(rules.begin(), rules.end(), [&](const NoiseRule* rule) { return rule->kind == kind; });
  }

  // All selectors as one sheet; which rule a match belongs to is told by its place in it.
  void take_selectors(const Rules& rules) {
    if (blocks_.markup == Markup::none || !any(rules, NoiseRule::Kind::select)) return;
    CssSheet sheet;
    std::vector<bool> keeps;
    for (const NoiseRule* rule : rules) {
      if (rule->kind != NoiseRule::Kind::select) continue;
      for (CssRule selector : rule->selector->rules) {
        selector.change = static_cast<std::uint32_t>(keeps.size());
        sheet.rules.push_back(std::move(selector));
        sheet.changes.emplace_back();
        keeps.push_back(rule->keep);
      }
    }
    CssMatcher matcher(sheet, kSelectorSteps);
    std::vector<std::uint32_t> open;
    std::vector<ElementIdentity> path;
    const auto& elements = blocks_.tree.elements;
    for (std::uint32_t i = 1; i < elements.size(); ++i) {
      if (elements[i].dropped) continue;
      while (!open.empty() && open.back() != elements[i].parent) {
        open.pop_back();
        path.pop_back();
      }
      open.push_back(i);
      path.push_back(identity_of(elements[i]));
      for (const CssChange* change : matcher.match(path)) {
        const bool keep = keeps[static_cast<std::size_t>(change - sheet.changes.data())];
        (keep ? kept_ : noise_).push_back({elements[i].begin, elements[i].end});
      }
    }
  }

  ElementIdentity identity_of(const Element& element) const {
    ElementIdentity identity;
    identity.tag = lower(element_name(page_, element));
    identity.start_tag = page_.substr(element.begin, element.inner_begin - element.begin);
    AttributeReader attributes(identity.start_tag);
    Attribute attribute;
    while (attributes.next(attribute)) {
      if (equals_ignoring_case(attribute.name, "id")) identity.id = attribute.value;
      if (equals_ignoring_case(attribute.name, "class")) identity.classes = attribute.value;
    }
    return identity;
  }

  void take_labels(const Rules& rules) {
    if (!any(rules, NoiseRule::Kind::label) || blocks_.markup == Markup::none) return;
    DescribeOptions options;
    options.page.media_type = blocks_.media_type;
    options.page.charset = blocks_.charset;
    options.topics.theta = 1;
    const auto closed = without_open_frame(page_);
    const auto described = describe_page(closed ? *closed : page_, auto_segmenter(), options);
    for (const NoiseRule* rule : rules) {
      if (rule->kind == NoiseRule::Kind::label) add_labelled(described, rule->label);
    }
  }

  // Without the blocks inside that have another label: a footer with one banner in it is no banner.
  void add_labelled(const std::vector<DescribedBlock>& described, BlockLabel label) {
    std::vector<std::uint64_t> at(described.size());  // up to where each block was looked at
    std::vector<bool> meant(described.size());
    for (std::size_t i = 0; i < described.size(); ++i) {
      const DescribedBlock& block = described[i];
      at[i] = block.begin;
      const bool inherits = block.label == BlockLabel::none && block.parent != kNoParent;
      meant[i] = inherits ? meant[block.parent] : block.label == label;
      if (block.parent == kNoParent) continue;
      if (meant[block.parent]) add(at[block.parent], block.begin);
      at[block.parent] = block.end;
    }
    for (std::size_t i = 0; i < described.size(); ++i) {
      if (meant[i]) add(at[i], described[i].end);
    }
  }

  // Attributes, parameters of URLs in them, and comments.
  void take_tags(const Rules& rules) {
    const bool comments = any(rules, NoiseRule::Kind::comments);
    Rules attributes;
    Rules parameters;
    for (const NoiseRule* rule : rules) {
      if (rule->kind == NoiseRule::Kind::attribute) attributes.push_back(rule);
      if (rule->kind == NoiseRule::Kind::parameter) parameters.push_back(rule);
    }
    if (blocks_.markup == Markup::none || (attributes.empty() && parameters.empty() && !comments)) return;
    each_markup([&](ByteView rest) {
      for (std::size_t at = rest.find('<'); at < rest.size();) {
        const ByteView here = rest.substr(at);
        std::size_t size = here.starts_with("<!--") ? here.find("-->") : tag_size(here);
        if (here.starts_with("<!--")) {
          size = size == ByteView::npos ? here.size() : size + 3;
          if (comments) add(here.substr(0, size));
        } else {
          take_tag(here.substr(0, size), attributes, parameters);
        }
        at = rest.find('<', at + std::max<std::size_t>(size, 1));
      }
    });
  }

  void take_tag(ByteView tag, const Rules& attributes, const Rules& parameters) {
    AttributeReader reader(tag);
    Attribute attribute;
    while (reader.next(attribute)) {
      if (attribute.value.empty()) continue;
      const std::string name = lower(attribute.name.substr(0, 128));
      const bool ignored = std::any_of(attributes.begin(), attributes.end(),
                                       [&](const NoiseRule* rule) { return matches_glob(rule->value, name); });
      if (ignored) {
        add(attribute.value);
      } else if (!parameters.empty()) {
        take_parameters(attribute.value, parameters);
      }
    }
  }

  // NAME=VALUE behind "?", "&", "&amp;" or ";".
  void take_parameters(ByteView value, const Rules& rules) {
    for (std::size_t at = value.find_first_of("?&;"); at != ByteView::npos; at = value.find_first_of("?&;", at + 1)) {
      const ByteView rest = value.substr(at + 1);
      const std::size_t sign = rest.find('=');
      if (sign == ByteView::npos || sign > 64 || rest.substr(0, sign).find_first_of("?&;/#") != ByteView::npos)
        continue;
      const std::string name = lower(rest.substr(0, sign));
      const bool ignored = std::any_of(rules.begin(), rules.end(),
                                       [&](const NoiseRule* rule) { return matches_glob(rule->value, name); });
      if (ignored) add(rest.substr(sign + 1, std::min(rest.find_first_of("&#\"' "), rest.size()) - sign - 1));
    }
  }

  void take_patterns(const Rules& rules) {
    Rules texts;
    for (const NoiseRule* rule : rules) {
      if (rule->kind == NoiseRule::Kind::text) texts.push_back(rule);
      if (rule->kind != NoiseRule::Kind::source) continue;
      each_source([&](ByteView text) { rule->pattern->each(text, [&](std::string_view found) { add(found); }); });
    }
    if (texts.empty()) return;
    for (const PageBlock& block : blocks_.blocks) {
      if (block.kind == PageBlockKind::text) take_text(pieces_of(block), texts);
    }
  }

  // A piece of text between tags, and where it stands in the text of the block: "<b>12</b> views" is read as one.
  struct TextPiece {
    ByteView text;
    std::size_t at = 0;
  };
  struct BlockPieces {
    std::vector<TextPiece> pieces;
    std::string text;
  };

  BlockPieces pieces_of(const PageBlock& block) const {
    BlockPieces result;
    ByteView rest = page_.substr(block.begin, block.end - block.begin);
    if (blocks_.markup == Markup::none) {
      result.pieces.push_back({rest, 0});
      return result;
    }
    while (!rest.empty()) {
      const std::size_t open = std::min(rest.find('<'), rest.size());
      if (open > 0) {
        result.pieces.push_back({rest.substr(0, open), result.text.size()});
        result.text += rest.substr(0, open);
      }
      rest.remove_prefix(open);
      if (rest.empty()) break;
      const std::size_t size = std::max<std::size_t>(tag_size(rest), 1);
      if (parts_words(rest.substr(0, size)) && !result.text.ends_with(' ')) result.text += ' ';
      rest.remove_prefix(size);
    }
    return result;
  }

  // A cell of a table, a new line: what stands on both sides is not one word.
  static bool parts_words(ByteView tag) {
    tag.remove_prefix(tag.starts_with("</") ? 2 : 1);
    const ByteView name = tag.substr(0, std::min(tag.find_first_of(" \t\r\n/>"), tag.size()));
    return equals_ignoring_case(name, "td") || equals_ignoring_case(name, "th") || equals_ignoring_case(name, "br");
  }

  // In each piece by itself, which begins and ends words, and in all of them together.
  void take_text(const BlockPieces& block, const Rules& rules) {
    for (const NoiseRule* rule : rules) {
      for (const TextPiece& piece : block.pieces) {
        rule->pattern->each(piece.text, [&](std::string_view found) { add(found); });
      }
      if (block.pieces.size() < 2) continue;
      rule->pattern->each(block.text, [&](std::string_view found) {
        const auto begin = static_cast<std::size_t>(found.data() - block.text.data());
        add_across(block.pieces, begin, begin + found.size());
      });
    }
  }

  void add_across(const std::vector<TextPiece>& pieces, std::size_t begin, std::size_t end) {
    for (const TextPiece& piece : pieces) {
      const std::size_t from = std::max(begin, piece.at);
      const std::size_t to = std::min(end, piece.at + piece.text.size());
      if (from < to) add(piece.text.substr(from - piece.at, to - from));
    }
  }

  // What may hold tags: everything but scripts and styles past their start tags.
  template <typename Visit>
  void each_markup(Visit visit) {
    std::uint64_t at = 0;
    for (const PageBlock& block : blocks_.blocks) {
      const ByteView bytes = page_.substr(block.begin, block.end - block.begin);
      visit(page_.substr(at, block.begin - at));
      at = block.end;
      const bool script = block.kind == PageBlockKind::script || block.kind == PageBlockKind::style;
      if (read_only_ && !is_read(block)) continue;
      visit(script ? bytes.substr(0, tag_size(bytes)) : bytes);
    }
    visit(page_.substr(at));
  }

  template <typename Visit>
  void each_source(Visit visit) {
    if (!read_only_) return visit(page_);
    std::uint64_t at = 0;
    for (const PageBlock& block : blocks_.blocks) {
      visit(page_.substr(at, block.begin - at));
      if (is_read(block)) visit(page_.substr(block.begin, block.end - block.begin));
      at = block.end;
    }
    visit(page_.substr(at));
  }

  static std::vector<NoiseRange> joined(std::vector<NoiseRange> ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::vector<NoiseRange> list;
    for (const NoiseRange& range : ranges) {
      if (!list.empty() && range.begin <= list.back().end) {
        list.back().end = std::max(list.back().end, range.end);
      } else {
        list.push_back(range);
      }
    }
    return list;
  }

  // Sorted and joined, without what is to be kept.
  std::vector<NoiseRange> settled() {
    const std::vector<NoiseRange> kept = joined(std::move(kept_));
    std::erase_if(noise_, [&](const NoiseRange& range) {
      const auto around =
          std::partition_point(kept.begin(), kept.end(), [&](const NoiseRange& k) { return k.end < range.end; });
      return around != kept.end() && around->begin <= range.begin;
    });
    return joined(std::move(noise_));
  }

  ByteView page_;
  const PageBlocks& blocks_;
  bool read_only_;
  std::vector<NoiseRange> noise_;
  std::vector<NoiseRange> kept_;
};

}  // namespace

struct SignificanceRules::Impl {
  NoiseRuleFile file;
};

SignificanceRules::SignificanceRules(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
SignificanceRules::SignificanceRules(SignificanceRules&&) noexcept = default;
SignificanceRules& SignificanceRules::operator=(SignificanceRules&&) noexcept = default;
SignificanceRules::~SignificanceRules() = default;

Result<SignificanceRules> SignificanceRules::parse(std::string_view text, const std::string& name) {
  BA_ASSIGN(NoiseRuleFile file, parse_noise_rules(text, name));
  return SignificanceRules(std::make_unique<const Impl>(Impl{std::move(file)}));
}

const SignificanceRules& SignificanceRules::built_in() {
  static const SignificanceRules rules = [] {
    auto parsed = parse(built_in_text(), "built-in rules");
    assert(parsed.has_value());  // a test reads them
    return std::move(parsed).value();
  }();
  return rules;
}

const std::string& SignificanceRules::name() const {
  return impl_->file.name;
}

std::size_t SignificanceRules::size() const {
  return impl_->file.rules.size();
}

std::vector<NoiseRange> SignificanceRules::find_noise(ByteView page, const PageBlocks& blocks, std::string_view url,
                                                      bool read_only) const {
  return NoiseFinder(page, blocks, read_only).find(impl_->file.rules, url);
}

Bytes without_noise(ByteView page, std::uint64_t begin, std::uint64_t end, const std::vector<NoiseRange>& noise) {
  Bytes bytes;
  auto range = std::partition_point(noise.begin(), noise.end(), [&](const NoiseRange& r) { return r.end <= begin; });
  std::uint64_t at = begin;
  for (; range != noise.end() && range->begin < end; ++range) {
    if (range->begin > at) bytes += page.substr(at, range->begin - at);
    bytes += kNoiseMark;
    at = std::min(range->end, end);
  }
  if (at < end) bytes += page.substr(at, end - at);
  return bytes;
}

void drop_noise(ByteView page, PageBlocks& blocks, std::vector<NoiseRange> noise) {
  std::vector<PageBlock> kept;
  auto range = noise.begin();
  for (PageBlock& block : blocks.blocks) {
    while (range != noise.end() && range->end <= block.begin) ++range;
    const bool touched = range != noise.end() && range->begin < block.end;
    if (touched && range->begin <= block.begin && range->end >= block.end) continue;
    if (touched) block.id.hash = hash_object(ObjectKind::block, without_noise(page, block.begin, block.end, noise));
    kept.push_back(std::move(block));
  }
  blocks.blocks = std::move(kept);
  blocks.noise = std::move(noise);
}

}  // namespace blockarch
