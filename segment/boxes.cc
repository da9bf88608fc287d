#include "segment/boxes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "segment/hints.h"
#include "segment/html_tags.h"

namespace blockarch {
namespace {

constexpr std::size_t kLongestName = 12;

struct NamedTag {
  std::string_view name;
  BoxTag tag;
};

constexpr auto kTags = std::to_array<NamedTag>({
    {"a", BoxTag::link},           {"address", BoxTag::address},
    {"article", BoxTag::article},  {"aside", BoxTag::aside},
    {"blockquote", BoxTag::quote}, {"button", BoxTag::control},
    {"caption", BoxTag::figure},   {"dd", BoxTag::item},
    {"dialog", BoxTag::dialog},    {"div", BoxTag::div},
    {"dl", BoxTag::list},          {"dt", BoxTag::item},
    {"fieldset", BoxTag::control}, {"figcaption", BoxTag::figure},
    {"figure", BoxTag::figure},    {"footer", BoxTag::footer},
    {"form", BoxTag::form},        {"h1", BoxTag::heading1},
    {"h2", BoxTag::heading2},      {"h3", BoxTag::heading2},
    {"h4", BoxTag::heading4},      {"h5", BoxTag::heading4},
    {"h6", BoxTag::heading4},      {"header", BoxTag::header},
    {"label", BoxTag::control},    {"legend", BoxTag::control},
    {"li", BoxTag::item},          {"listing", BoxTag::preformed},
    {"main", BoxTag::main},        {"menu", BoxTag::list},
    {"nav", BoxTag::nav},          {"ol", BoxTag::list},
    {"optgroup", BoxTag::control}, {"option", BoxTag::control},
    {"p", BoxTag::paragraph},      {"pre", BoxTag::preformed},
    {"section", BoxTag::section},  {"select", BoxTag::control},
    {"table", BoxTag::table},      {"tbody", BoxTag::table},
    {"td", BoxTag::cell},          {"template", BoxTag::dialog},
    {"textarea", BoxTag::control}, {"tfoot", BoxTag::table},
    {"th", BoxTag::cell},          {"thead", BoxTag::table},
    {"tr", BoxTag::row},           {"ul", BoxTag::list},
    {"xmp", BoxTag::preformed},
});

// What an element means while the page is walked.
enum class Part : std::uint8_t { box, skipped, link, image, input, line_break, inline_text };

struct Lowered {
  std::array<char, kLongestName> bytes{};
  std::size_t size = 0;

  explicit Lowered(ByteView name) : size(name.size() <= kLongestName ? name.size() : 0) {
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] = static_cast<char>(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
    }
  }
  std::string_view view() const { return {bytes.data(), size}; }
};

bool is_any(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Part part_of(ElementKind kind, std::string_view name) {
  if (name.starts_with('!')) return Part::skipped;
  if (kind == ElementKind::line_break) return Part::line_break;
  if (kind == ElementKind::phrasing) {
    if (name == "a") return Part::link;
    if (name == "img") return Part::image;
    if (is_any(name, {"input", "button", "select", "textarea"})) return Part::input;
    if (is_any(name, {"noscript", "template", "svg", "iframe"})) return Part::skipped;
    return Part::inline_text;
  }
  if (is_any(name, {"head", "script", "style", "noscript", "template", "svg", "iframe", "math", "object"})) {
    return name == "object" || name == "math" ? Part::inline_text : Part::skipped;
  }
  if (kind == ElementKind::leaf) return Part::inline_text;
  return Part::box;
}

// What names say, by their numbers: most elements have one.
struct TagMeaning {
  std::array<Part, kElementKinds> parts{};
  BoxTag box = BoxTag::other;
  bool link = false;
};

using TagMeanings = std::array<TagMeaning, 256>;

TagMeaning meaning_of(std::string_view lower_name) {
  TagMeaning meaning;
  for (std::size_t kind = 0; kind < kElementKinds; ++kind) {
    meaning.parts[kind] = part_of(static_cast<ElementKind>(kind), lower_name);
  }
  meaning.box = box_tag(lower_name);
  meaning.link = lower_name == "a";
  return meaning;
}

const TagMeanings& tag_meanings() {
  static const TagMeanings meanings = [] {
    TagMeanings made;
    for (std::size_t tag = 0; tag < made.size(); ++tag) made[tag] = meaning_of(Lowered(name_of_tag(tag)).view());
    return made;
  }();
  return meanings;
}

// Start tags repeat: rows, items, cards. Those seen last are remembered.
class TagNameCache {
 public:
  TagNames read(ByteView tag) {
    if (tag.size() < kLeast || tag.size() > kMost) return read_tag_names(tag);
    Entry& entry = entries_[slot_of(tag)];
    if (entry.tag != tag) entry = {tag, read_tag_names(tag)};
    return entry.names;
  }

 private:
  struct Entry {
    ByteView tag;
    TagNames names;
  };
  static constexpr std::size_t kLeast = 8;
  static constexpr std::size_t kMost = 256;

  // The ends differ most.
  static std::size_t slot_of(ByteView tag) {
    std::uint64_t hash = tag.size();
    for (std::size_t i = tag.size() - kLeast; i < tag.size(); ++i)
      hash = hash << 7 ^ static_cast<unsigned char>(tag[i]);
    return hash * 0x9e3779b97f4a7c15u >> 58;
  }

  std::array<Entry, 64> entries_{};
};

// Boxes and lines are larger than most of the markup they are made from, so there are only so many of them in a page.
constexpr std::size_t kAlways = 4096;
constexpr std::size_t kBytesEach = 40;

class BoxFinder {
 public:
  BoxFinder(ByteView payload, const ElementTree& tree, TextForm form)
      : payload_(payload), tree_(tree), form_(form), most_(std::max(kAlways, payload.size() / kBytesEach)) {}

  PageBoxes run() {
    page_.boxes.reserve(std::min(most_, tree_.elements.size() / 2 + 1));
    page_.lines.reserve(std::min(most_, tree_.elements.size() / 2 + 1));
    open_box(0, BoxTag::other);
    need_boxes();
    walk();
    end_line();
    close_box();
    add_up();
    count_alike();
    return std::move(page_);
  }

 private:
  struct Open {
    std::uint32_t element;
    std::uint32_t box = kNoElement;  // made when the first text comes
    std::uint32_t images = 0;
    std::uint32_t controls = 0;
    std::uint32_t links = 0;
    BoxTag tag;
  };

  const Element& at(std::uint32_t index) const { return tree_.elements[index]; }

  void walk() {
    std::uint32_t here = 0;
    std::uint32_t cursor = at(0).inner_begin;
    std::uint32_t next = at(0).first_child;
    while (true) {
      if (next != kNoElement) {
        take_text(cursor, at(next).begin);
        if (enter(next)) {
          here = next;
          cursor = at(here).inner_begin;
          next = at(here).first_child;
        } else {
          cursor = at(next).end;
          next = at(next).next_sibling;
        }
        continue;
      }
      take_text(cursor, at(here).inner_end);
      if (here == 0) return;
      leave(here);
      cursor = at(here).end;
      next = at(here).next_sibling;
      here = at(here).parent;
    }
  }

  const TagMeaning& meaning_of_element(const Element& element) {
    if (element.tag != 0) return meanings_[element.tag];
    return other_ = meaning_of(Lowered(element_name(payload_, element)).view());
  }

  // Whether what is inside counts.
  bool enter(std::uint32_t index) {
    const Element& element = at(index);
    const TagMeaning& meaning = meaning_of_element(element);
    switch (meaning.parts[static_cast<std::size_t>(element.kind)]) {
      case Part::skipped:
        return false;
      case Part::line_break:
        if (line_open_ && line_.breaks < 255) ++line_.breaks;
        return false;
      case Part::image:
        ++open_.back().images;
        return false;
      case Part::input:
        ++open_.back().controls;
        return true;
      case Part::link:
        ++open_.back().links;
        ++in_link_;
        return true;
      case Part::inline_text:
        return true;
      case Part::box:
        break;
    }
    end_line();
    const BoxTag tag = meaning.box;
    if (tag == BoxTag::link) ++in_link_;
    if (tag == BoxTag::control) ++open_.back().controls;
    open_box(index, tag);
    return true;
  }

  void leave(std::uint32_t index) {
    if (open_.back().element == index) {
      end_line();
      if (open_.back().tag == BoxTag::link) --in_link_;
      close_box();
      return;
    }
    const Element& element = at(index);
    if (in_link_ > 0 && element.kind == ElementKind::phrasing) {
      if (meaning_of_element(element).link) --in_link_;
    }
  }

  void open_box(std::uint32_t element, BoxTag tag) { open_.push_back({.element = element, .tag = tag}); }

  void close_box() {
    const Open& last = open_.back();
    if (last.box != kNoElement) {
      Box& box = page_.boxes[last.box];
      box.images += last.images;
      box.controls += last.controls;
      box.links += last.links;
      box.line_end = static_cast<std::uint32_t>(page_.lines.size());
      box.next = static_cast<std::uint32_t>(page_.boxes.size());
    } else if (open_.size() > 1) {
      Open& outer = open_[open_.size() - 2];
      outer.images += last.images;
      outer.controls += last.controls;
      outer.links += last.links;
    }
    open_.pop_back();
  }

  void need_boxes() {
    std::size_t first = open_.size();
    while (first > 0 && open_[first - 1].box == kNoElement) --first;
    for (std::size_t i = first; i < open_.size(); ++i) {
      const std::uint32_t parent = i == 0 ? kNoElement : open_[i - 1].box;
      if (page_.boxes.size() >= most_ && parent != kNoElement) {
        open_[i].box = kNoElement;
        return;
      }
      open_[i].box = make_box(open_[i], parent);
    }
  }

  std::uint32_t make_box(const Open& open, std::uint32_t parent) {
    const auto index = static_cast<std::uint32_t>(page_.boxes.size());
    Box& box = page_.boxes.emplace_back();
    box.element = open.element;
    box.parent = parent;
    box.first_line = static_cast<std::uint32_t>(page_.lines.size());
    box.tag = open.tag;
    const Element& element = at(open.element);
    if (element.inner_begin > element.begin) {
      const TagNames names = names_.read(payload_.substr(element.begin, element.inner_begin - element.begin));
      box.hints = names.hints;
      box.signature = names.signature;
      box.has_class = names.signature != 0;
    }
    box.signature = (box.signature ^ static_cast<std::uint64_t>(open.tag)) * 0x9e3779b97f4a7c15u;
    box.around = box.hints;
    box.tags_around = 1u << static_cast<unsigned>(open.tag);
    if (parent != kNoElement) {
      Box& outer = page_.boxes[parent];
      ++outer.children;
      box.around |= outer.around;
      box.tags_around |= outer.tags_around;
      box.depth = static_cast<std::uint8_t>(std::min(outer.depth + 1, 255));
    }
    return index;
  }

  // The innermost box there is.
  std::uint32_t box_here() const {
    for (std::size_t i = open_.size(); i-- > 0;) {
      if (open_[i].box != kNoElement) return open_[i].box;
    }
    return 0;
  }

  void take_text(std::uint32_t begin, std::uint32_t end) {
    while (begin < end && is_blank(payload_[begin])) ++begin;
    if (begin >= end) return;
    const TextCount count = count_text(payload_.substr(begin, end - begin), form_);
    if (count.words == 0 && (count.stops == 0 || !line_open_)) return;
    if (!line_open_) {
      need_boxes();
      line_ = Line{};
      line_.box = box_here();
      line_.begin = begin;
      line_.words_before = words_;
      line_open_ = true;
    }
    line_.text.add(count);
    line_.end = end;
    if (in_link_ > 0) line_.link_words += count.words;
    words_ += count.words;
  }

  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }

  void end_line() {
    if (!line_open_) return;
    line_open_ = false;
    while (line_.end > line_.begin && is_blank(payload_[line_.end - 1])) --line_.end;
    if (page_.lines.size() >= most_ && page_.lines.back().box == line_.box) {
      Line& last = page_.lines.back();
      last.end = line_.end;
      last.text.add(line_.text);
      last.link_words += line_.link_words;
      return;
    }
    page_.lines.push_back(line_);
  }

  // What stands in the lines and boxes inside counts for every box around.
  void add_up() {
    for (const Line& line : page_.lines) {
      Box& box = page_.boxes[line.box];
      box.words += line.text.words;
      box.link_words += line.link_words;
      box.stops += line.text.stops;
      if (line.is_prose()) box.prose_words += line.text.words;
      const bool heading = box.tag == BoxTag::heading1 || box.tag == BoxTag::heading2 || box.tag == BoxTag::heading4;
      if (heading) ++box.headings;
    }
    for (std::size_t i = page_.boxes.size(); i-- > 1;) {
      const Box& box = page_.boxes[i];
      Box& outer = page_.boxes[box.parent];
      outer.words += box.words;
      outer.link_words += box.link_words;
      outer.links += box.links;
      outer.stops += box.stops;
      outer.prose_words += box.prose_words;
      outer.images += box.images;
      outer.controls += box.controls;
      outer.headings += box.headings;
    }
  }

  void count_alike() {
    page_.boxes[0].alike = 1;
    std::vector<Sibling> siblings;
    for (std::uint32_t parent = 0; parent < page_.boxes.size(); ++parent) {
      siblings.clear();
      bool mixed = false;
      for (std::uint32_t i = parent + 1; i < page_.boxes[parent].next; i = page_.boxes[i].next) {
        siblings.push_back({page_.boxes[i].signature, i});
        mixed = mixed || siblings.back().signature != siblings.front().signature;
      }
      if (mixed) std::sort(siblings.begin(), siblings.end());
      count_runs(siblings);
    }
  }

  struct Sibling {
    std::uint64_t signature;
    std::uint32_t box;
    bool operator<(const Sibling& other) const { return signature < other.signature; }
  };

  void count_runs(const std::vector<Sibling>& siblings) {
    for (std::size_t begin = 0; begin < siblings.size();) {
      std::size_t end = begin;
      while (end < siblings.size() && siblings[end].signature == siblings[begin].signature) ++end;
      for (std::size_t i = begin; i < end; ++i) {
        page_.boxes[siblings[i].box].alike = static_cast<std::uint32_t>(end - begin);
      }
      begin = end;
    }
  }

  ByteView payload_;
  const ElementTree& tree_;
  const TagMeanings& meanings_ = tag_meanings();
  TagMeaning other_;
  TagNameCache names_;
  TextForm form_;
  std::size_t most_;
  PageBoxes page_;
  std::vector<Open> open_;
  Line line_;
  bool line_open_ = false;
  std::uint32_t in_link_ = 0;
  std::uint32_t words_ = 0;
};

}  // namespace

BoxTag box_tag(ByteView name) {
  const Lowered lower(name);
  const auto* const found = std::lower_bound(kTags.begin(), kTags.end(), lower.view(),
                                             [](const NamedTag& a, std::string_view b) { return a.name < b; });
  return found != kTags.end() && found->name == lower.view() ? found->tag : BoxTag::other;
}

PageBoxes find_boxes(ByteView payload, const ElementTree& tree, TextForm form) {
  return BoxFinder(payload, tree, form).run();
}

}  // namespace blockarch
