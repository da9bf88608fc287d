// The outlines are attributes put into the start tags of the page: an element more could change how the page is laid
// out, and inside a table it would not even stay in its place. Style sheets do the rest, so no script is needed.
//
// Three things keep the page from acting, each enough by itself for scripts: the frame is sandboxed without
// allow-scripts, the policy of the outer document, which the frame inherits, allows nothing but inline style and
// images inside the page, and the frame has no origin.
#include "cli/block_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/charset.h"
#include "cli/html_escape.h"
#include "cli/text.h"
#include "segment/auto.h"
#include "segment/html_elements.h"
#include "segment/xml_elements.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxListed = 2000;  // blocks in the list beside the page

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>Blocks</title>
<style>
body { margin: 0; display: flex; height: 100vh; font: 13px/1.4 sans-serif; }
ol { margin: 0; padding: 8px 8px 8px 52px; width: 320px; box-sizing: border-box; overflow: auto; background: #f6f6f6; }
li { margin: 2px 0; overflow-wrap: anywhere; }
li b { padding: 0 4px; color: #fff; border-radius: 2px; }
li small { color: #666; }
iframe { flex: 1; border: 0; border-left: 1px solid #ccc; background: #fff; }
)";

struct Colour {
  BlockLabel label;
  std::string_view colour;
};

constexpr Colour kColours[] = {
    {BlockLabel::none, "#777"},          {BlockLabel::main, "#137333"},        {BlockLabel::identity, "#8430ce"},
    {BlockLabel::navigation, "#1967d2"}, {BlockLabel::interaction, "#b06000"}, {BlockLabel::copyright, "#5f6368"},
    {BlockLabel::ad, "#c5221f"},         {BlockLabel::comments, "#00796b"},    {BlockLabel::related, "#ad1457"},
    {BlockLabel::script, "#333"},        {BlockLabel::style, "#333"},          {BlockLabel::data, "#333"}};

std::string_view shown_label(BlockLabel label) {
  return label_name(label);
}

std::string name_of(const DescribedBlock& block, std::size_t number) {
  std::string name = fmt::format("{} {}", number + 1, shown_label(block.label));
  if (!block.topic.empty()) name += ": " + block.topic;
  return escaped(printable(name));
}

std::string styles_inside() {
  std::string css = "<style>";
  for (const auto& [label, colour] : kColours) {
    const std::string_view name = shown_label(label);
    css += fmt::format(
        "[data-blockarch={0}]{{outline:2px solid {1}!important;outline-offset:-2px!important}}"
        "[data-blockarch={0}][data-blockarch-name]::before{{background:{1}!important}}",
        name, colour);
  }
  css +=
      "[data-blockarch-name]::before{content:attr(data-blockarch-name)!important;display:block!important;"
      "width:fit-content!important;max-width:100%!important;color:#fff!important;font:11px/1.3 sans-serif!important;"
      "padding:1px 4px!important;white-space:normal!important;text-align:left!important;text-indent:0!important}"
      "</style>";
  return css;
}

// What is put into the page, by the offset before which it goes.
using Insertions = std::multimap<std::uint64_t, std::string>;

// After the tag's name, so that a tag without attributes and one with them are treated alike.
std::uint64_t after_name(ByteView page, const Element& element) {
  return element.begin + 1 + element_name(page, element).size();
}

// The outermost elements of each block carry its label, the first of them its name. An element is marked for the
// innermost block that it is an outermost element of.
Insertions marks_in(ByteView page, const ElementTree& tree, const std::vector<DescribedBlock>& blocks) {
  std::vector<std::pair<std::uint32_t, bool>> owner(tree.elements.size(), {kNoParent, false});
  std::uint32_t first = 1;
  for (std::uint32_t k = 0; k < blocks.size(); ++k) {
    while (first < tree.elements.size() && tree.elements[first].begin < blocks[k].begin) ++first;
    bool named = false;
    for (std::uint32_t i = first; i != kNoElement && i < tree.elements.size();) {
      const Element& element = tree.elements[i];
      if (element.begin >= blocks[k].end) break;
      const bool fits = !element.dropped && element.end <= blocks[k].end && element.inner_begin > element.begin + 1 &&
                        page[element.begin] == '<' && !element_name(page, element).starts_with('!');
      if (fits) {
        owner[i] = {k, !named};
        named = true;
      }
      // Past what is inside it.
      std::uint32_t next = i + 1;
      if (fits) {
        next = static_cast<std::uint32_t>(
            std::partition_point(tree.elements.begin() + i + 1, tree.elements.end(),
                                 [&](const Element& other) { return other.begin < element.end; }) -
            tree.elements.begin());
      }
      i = next;
    }
  }
  Insertions marks;
  for (std::size_t i = 1; i < owner.size(); ++i) {
    const auto [k, named] = owner[i];
    if (k == kNoParent) continue;
    std::string mark = fmt::format(" data-blockarch={}", shown_label(blocks[k].label));
    if (named) mark += fmt::format(" data-blockarch-name=\"{}\"", name_of(blocks[k], k));
    mark += ' ';
    marks.emplace(after_name(page, tree.elements[i]), std::move(mark));
  }
  return marks;
}

// Text stands in one frame after the other, as it has no tags to mark.
std::string marked_text(ByteView page, const std::vector<DescribedBlock>& blocks, const std::string& charset) {
  std::string out = "<pre style=\"white-space:pre-wrap\">";
  std::uint64_t at = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const bool leaf = k + 1 == blocks.size() || blocks[k + 1].parent != k;
    if (!leaf || blocks[k].begin < at) continue;
    append_escaped(out, to_utf8(page.substr(at, blocks[k].begin - at), charset));
    out += fmt::format("<span data-blockarch={} data-blockarch-name=\"{}\">", shown_label(blocks[k].label),
                       name_of(blocks[k], k));
    append_escaped(out, to_utf8(page.substr(blocks[k].begin, blocks[k].end - blocks[k].begin), charset));
    out += "</span>";
    at = blocks[k].end;
  }
  append_escaped(out, to_utf8(page.substr(at), charset));
  return out + "</pre>";
}

std::string marked_page(ByteView page, const Insertions& marks, const std::string& charset) {
  std::string out;
  std::uint64_t at = 0;
  for (const auto& [offset, mark] : marks) {
    out += to_utf8(page.substr(at, offset - at), charset);
    out += mark;
    at = offset;
  }
  return out + to_utf8(page.substr(at), charset);
}

std::string inside(ByteView page, const std::vector<DescribedBlock>& blocks, const SegmentOptions& options) {
  const bool readable = page.size() <= kMaxMarkupSize && markup_is_ascii(options.charset);
  const Markup markup = readable ? sniff_markup(page, options.media_type) : Markup::none;
  if (markup != Markup::html) return styles_inside() + marked_text(page, blocks, options.charset);
  // First, before a policy of the page's own could refuse it.
  return styles_inside() + marked_page(page, marks_in(page, html_elements(page), blocks), options.charset);
}

}  // namespace

std::string block_page(ByteView page, const std::vector<DescribedBlock>& blocks, const SegmentOptions& options) {
  std::string out(kHead);
  for (const auto& [label, colour] : kColours) {
    out += fmt::format("li b.{} {{ background: {}; }}\n", shown_label(label), colour);
  }
  out += "</style></head><body><ol>\n";
  for (std::size_t k = 0; k < std::min(blocks.size(), kMaxListed); ++k) {
    const DescribedBlock& block = blocks[k];
    out += fmt::format("<li style=\"margin-left: {}px\"><b class={}>{}</b> {} <small>{}, {} bytes</small></li>\n",
                       (std::min<int>(block.level, 20) - 1) * 12, shown_label(block.label), shown_label(block.label),
                       escaped(printable(block.topic)), escaped(printable(block.path)),
                       group_digits(block.end - block.begin));
  }
  out += "</ol>\n<iframe sandbox title=\"the page\" srcdoc=\"";
  append_escaped(out, inside(page, blocks, options));
  return out + "\"></iframe></body></html>\n";
}

}  // namespace blockarch
