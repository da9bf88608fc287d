#include "segment/fragment_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "segment/attributes.h"
#include "segment/element_kind.h"
#include "segment/name_table.h"
#include "segment/references.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxText = 1 << 10;  // of all pieces together
constexpr std::size_t kMaxOpen = 64;       // shown differently, inside each other
constexpr int kNormalSize = 3;

// What a byte of text is turned into, and what it is.
struct Sign {
  char shown = 0;
  std::uint8_t is_blank = 0;  // 0 or 1
  bool is_special = false;
};
using Signs = std::array<Sign, 256>;

constexpr Signs make_signs(bool is_markup) {
  Signs signs{};
  for (std::size_t i = 0; i < signs.size(); ++i) signs[i].shown = static_cast<char>(static_cast<unsigned char>(i));
  for (const char c : {' ', '\n', '\t', '\r', '\f'}) signs[static_cast<std::size_t>(c)] = {' ', 1, false};
  signs[is_markup ? '&' : '\n'].is_special = true;
  return signs;
}
constexpr Signs kMarkupSigns = make_signs(true);
constexpr Signs kTextSigns = make_signs(false);

struct Shown {
  std::string name;
  int heading = 0;
  int size = kNormalSize;
  std::string_view colour;
};

// <font size> for a length: 16 px, 12 pt and 1 em are 3.
int size_of(std::string_view value, int around) {
  double number = 0;
  const auto [stop, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (problem != std::errc() || !(number > 0)) return around;
  const std::string_view unit(stop, static_cast<std::size_t>(value.data() + value.size() - stop));
  double pixels = 0;
  if (unit.starts_with("px")) pixels = number;
  if (unit.starts_with("pt")) pixels = number * 4 / 3;
  if (unit.starts_with("em") || unit.starts_with("rem")) pixels = number * 16;
  if (unit.starts_with("%")) pixels = number * 16 / 100;
  if (pixels <= 0) return around;
  constexpr std::array<double, 6> kSteps = {11.5, 14.5, 17, 21, 28, 40};
  return 1 + static_cast<int>(std::upper_bound(kSteps.begin(), kSteps.end(), pixels) - kSteps.begin());
}

int font_size(std::string_view value, int around) {
  const bool relative = value.starts_with('+') || value.starts_with('-');
  int number = 0;
  const char* const begin = value.data() + (value.starts_with('+') ? 1 : 0);
  if (std::from_chars(begin, value.data() + value.size(), number).ec != std::errc()) return around;
  return std::clamp(relative ? kNormalSize + number : number, 1, 7);
}

// The value of a property in a style attribute.
std::string_view property(std::string_view style, std::string_view name) {
  for (std::size_t at = style.find(name); at != std::string_view::npos; at = style.find(name, at + 1)) {
    const bool whole = at == 0 || style[at - 1] == ';' || style[at - 1] == ' ';
    std::string_view rest = style.substr(at + name.size());
    if (!whole || !rest.starts_with(':')) continue;
    rest = rest.substr(1, rest.find(';') == std::string_view::npos ? rest.size() : rest.find(';') - 1);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    return rest;
  }
  return {};
}

struct HiddenName {
  std::string_view name;
};
constexpr auto kHiddenNames = std::to_array<HiddenName>(
    {{"script"}, {"style"}, {"noscript"}, {"template"}, {"svg"}, {"head"}, {"iframe"}, {"textarea"}, {"title"}});
constexpr NameTable<HiddenName, kHiddenNames.size(), 64> kHidden(kHiddenNames);

// The beginning of a tag's name in lower case, which is all of it for names that mean something here.
class TagName {
 public:
  explicit TagName(std::string_view from) {
    for (const char c : from.substr(0, bytes_.size())) {
      if (c == ' ' || c == '>' || c == '/' || c == '\n' || c == '\t' || c == '\r') break;
      const char lower = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
      bytes_[size_++] = lower;
      hash_ = name_hash_step(hash_, lower);
    }
  }
  std::string_view view() const { return {bytes_.data(), size_}; }
  bool is_hidden() const { return kHidden.find(view(), hash_) != nullptr; }
  ElementKind kind() const { return html_element_kind(view(), hash_); }

 private:
  std::array<char, 16> bytes_;
  std::size_t size_ = 0;
  std::uint32_t hash_ = kNameHashStart;
};

class PieceReader {
 public:
  PieceReader(std::string_view fragment, Markup markup)
      : rest_(fragment), markup_(markup), signs_(markup == Markup::none ? kTextSigns : kMarkupSigns) {
    result_.text.reserve(std::min(fragment.size(), 2 * kMaxText));
  }

  FragmentText run() {
    while (!rest_.empty() && used_ < kMaxText && !has_title()) {
      const std::size_t open = markup_ == Markup::none ? std::string_view::npos : rest_.find('<');
      if (open != 0) take_text(rest_.substr(0, open));
      rest_.remove_prefix(std::min(open, rest_.size()));
      if (!rest_.empty()) take_markup();
    }
    end_piece();
    return std::move(result_);
  }

 private:
  // Nothing after a finished heading of the first rank can matter more.
  bool has_title() const {
    return !result_.pieces.empty() && result_.pieces.back().heading == 1 && shown().heading != 1;
  }

  const Shown& shown() const {
    static const Shown plain;
    return open_.empty() ? plain : open_.back();
  }

  bool is_empty() const { return result_.text.size() == begin_; }

  void take_text(std::string_view text) {
    while (!text.empty() && used_ < kMaxText) {
      text.remove_prefix(take_plain(text));
      if (text.empty() || used_ >= kMaxText) return;
      if (markup_ == Markup::none) {
        new_line();
        text.remove_prefix(1);
      } else {
        text.remove_prefix(append_reference(text, result_.text));
      }
    }
  }

  // Up to the first sign that is special; how many bytes that is. Where words end cannot be predicted, so nothing here
  // branches on it.
  std::size_t take_plain(std::string_view text) {
    std::string& to = result_.text;
    const std::size_t before = to.size();
    std::size_t after_blank = is_empty() || to.back() == ' ' ? 1 : 0;
    to.resize(before + text.size());
    char* out = to.data() + before;
    std::size_t at = 0;
    bool special = false;
    while (at < text.size() && used_ < kMaxText && !special) {
      // So many signs at most can be used up before there is enough.
      const std::size_t end = at + std::min(text.size() - at, kMaxText - used_);
      const std::size_t begin = at;
      std::size_t blanks = 0;
      for (; at < end; ++at) {
        const Sign sign = signs_[static_cast<unsigned char>(text[at])];
        special = sign.is_special;
        if (special) break;
        const std::size_t blank = sign.is_blank;
        *out = sign.shown;
        out += 1 - (blank & after_blank);
        blanks += blank;
        after_blank = blank;
      }
      used_ += at - begin - blanks;
    }
    to.resize(static_cast<std::size_t>(out - to.data()));
    return at;
  }

  void end_piece() {
    std::string& text = result_.text;
    while (!is_empty() && text.back() == ' ') text.pop_back();
    if (is_empty()) return;
    if (at_line_start_ && begin_ > 0) text[begin_ - 1] = '\n';
    result_.pieces.push_back({begin_, static_cast<std::uint32_t>(text.size()), shown().heading, shown().size,
                              shown().colour, at_line_start_});
    at_line_start_ = false;
    text += ' ';
    begin_ = static_cast<std::uint32_t>(text.size());
  }

  void new_line() {
    end_piece();
    at_line_start_ = true;
  }

  void take_markup() {
    if (rest_.starts_with("<!--")) return skip_to("-->");
    if (rest_.starts_with("<![CDATA[")) {
      rest_.remove_prefix(9);
      const std::size_t end = std::min(rest_.find("]]>"), rest_.size());
      take_text(rest_.substr(0, end));
      return skip_to("]]>");
    }
    const bool closing = rest_.size() > 1 && rest_[1] == '/';
    const std::size_t name_at = closing ? 2 : 1;
    const char first = rest_.size() > name_at ? rest_[name_at] : ' ';
    const bool name = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
    if (!name && first != '!' && first != '?' && !closing) {
      take_text(rest_.substr(0, 1));
      rest_.remove_prefix(1);
      return;
    }
    const std::string_view tag = rest_.substr(0, tag_size(rest_));
    rest_.remove_prefix(tag.size());
    if (name) take_tag(tag, closing);
  }

  void skip_to(std::string_view mark) {
    const std::size_t end = rest_.find(mark);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + mark.size());
  }

  void take_tag(std::string_view tag, bool closing) {
    const TagName tag_name(tag.substr(closing ? 2 : 1));
    const std::string_view name = tag_name.view();
    if (markup_ == Markup::html && !closing && tag_name.is_hidden()) return skip_element(name);
    const bool boundary = markup_ == Markup::xml || tag_name.kind() != ElementKind::phrasing;
    if (boundary) new_line();
    if (closing) {
      close(name);
    } else {
      open(name, tag);
    }
  }

  void skip_element(std::string_view name) {
    const std::string mark = "</" + std::string(name);
    for (std::size_t at = rest_.find("</"); at != std::string_view::npos; at = rest_.find("</", at + 2)) {
      const std::string_view end = rest_.substr(at, mark.size());
      if (!std::equal(end.begin(), end.end(), mark.begin(), mark.end(),
                      [](char x, char y) { return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y; })) {
        continue;
      }
      rest_.remove_prefix(at);
      rest_.remove_prefix(tag_size(rest_));
      return;
    }
    // Cut off inside: none of it is text.
    rest_ = {};
  }

  void open(std::string_view name, std::string_view tag) {
    const bool heading = name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6';
    const bool title = markup_ == Markup::xml && name == "title";
    const bool styled = name == "font" || may_be_styled(tag);
    if (!heading && !title && !styled && name != "big" && name != "small") return;
    Shown next = shown();
    next.name = name;
    if (heading) next.heading = name[1] - '0';
    if (title) next.heading = 1;
    if (name == "big") next.size = std::min(next.size + 1, 7);
    if (name == "small") next.size = std::max(next.size - 1, 1);
    if (styled) read_style(name, tag, next);
    const bool differs = next.heading != shown().heading || next.size != shown().size || next.colour != shown().colour;
    if (!differs || open_.size() >= kMaxOpen) return;
    end_piece();
    open_.push_back(std::move(next));
  }

  // Most tags say nothing about how their text is shown; looking is cheaper than reading them.
  static bool may_be_styled(std::string_view tag) {
    constexpr std::size_t kLeast = std::string_view("<b style=color").size();
    for (std::size_t colon = tag.find(':', kLeast); colon != std::string_view::npos; colon = tag.find(':', colon + 1)) {
      const std::string_view before = tag.substr(0, colon);
      if (before.ends_with("font-size") || before.ends_with("color")) return true;
    }
    return false;
  }

  static void read_style(std::string_view name, std::string_view tag, Shown& next) {
    Attributes attributes(tag);
    while (attributes.next()) {
      const std::string_view value = attributes.value;
      if (attributes.is("style")) {
        const std::string_view size = property(value, "font-size");
        if (!size.empty()) next.size = size_of(size, next.size);
        const std::string_view colour = property(value, "color");
        if (!colour.empty()) next.colour = colour.substr(0, 32);
      } else if (name == "font" && attributes.is("size")) {
        next.size = font_size(value, next.size);
      } else if (name == "font" && attributes.is("color")) {
        next.colour = value.substr(0, 32);
      }
    }
  }

  void close(std::string_view name) {
    if (open_.empty()) return;
    const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const Shown& s) { return s.name == name; });
    if (found == open_.rend()) return;
    end_piece();
    open_.erase(std::prev(found.base()), open_.end());
  }

  std::string_view rest_;
  Markup markup_;
  const Signs& signs_;
  FragmentText result_;
  std::vector<Shown> open_;
  std::uint32_t begin_ = 0;  // of the piece that is being read
  std::size_t used_ = 0;
  bool at_line_start_ = true;
};

}  // namespace

FragmentText read_fragment_text(std::string_view fragment, Markup markup) {
  return PieceReader(fragment, markup).run();
}

std::string alternative_text(std::string_view fragment) {
  for (std::size_t at = fragment.find('<'); at != std::string_view::npos; at = fragment.find('<', at + 1)) {
    Attributes attributes(fragment.substr(at, tag_size(fragment.substr(at))));
    while (attributes.next()) {
      const bool named =
          attributes.is("alt") || attributes.is("title") || attributes.is("aria-label") || attributes.is("placeholder");
      if (!named || attributes.value.empty()) continue;
      std::string text;
      const std::string_view value = attributes.value.substr(0, 256);
      for (std::size_t i = 0; i < value.size();) {
        if (value[i] == '&') {
          i += append_reference(value.substr(i), text);
        } else {
          text += static_cast<unsigned char>(value[i]) < ' ' ? ' ' : value[i];
          ++i;
        }
      }
      return text;
    }
  }
  return {};
}

}  // namespace blockarch
