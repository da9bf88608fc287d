#include "segment/word_count.h"

#include <array>

namespace blockarch {
namespace {

enum class Sign : std::uint8_t { separator, blank, letter, capital, digit, stop, mark, special };
constexpr std::size_t kKinds = 8;

constexpr std::array<Sign, 256> make_signs() {
  std::array<Sign, 256> signs{};
  for (std::size_t c = 0; c < 256; ++c) {
    signs[c] = c <= ' ' ? Sign::blank : c < 0x80 ? Sign::separator : Sign::special;
  }
  for (char c = 'a'; c <= 'z'; ++c) signs[static_cast<std::size_t>(c)] = Sign::letter;
  for (char c = 'A'; c <= 'Z'; ++c) signs[static_cast<std::size_t>(c)] = Sign::capital;
  for (char c = '0'; c <= '9'; ++c) signs[static_cast<std::size_t>(c)] = Sign::digit;
  for (const char c : {'.', '!', '?'}) signs[static_cast<std::size_t>(c)] = Sign::stop;
  for (const char c : {',', ';', ':'}) signs[static_cast<std::size_t>(c)] = Sign::mark;
  for (const char c : {'&', '<'}) signs[static_cast<std::size_t>(c)] = Sign::special;
  return signs;
}
constexpr std::array<Sign, 256> kSigns = make_signs();

// Words, letters, stops, capitals and numbers as fields of one number, so that one addition counts all of them.
constexpr int kFieldBits = 12;
constexpr std::size_t kMaxRun = (1u << kFieldBits) - 1;  // no field can overflow in a run this long

constexpr std::uint8_t kSpecial = 2;
constexpr std::array<bool, kKinds> kInWord = {false, false, true, true, true, false, false, false};
// A mark keeps what the sign before it said; blanks do not count.
constexpr std::array<bool, kKinds> kDecides = {true, false, true, true, true, true, false, false};

constexpr std::uint64_t counts_of(Sign sign, bool in_word) {
  constexpr std::uint64_t kOne = 1;
  constexpr std::uint64_t kLetter = kOne << kFieldBits;
  if (sign == Sign::stop || sign == Sign::mark) return kOne << (2 * kFieldBits);
  if (!kInWord[static_cast<std::size_t>(sign)]) return 0;
  if (in_word) return kLetter;
  if (sign == Sign::capital) return kLetter + 1 + (kOne << (3 * kFieldBits));
  return kLetter + 1 + (sign == Sign::digit ? kOne << (4 * kFieldBits) : 0);
}

// What each byte adds, outside of words and inside.
constexpr auto kCounts = [] {
  std::array<std::array<std::uint64_t, 256>, 2> counts{};
  for (std::size_t c = 0; c < 256; ++c) {
    for (const bool in_word : {false, true}) counts[in_word ? 1 : 0][c] = counts_of(kSigns[c], in_word);
  }
  return counts;
}();
constexpr auto kAfter = [] {  // whether a word goes on after the byte; kSpecial for what is no plain sign
  std::array<std::uint8_t, 256> after{};
  for (std::size_t c = 0; c < 256; ++c) {
    const bool special = kSigns[c] == Sign::special;
    after[c] = special ? kSpecial : kInWord[static_cast<std::size_t>(kSigns[c])] ? 1 : 0;
  }
  return after;
}();
constexpr std::size_t kMaxReference = 32;

class Counter {
 public:
  explicit Counter(TextForm form) : form_(form) {}

  TextCount run(ByteView text) {
    for (std::size_t at = 0; at < text.size();) {
      at += take_ascii(text.substr(at, kMaxRun));
      if (at >= text.size()) break;
      const auto c = static_cast<unsigned char>(text[at]);
      if (c >= 0x80) {
        at += take_beyond_ascii(text, at);
      } else if (c == '&') {
        at += take_reference(text.substr(at));
      } else if (c == '<') {
        at += take_markup(text.substr(at));
      }
    }
    return count_;
  }

 private:
  // Up to the first byte that is none of the plain signs. Where words begin and end cannot be predicted, so nothing here
  // branches on it: what a sign adds to all counts at once is looked up.
  std::size_t take_ascii(ByteView text) {
    std::uint64_t sums = 0;
    std::size_t in_word = in_word_ ? 1 : 0;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
      const auto c = static_cast<unsigned char>(text[at]);
      const std::uint8_t after = kAfter[c];
      if (after == kSpecial) break;
      sums += kCounts[in_word][c];
      in_word = after;
    }
    in_word_ = in_word != 0;
    add(sums);
    decide(text.substr(0, at));
    return at;
  }

  // The last sign that decides about it.
  void decide(ByteView text) {
    for (std::size_t i = text.size(); i-- > 0;) {
      const Sign sign = kSigns[static_cast<unsigned char>(text[i])];
      if (!kDecides[static_cast<std::size_t>(sign)]) continue;
      count_.ends_in_stop = sign == Sign::stop;
      return;
    }
  }

  void add(std::uint64_t sums) {
    constexpr std::uint64_t kField = (1u << kFieldBits) - 1;
    const auto field = [sums](int index) { return static_cast<std::uint32_t>(sums >> (index * kFieldBits) & kField); };
    count_.words += field(0);
    count_.letters += field(1);
    count_.stops += field(2);
    count_.capitals += field(3);
    count_.numbers += field(4);
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
