#include "segment/word_count.h"

#include <array>

namespace blockarch {
namespace {

enum class Sign : std::uint8_t { separator, blank, letter, capital, digit, stop, mark };

constexpr std::array<Sign, 128> make_signs() {
  std::array<Sign, 128> signs{};
  for (int c = 0; c < 128; ++c) signs[static_cast<std::size_t>(c)] = c <= ' ' ? Sign::blank : Sign::separator;
  for (char c = 'a'; c <= 'z'; ++c) signs[static_cast<std::size_t>(c)] = Sign::letter;
  for (char c = 'A'; c <= 'Z'; ++c) signs[static_cast<std::size_t>(c)] = Sign::capital;
  for (char c = '0'; c <= '9'; ++c) signs[static_cast<std::size_t>(c)] = Sign::digit;
  for (const char c : {'.', '!', '?'}) signs[static_cast<std::size_t>(c)] = Sign::stop;
  for (const char c : {',', ';', ':'}) signs[static_cast<std::size_t>(c)] = Sign::mark;
  return signs;
}
constexpr std::array<Sign, 128> kSigns = make_signs();
constexpr std::size_t kMaxReference = 32;

class Counter {
 public:
  explicit Counter(TextForm form) : form_(form) {}

  TextCount run(ByteView text) {
    for (std::size_t at = 0; at < text.size();) {
      const auto c = static_cast<unsigned char>(text[at]);
      if (c >= 0x80) {
        at += take_beyond_ascii(text, at);
      } else if (c == '&') {
        at += take_reference(text.substr(at));
      } else if (c == '<') {
        at += take_markup(text.substr(at));
      } else {
        take_ascii(kSigns[c]);
        ++at;
      }
    }
    return count_;
  }

 private:
  void take_ascii(Sign sign) {
    switch (sign) {
      case Sign::blank:
        in_word_ = false;
        return;
      case Sign::letter:
      case Sign::capital:
      case Sign::digit:
        if (!in_word_) {
          ++count_.words;
          count_.capitals += sign == Sign::capital ? 1 : 0;
          count_.numbers += sign == Sign::digit ? 1 : 0;
          in_word_ = true;
        }
        ++count_.letters;
        break;
      case Sign::stop:
      case Sign::mark:
        ++count_.stops;
        in_word_ = false;
        break;
      case Sign::separator:
        in_word_ = false;
        break;
    }
    count_.ends_in_stop = sign == Sign::stop || (sign == Sign::mark && count_.ends_in_stop);
  }

  // "&amp;", "&#160;"; a lone "&" is a sign like others.
  std::size_t take_reference(ByteView rest) {
    in_word_ = false;
    const std::size_t end = rest.substr(0, kMaxReference).find_first_of("; <&\n", 1);
    return end != ByteView::npos && rest[end] == ';' ? end + 1 : 1;
  }

  // Comments, declarations and end tags without a start; anything else is a sign.
  std::size_t take_markup(ByteView rest) {
    in_word_ = false;
    const char next = rest.size() > 1 ? rest[1] : ' ';
    const bool markup =
        next == '!' || next == '?' || next == '/' || (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
    if (!markup) return 1;
    const bool comment = rest.starts_with("<!--");
    const std::size_t end = rest.find(comment ? "-->" : ">", comment ? 4 : 1);
    return end == ByteView::npos ? rest.size() : end + (comment ? 3 : 1);
  }

  std::size_t take_beyond_ascii(ByteView text, std::size_t at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (form_ == TextForm::single_byte) {
      take_code_point(c < 0xa0 || c == 0xa0 || c == 0xab || c == 0xbb ? 0x2010 : 0xe9);
      return 1;
    }
    if (form_ == TextForm::double_byte) {
      // Rows of signs come before the characters in all of these.
      const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : 0);
      const bool sign = c == 0xa1 || (c == 0x81 && next < 0x80);
      take_code_point(!sign ? 0x4e00 : next == 0xa3 || next == 0x42 ? 0x3002 : 0x3000);
      return next >= 0x40 ? 2 : 1;
    }
    const std::size_t size = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    std::uint32_t code = c & (0xffu >> (size + 1));
    std::size_t used = 1;
    for (; used < size && at + used < text.size(); ++used) {
      const auto next = static_cast<unsigned char>(text[at + used]);
      if ((next & 0xc0) != 0x80) break;
      code = code << 6 | (next & 0x3fu);
    }
    take_code_point(code);
    return used;
  }

  void take_code_point(std::uint32_t code) {
    const bool ideograph =
        (code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af);
    const bool stop = code == 0x3002 || code == 0xff0c || code == 0xff01 || code == 0xff1f || code == 0xff1b ||
                      code == 0x0964 || code == 0x061f || code == 0x060c || code == 0x3001;
    const bool blank = code == 0xa0 || code == 0x3000;
    const bool separator = blank || stop || (code >= 0x80 && code < 0xaa) || (code >= 0xab && code < 0xb5) ||
                           code == 0xbb || code == 0xbf || (code >= 0x2000 && code <= 0x2bff) ||
                           (code >= 0x3000 && code < 0x3040) || (code >= 0xff00 && code < 0xff10) ||
                           (code >= 0xe000 && code < 0xf900) || code >= 0x1f000;
    if (separator) {
      in_word_ = false;
      count_.stops += stop ? 1 : 0;
      if (!blank) count_.ends_in_stop = stop || ((code == 0x201d || code == 0x300d) && count_.ends_in_stop);
      return;
    }
    if (ideograph || !in_word_) ++count_.words;
    ++count_.letters;
    in_word_ = !ideograph;
    count_.ends_in_stop = false;
  }

  TextForm form_;
  TextCount count_;
  bool in_word_ = false;
};

}  // namespace

TextForm text_form(std::string_view charset) {
  if (charset.empty() || charset == "utf-8") return TextForm::utf8;
  for (const std::string_view name : {"gbk", "gb18030", "big5", "euc-jp", "euc-kr", "shift_jis"}) {
    if (charset == name) return TextForm::double_byte;
  }
  return TextForm::single_byte;
}

void TextCount::add(const TextCount& other) {
  words += other.words;
  letters += other.letters;
  stops += other.stops;
  capitals += other.capitals;
  numbers += other.numbers;
  if (other.letters > 0 || other.stops > 0) ends_in_stop = other.ends_in_stop;
}

TextCount count_text(ByteView text, TextForm form) {
  return Counter(form).run(text);
}

}  // namespace blockarch
