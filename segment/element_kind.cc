#include "segment/element_kind.h"

#include <array>

namespace blockarch {
namespace {

struct NamedKind {
  std::string_view name;
  ElementKind kind;
};

constexpr auto kBlock = ElementKind::block;
constexpr auto kHeading = ElementKind::heading;
constexpr auto kLeaf = ElementKind::leaf;

// Sorted by name. Elements that lay out a box by default, those that stand alone in <head>, and list-like
// content of controls; everything else flows with its text.
constexpr auto kKinds = std::to_array<NamedKind>({
    {"address", kBlock},
    {"article", kBlock},
    {"aside", kBlock},
    {"base", kBlock},
    {"blockquote", kBlock},
    {"body", ElementKind::transparent},
    {"br", ElementKind::line_break},
    {"caption", kBlock},
    {"center", kBlock},
    {"colgroup", kBlock},
    {"dd", kBlock},
    {"details", kBlock},
    {"dialog", kBlock},
    {"dir", kBlock},
    {"div", kBlock},
    {"dl", kBlock},
    {"dt", kBlock},
    {"fieldset", kBlock},
    {"figcaption", kBlock},
    {"figure", kBlock},
    {"footer", kBlock},
    {"form", kBlock},
    {"frame", kBlock},
    {"frameset", kBlock},
    {"h1", kHeading},
    {"h2", kHeading},
    {"h3", kHeading},
    {"h4", kHeading},
    {"h5", kHeading},
    {"h6", kHeading},
    {"head", kBlock},
    {"header", kBlock},
    {"hgroup", kHeading},
    {"hr", kBlock},
    {"html", ElementKind::transparent},
    {"iframe", kLeaf},
    {"legend", kBlock},
    {"li", kBlock},
    {"link", kBlock},
    {"listing", kBlock},
    {"main", kBlock},
    {"marquee", kBlock},
    {"math", kLeaf},
    {"menu", kBlock},
    {"meta", kBlock},
    {"nav", kBlock},
    {"noframes", kLeaf},
    {"ol", kBlock},
    {"optgroup", kBlock},
    {"option", kBlock},
    {"p", kBlock},
    {"plaintext", kBlock},
    {"pre", kBlock},
    {"script", kLeaf},
    {"search", kBlock},
    {"section", kBlock},
    {"style", kLeaf},
    {"summary", kBlock},
    {"svg", kLeaf},
    {"table", kBlock},
    {"tbody", kBlock},
    {"td", kBlock},
    {"template", kBlock},
    {"tfoot", kBlock},
    {"th", kBlock},
    {"thead", kBlock},
    {"title", kBlock},
    {"tr", kBlock},
    {"ul", kBlock},
    {"xmp", kLeaf},
});

constexpr NameTable<NamedKind, kKinds.size(), 256> kTable(kKinds);

}  // namespace

ElementKind html_element_kind(std::string_view name, std::uint32_t hash) {
  const NamedKind* const found = kTable.find(name, hash);
  return found != nullptr ? found->kind : ElementKind::phrasing;
}

}  // namespace blockarch
