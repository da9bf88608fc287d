// pugixml tells where each name begins but not where an element ends. Between an element's last byte and its
// next sibling, or its parent's end tag, only white space can stand: everything else is a sibling too. So
// ends are found from the outside in, by the last ">" before the next thing. Whatever does not fit (hostile
// or broken input) is dropped by ElementTree::finish.
#include "segment/xml_elements.h"

#include <algorithm>
#include <pugixml.hpp>
#include <unordered_map>

#include "segment/element_kind.h"
#include "segment/html_elements.h"

namespace blockarch {
namespace {

// Text, comments and the like are needed as neighbours only; nothing is converted, so that offsets are the
// payload's.
constexpr unsigned kParseOptions =
    pugi::parse_pi | pugi::parse_comments | pugi::parse_cdata | pugi::parse_fragment | pugi::parse_doctype;

// Deeper elements are part of the one at this depth.
constexpr std::size_t kMaxDepth = 256;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

// The lists that everybody publishes: RSS and RDF, Atom, sitemaps and their index.
bool is_entry_name(std::string_view local) {
  return local == "item" || local == "entry" || local == "url" || local == "sitemap";
}

pugi::xml_node first_element(pugi::xml_node parent) {
  pugi::xml_node child = parent.first_child();
  while (child && child.type() != pugi::node_element) child = child.next_sibling();
  return child;
}

pugi::xml_node next_element(pugi::xml_node element) {
  do {
    element = element.next_sibling();
  } while (element && element.type() != pugi::node_element);
  return element;
}

bool is_xhtml(pugi::xml_node document) {
  return std::string_view(first_element(document).name()) == "html";
}

// Where a list stands and what its entries are called.
struct EntryList {
  pugi::xml_node parent;
  std::string name;
};

// The name that is repeated most; a known one goes first.
std::string entry_name(pugi::xml_node parent) {
  std::unordered_map<std::string_view, std::size_t> counts;
  std::string_view most;
  for (pugi::xml_node child = first_element(parent); child; child = next_element(child)) {
    const std::string_view name = child.name();
    if (is_entry_name(local_name(name))) return std::string(name);
    const std::size_t count = ++counts[name];
    if (count > 1 && (most.empty() || count > counts[most])) most = name;
  }
  return std::string(most);
}

// Elements of a few bytes make no blocks: they are grouped like anything small.
bool are_long_enough(pugi::xml_node parent, const std::string& name) {
  constexpr std::ptrdiff_t kLeastEntry = 32;
  const pugi::xml_node first = parent.child(name.c_str());
  std::ptrdiff_t count = 1;
  pugi::xml_node last = first;
  for (auto next = first.next_sibling(name.c_str()); next; next = next.next_sibling(name.c_str()), ++count) last = next;
  return last.offset_debug() - first.offset_debug() >= kLeastEntry * (count - 1);
}

EntryList find_entries(pugi::xml_node document) {
  constexpr int kMaxListDepth = 4;
  pugi::xml_node parent = first_element(document);
  for (int depth = 0; parent && depth < kMaxListDepth; ++depth) {
    std::string name = entry_name(parent);
    if (!name.empty()) return are_long_enough(parent, name) ? EntryList{parent, std::move(name)} : EntryList{};
    const pugi::xml_node only = first_element(parent);
    if (!only || next_element(only)) break;
    parent = only;
  }
  return {};
}

class XmlReader {
 public:
  XmlReader(ByteView payload, pugi::xml_node document, std::uint32_t parsed_to, bool complete)
      : payload_(payload),
        tree_(static_cast<std::uint32_t>(payload.size())),
        entries_(find_entries(document)),
        parsed_to_(parsed_to),
        xhtml_(is_xhtml(document)),
        broken_(complete ? kNoElement : 0) {
    walk(document);
  }

  ElementTree finish() {
    tree_.finish();
    return std::move(tree_);
  }

 private:
  // Pre-order, without recursion: depth is the input's.
  void walk(pugi::xml_node document) {
    struct Level {
      pugi::xml_node next;
      std::uint32_t element;
    };
    std::vector<Level> levels{{first_element(document), 0}};
    while (!levels.empty()) {
      const pugi::xml_node node = levels.back().next;
      if (!node) {
        levels.pop_back();
        continue;
      }
      levels.back().next = next_element(node);
      const std::uint32_t element = add(node, levels.back().element);
      if (element != kNoElement && node.first_child() && levels.size() < kMaxDepth)
        levels.push_back({first_element(node), element});
    }
  }

  std::uint32_t add(pugi::xml_node node, std::uint32_t parent) {
    const std::ptrdiff_t name = node.offset_debug();
    if (name < 1 || static_cast<std::size_t>(name) >= payload_.size()) return kNoElement;
    const auto begin = static_cast<std::uint32_t>(name - 1);
    const std::uint32_t inner_begin = tag_end(begin);
    const std::uint32_t element = tree_.open(parent, kind_of(node, parent), begin, inner_begin);
    set_id(node, element);
    set_end(node, element);
    return element;
  }

  // The first ">" outside quotes.
  std::uint32_t tag_end(std::uint32_t begin) const {
    std::size_t at = begin;
    while (true) {
      at = payload_.find_first_of("\"'>", at);
      if (at == ByteView::npos) return static_cast<std::uint32_t>(payload_.size());
      if (payload_[at] == '>') return static_cast<std::uint32_t>(at + 1);
      at = payload_.find(payload_[at], at + 1);
      if (at == ByteView::npos) return static_cast<std::uint32_t>(payload_.size());
      ++at;
    }
  }

  static std::uint32_t begin_of(pugi::xml_node node) {
    const std::ptrdiff_t offset = node.offset_debug();
    std::ptrdiff_t before = 0;
    switch (node.type()) {
      case pugi::node_element:
        before = 1;
        break;
      case pugi::node_pi:
      case pugi::node_declaration:
        before = 2;
        break;
      case pugi::node_comment:
        before = 4;
        break;
      case pugi::node_cdata:
      case pugi::node_doctype:
        before = 9;
        break;
      default:
        break;
    }
    return offset < before ? kNoElement : static_cast<std::uint32_t>(offset - before);
  }

  void set_end(pugi::xml_node node, std::uint32_t index) {
    Element& element = tree_.elements[index];
    const Element& parent = tree_.elements[element.parent];
    const pugi::xml_node next = node.next_sibling();
    // After a parse error the last of each level may be cut short: it is open unless its own end tag says
    // otherwise.
    const bool last_before_error = broken_ == element.parent && !next;
    const std::uint32_t limit = next ? begin_of(next) : last_before_error ? parsed_to_ : parent.inner_end;
    const std::uint32_t end = end_before(std::min(limit, parent.inner_end));
    const bool empty = element.inner_begin - element.begin > 2 && payload_[element.inner_begin - 2] == '/';
    const std::uint32_t close = end > element.inner_begin ? end_tag(node, end) : end;
    if (end < element.inner_begin || close < element.inner_begin || (close == end && !empty)) {
      return last_before_error ? leave_open(element, index, parent.inner_end) : tree_.drop(index);
    }
    element.inner_end = close;
    element.end = end;
  }

  // One past the ">" that only white space separates from `limit`, 0 where something else does. Elements open
  // at a parse error all ask for the same limit.
  std::uint32_t end_before(std::uint32_t limit) {
    if (limit == asked_limit_) return asked_end_;
    std::uint32_t end = limit;
    while (end > 0 && is_blank(payload_[end - 1])) --end;
    asked_limit_ = limit;
    asked_end_ = end > 0 && payload_[end - 1] == '>' ? end : 0;
    return asked_end_;
  }

  // Where the element's end tag begins that ends at `end`, 0 where it has none there.
  std::uint32_t end_tag(pugi::xml_node node, std::uint32_t end) const {
    constexpr std::size_t kMaxBlank = 64;
    const std::string_view name = node.name();
    std::size_t at = end - 1;
    for (std::size_t blank = 0; at > 0 && blank < kMaxBlank && is_blank(payload_[at - 1]); ++blank) --at;
    if (at < name.size() + 2 || payload_.substr(at - name.size(), name.size()) != name) return 0;
    at -= name.size() + 2;
    return payload_.substr(at, 2) == "</" ? static_cast<std::uint32_t>(at) : 0;
  }

  void leave_open(Element& element, std::uint32_t index, std::uint32_t end) {
    element.inner_end = element.end = end;
    broken_ = index;
  }

  ElementKind kind_of(pugi::xml_node node, std::uint32_t parent) {
    const std::string_view name = local_name(node.name());
    if (xhtml_) {
      const ElementKind kind = html_element_kind(name);
      const bool outer = parent == 0 || tree_.elements[parent].parent == 0;
      return kind == ElementKind::transparent && !outer ? ElementKind::block : kind;
    }
    if (list_reached_) {
      const bool entry = node.parent() == entries_.parent && entries_.name == node.name();
      return entry ? ElementKind::entry : ElementKind::block;
    }
    // Elements come in source order, so all up to here are around the list. They are passed through, however
    // short.
    list_reached_ = !entries_.parent || node == entries_.parent;
    return entries_.parent ? ElementKind::transparent : ElementKind::block;
  }

  void set_id(pugi::xml_node node, std::uint32_t index) {
    const std::string_view id = node.attribute("id").value();
    if (id.empty() || id.size() >= 64) return;
    Element& element = tree_.elements[index];
    const std::size_t at = payload_.substr(0, element.inner_begin).find(id, element.begin);
    if (at == ByteView::npos) return;
    element.id_begin = static_cast<std::uint32_t>(at);
    element.id_size = static_cast<std::uint8_t>(id.size());
  }

  ByteView payload_;
  ElementTree tree_;
  EntryList entries_;
  std::uint32_t parsed_to_;
  bool xhtml_;
  bool list_reached_ = false;
  std::uint32_t broken_;  // the innermost element known to be open at the parse error
  std::uint32_t asked_limit_ = kNoElement;
  std::uint32_t asked_end_ = 0;
};

}  // namespace

ElementTree xml_elements(ByteView payload) {
  if (payload.empty() || payload.size() > kMaxMarkupSize) {
    return ElementTree(static_cast<std::uint32_t>(std::min<std::size_t>(payload.size(), 0xffffffff)));
  }
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer(payload.data(), payload.size(), kParseOptions, pugi::encoding_utf8);
  if (!result && is_xhtml(document)) return html_elements(payload);
  // An error lies inside a tag or at the end: the last whole tag before it is what can still be trusted.
  const auto error = static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0));
  const std::size_t close = payload.substr(0, error).rfind('>');
  const auto parsed_to = static_cast<std::uint32_t>(close == ByteView::npos ? 0 : close + 1);
  return XmlReader(payload, document, parsed_to, static_cast<bool>(result)).finish();
}

}  // namespace blockarch
