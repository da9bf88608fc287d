#include "base/charset.h"

#include <lexbor/encoding/encoding.h>
#include <lexbor/encoding/multi.h>
#include <lexbor/html/encoding.h>
#include <uchardet.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace blockarch {
namespace {

const lxb_char_t* begin_of(ByteView bytes) {
  return reinterpret_cast<const lxb_char_t*>(bytes.data());
}
const lxb_char_t* end_of(ByteView bytes) {
  return begin_of(bytes) + bytes.size();
}

std::string lower_case(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// --- labels ---

// Labels of the standard that lexbor's table does not have.
constexpr std::array<std::pair<std::string_view, lxb_encoding_t>, 9> kMoreLabels{{
    {"csunicode", LXB_ENCODING_UTF_16LE},
    {"iso-10646-ucs-2", LXB_ENCODING_UTF_16LE},
    {"ucs-2", LXB_ENCODING_UTF_16LE},
    {"unicode", LXB_ENCODING_UTF_16LE},
    {"unicodefeff", LXB_ENCODING_UTF_16LE},
    {"unicodefffe", LXB_ENCODING_UTF_16BE},
    {"unicode11utf8", LXB_ENCODING_UTF_8},
    {"unicode20utf8", LXB_ENCODING_UTF_8},
    {"x-unicode20utf8", LXB_ENCODING_UTF_8},
}};

std::string_view trimmed(std::string_view s) {
  constexpr std::string_view kBlanks = " \t\n\f\r";
  s.remove_prefix(std::min(s.find_first_not_of(kBlanks), s.size()));
  return s.substr(0, s.find_last_not_of(kBlanks) + 1);
}

const lxb_encoding_data_t* find_encoding(std::string_view label) {
  label = trimmed(label);
  if (label.empty()) return nullptr;
  if (const auto* found = lxb_encoding_data_by_name(begin_of(label), label.size())) return found;
  const std::string lower = lower_case(label);
  for (const auto& [name, encoding] : kMoreLabels)
    if (lower == name) return lxb_encoding_data(encoding);
  return nullptr;
}

std::string name_of(const lxb_encoding_data_t* encoding) {
  return lower_case(reinterpret_cast<const char*>(encoding->name));
}

// --- declarations inside the document ---

struct FreePrescan {
  void operator()(lxb_html_encoding_t* p) const { lxb_html_encoding_destroy(p, true); }
};

// The labels of all <meta> declarations, in their order.
std::vector<std::string> meta_labels(ByteView head) {
  const std::unique_ptr<lxb_html_encoding_t, FreePrescan> prescan(lxb_html_encoding_create());
  if (!prescan || lxb_html_encoding_init(prescan.get()) != LXB_STATUS_OK) throw std::bad_alloc();
  lxb_html_encoding_determine(prescan.get(), begin_of(head), end_of(head));
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < lxb_html_encoding_meta_length(prescan.get()); ++i) {
    const auto* entry = lxb_html_encoding_meta_entry(prescan.get(), i);
    labels.emplace_back(reinterpret_cast<const char*>(entry->name), static_cast<std::size_t>(entry->end - entry->name));
  }
  return labels;
}

// Of <?xml version="1.0" encoding="…"?>; empty where there is none.
std::string_view xml_label(ByteView head) {
  if (!head.starts_with("<?xml")) return {};
  const std::string_view declaration = head.substr(0, head.find('>'));
  constexpr std::string_view kName = "encoding";
  std::size_t at = declaration.find(kName);
  if (at == std::string_view::npos) return {};
  at = declaration.find_first_not_of(" \t\r\n", at + kName.size());
  if (at == std::string_view::npos || declaration[at] != '=') return {};
  at = declaration.find_first_not_of(" \t\r\n", at + 1);
  if (at == std::string_view::npos || (declaration[at] != '"' && declaration[at] != '\'')) return {};
  const std::size_t close = declaration.find(declaration[at], at + 1);
  if (close == std::string_view::npos) return {};
  return declaration.substr(at + 1, close - at - 1);
}

// What the document says of itself, the first known label. Others go to `unknown`.
const lxb_encoding_data_t* declared_encoding(ByteView head, std::string& unknown) {
  std::vector<std::string> labels = meta_labels(head);
  labels.emplace_back(xml_label(head));
  for (const std::string& label : labels) {
    const lxb_encoding_data_t* encoding = find_encoding(label);
    if (!encoding) {
      if (unknown.empty()) unknown = trimmed(label);
      continue;
    }
    // A declaration that can be read byte by byte is not in UTF-16. Both replacements are the standard's.
    switch (encoding->encoding) {
      case LXB_ENCODING_UTF_16BE:
      case LXB_ENCODING_UTF_16LE:
        return lxb_encoding_data(LXB_ENCODING_UTF_8);
      case LXB_ENCODING_X_USER_DEFINED:
        return lxb_encoding_data(LXB_ENCODING_WINDOWS_1252);
      default:
        return encoding;
    }
  }
  return nullptr;
}

// --- UTF-8 ---

const lxb_char_t* skip_ascii(const lxb_char_t* at, const lxb_char_t* end) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  for (std::uint64_t eight; end - at >= 8; at += 8) {
    std::memcpy(&eight, at, sizeof eight);
    if (eight & kHighBits) break;
  }
  while (at < end && *at < 0x80) ++at;
  return at;
}

enum class Utf8 { character, broken, cut_off };

// Reads one character that is not ASCII. After a broken one, `at` is one byte further.
Utf8 take_character(const lxb_char_t*& at, const lxb_char_t* end) {
  lxb_encoding_decode_t decoder{};
  const lxb_char_t* next = at;
  const lxb_codepoint_t point = lxb_encoding_decode_utf_8_single(&decoder, &next, end);
  if (point <= LXB_ENCODING_DECODE_MAX_CODEPOINT) {
    at = next;
    return Utf8::character;
  }
  ++at;
  return point == LXB_ENCODING_DECODE_CONTINUE ? Utf8::cut_off : Utf8::broken;
}

// `may_be_cut`: the end of the bytes is not the end of the text.
bool is_utf8(ByteView bytes, bool may_be_cut) {
  const lxb_char_t* at = begin_of(bytes);
  const lxb_char_t* const end = end_of(bytes);
  while ((at = skip_ascii(at, end)) < end) {
    const Utf8 read = take_character(at, end);
    if (read == Utf8::cut_off) return may_be_cut;
    if (read == Utf8::broken) return false;
  }
  return true;
}

// A page of UTF-8 that was truncated or into which something else was pasted.
bool is_mostly_utf8(ByteView bytes) {
  const lxb_char_t* at = begin_of(bytes);
  const lxb_char_t* const end = end_of(bytes);
  std::size_t characters = 0;
  std::size_t broken = 0;
  while ((at = skip_ascii(at, end)) < end) {
    const Utf8 read = take_character(at, end);
    characters += read == Utf8::character;
    broken += read == Utf8::broken;
    if (read == Utf8::cut_off) break;
  }
  return characters > 0 && broken <= characters / 16;
}

// --- guesses ---

// Markup and Latin letters leave a zero in one half of UTF-16's bytes, and next to none in the other.
const lxb_encoding_data_t* unmarked_utf16(ByteView head) {
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == '\0';
  const std::size_t pairs = head.size() / 2;
  const auto decide = [&](std::size_t many, std::size_t few) {
    return many > 0 && many >= pairs / 8 && few <= many / 16;
  };
  if (decide(zeros[1], zeros[0])) return lxb_encoding_data(LXB_ENCODING_UTF_16LE);
  if (decide(zeros[0], zeros[1])) return lxb_encoding_data(LXB_ENCODING_UTF_16BE);
  return nullptr;
}

struct FreeDetector {
  void operator()(uchardet_t d) const { uchardet_delete(d); }
};

const lxb_encoding_data_t* guess(ByteView bytes) {
  const std::unique_ptr<uchardet, FreeDetector> detector(uchardet_new());
  if (!detector) throw std::bad_alloc();
  if (uchardet_handle_data(detector.get(), bytes.data(), bytes.size()) != 0) return nullptr;
  uchardet_data_end(detector.get());
  std::string_view name = uchardet_get_charset(detector.get());
  // Names of its own. "ASCII" says that it saw nothing to guess from.
  if (name == "ASCII") return nullptr;
  if (name == "UHC") name = "euc-kr";
  if (name == "MAC-CYRILLIC") name = "x-mac-cyrillic";
  const lxb_encoding_data_t* found = find_encoding(name);
  if (found && found->encoding == LXB_ENCODING_REPLACEMENT) return nullptr;
  return found;
}

bool is_enough_to_guess_from(ByteView bytes) {
  const auto beyond_ascii =
      std::count_if(bytes.begin(), bytes.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  return static_cast<std::size_t>(beyond_ascii) >= kFewestToGuess;
}

// What nobody declared. Null where no guess can be made.
const lxb_encoding_data_t* undeclared_encoding(ByteView payload) {
  const ByteView window = payload.substr(0, kGuessWindow);
  if (const auto* found = unmarked_utf16(payload.substr(0, kDeclarationWindow))) return found;
  if (window.find('\x1b') != ByteView::npos) {
    const lxb_encoding_data_t* found = guess(window);
    if (found && found->encoding == LXB_ENCODING_ISO_2022_JP) return found;
  }
  if (is_utf8(payload.substr(0, kUtf8Window), payload.size() > kUtf8Window) || is_mostly_utf8(window))
    return lxb_encoding_data(LXB_ENCODING_UTF_8);
  return is_enough_to_guess_from(window) ? guess(window) : nullptr;
}

// --- decoding ---

class Utf8Sink {
 public:
  static constexpr std::size_t kMost = 4096;

  explicit Utf8Sink(std::size_t expected) { out_.reserve(expected); }

  // At most kMost code points.
  void append(const lxb_codepoint_t* points, std::size_t count) {
    std::array<lxb_char_t, kMost * 4> bytes;
    lxb_encoding_encode_t encoder{};
    lxb_encoding_encode_init(&encoder, lxb_encoding_data(LXB_ENCODING_UTF_8), bytes.data(), bytes.size());
    lxb_encoding_encode_replace_set(&encoder, LXB_ENCODING_REPLACEMENT_BYTES, LXB_ENCODING_REPLACEMENT_SIZE);
    const lxb_codepoint_t* const end = points + count;
    lxb_encoding_encode_utf_8(&encoder, &points, end);
    out_.append(reinterpret_cast<const char*>(bytes.data()), lxb_encoding_encode_buf_used(&encoder));
  }

  std::string take() && { return std::move(out_); }

 private:
  std::string out_;
};

constexpr lxb_codepoint_t kReplacement = LXB_ENCODING_REPLACEMENT_CODEPOINT;

// lexbor's decoders of single-byte charsets lose a character where their buffer is full. So they get pieces
// that cannot fill it: no byte makes more than four code points.
std::string decode(ByteView bytes, const lxb_encoding_data_t* encoding) {
  std::array<lxb_codepoint_t, Utf8Sink::kMost> points;
  lxb_encoding_decode_t decoder{};
  lxb_encoding_decode_init(&decoder, encoding, points.data(), points.size());
  lxb_encoding_decode_replace_set(&decoder, &kReplacement, 1);
  Utf8Sink sink(bytes.size() + bytes.size() / 2);
  const auto flush = [&] {
    sink.append(points.data(), lxb_encoding_decode_buf_used(&decoder));
    lxb_encoding_decode_buf_used_set(&decoder, 0);
  };
  while (!bytes.empty()) {
    ByteView piece = bytes.substr(0, points.size() / 4);
    // Best cut where no character is: a broken one of GB18030 is not always carried over well.
    if (piece.size() < bytes.size())
      piece = piece.substr(0, std::min(piece.find_last_of("\n \"/<>"), piece.size() - 1) + 1);
    const lxb_char_t* at = begin_of(piece);
    encoding->decode(&decoder, &at, end_of(piece));
    flush();
    bytes.remove_prefix(piece.size());
  }
  lxb_encoding_decode_finish(&decoder);
  flush();
  return std::move(sink).take();
}

// The charset of most pages that are not in UTF-8, and most of their bytes are ASCII.
std::string decode_windows_1252(ByteView bytes) {
  constexpr std::size_t kBeyondAscii = 128;
  static const auto characters = [] {
    std::array<std::string, kBeyondAscii> made;
    for (std::size_t i = 0; i < made.size(); ++i) {
      const char byte = static_cast<char>(i + kBeyondAscii);
      made[i] = decode({&byte, 1}, lxb_encoding_data(LXB_ENCODING_WINDOWS_1252));
    }
    return made;
  }();
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  const lxb_char_t* const end = end_of(bytes);
  for (const lxb_char_t* at = begin_of(bytes); at < end;) {
    const lxb_char_t* const stop = skip_ascii(at, end);
    text.append(reinterpret_cast<const char*>(at), static_cast<std::size_t>(stop - at));
    for (at = stop; at < end && *at >= kBeyondAscii; ++at) text += characters[*at - kBeyondAscii];
  }
  return text;
}

// The character of two Shift_JIS bytes, as the standard finds it.
lxb_codepoint_t shift_jis_character(lxb_char_t lead, lxb_char_t trail) {
  if (trail < 0x40 || trail == 0x7f || trail > 0xfc) return kReplacement;
  const int row = lead - (lead < 0xa0 ? 0x81 : 0xc1);
  const int pointer = row * 188 + trail - (trail < 0x7f ? 0x40 : 0x41);
  if (pointer >= 8836 && pointer <= 10715) return static_cast<lxb_codepoint_t>(0xe000 - 8836 + pointer);
  if (pointer >= static_cast<int>(std::size(lxb_encoding_multi_jis0208_map))) return kReplacement;
  const lxb_codepoint_t point = lxb_encoding_multi_jis0208_map[pointer];
  return point == LXB_ENCODING_ERROR_CODEPOINT ? kReplacement : point;
}

// By hand, with lexbor's table: its decoder takes the lead bytes E1 to FB (level 2 kanji) for errors.
std::string decode_shift_jis(ByteView bytes) {
  std::array<lxb_codepoint_t, Utf8Sink::kMost> points;
  std::size_t count = 0;
  Utf8Sink sink(bytes.size() + bytes.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<lxb_char_t>(bytes[i]);
    const auto next = static_cast<lxb_char_t>(i + 1 < bytes.size() ? bytes[i + 1] : 0);
    lxb_codepoint_t point = kReplacement;
    if (byte <= 0x80) {
      point = byte;
    } else if (byte >= 0xa1 && byte <= 0xdf) {
      point = 0xff61u - 0xa1u + byte;
    } else if (byte != 0xa0 && byte <= 0xfc) {
      point = shift_jis_character(byte, next);
      // What follows a broken lead byte is read again if it is ASCII, so that markup survives.
      if (point != kReplacement || next >= 0x80) ++i;
    }
    points[count++] = point;
    if (count == points.size()) sink.append(points.data(), std::exchange(count, 0));
  }
  sink.append(points.data(), count);
  return std::move(sink).take();
}

// The charset whose byte order mark the bytes begin with.
const lxb_encoding_data_t* marked_encoding(ByteView bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) return lxb_encoding_data(LXB_ENCODING_UTF_8);
  if (bytes.starts_with("\xfe\xff")) return lxb_encoding_data(LXB_ENCODING_UTF_16BE);
  if (bytes.starts_with("\xff\xfe")) return lxb_encoding_data(LXB_ENCODING_UTF_16LE);
  return nullptr;
}

}  // namespace

Charset detect_charset(ByteView payload, std::string_view header_label) {
  Charset charset;
  const auto is = [&](const lxb_encoding_data_t* encoding, CharsetSource source) {
    if (encoding) charset.name = name_of(encoding), charset.source = source;
    return encoding != nullptr;
  };
  if (is(marked_encoding(payload), CharsetSource::byte_order_mark)) return charset;
  if (is(find_encoding(header_label), CharsetSource::header)) return charset;
  charset.unknown_label = trimmed(header_label);
  const ByteView head = payload.substr(0, kDeclarationWindow);
  if (is(declared_encoding(head, charset.unknown_label), CharsetSource::document)) return charset;
  if (is(undeclared_encoding(payload), CharsetSource::guess)) return charset;
  is(lxb_encoding_data(LXB_ENCODING_WINDOWS_1252), CharsetSource::fallback);
  return charset;
}

std::optional<std::string> charset_name(std::string_view label) {
  const lxb_encoding_data_t* encoding = find_encoding(label);
  if (!encoding) return std::nullopt;
  return name_of(encoding);
}

bool markup_is_ascii(std::string_view charset) {
  const lxb_encoding_data_t* encoding = find_encoding(charset);
  if (!encoding) return true;
  switch (encoding->encoding) {
    case LXB_ENCODING_UTF_16BE:
    case LXB_ENCODING_UTF_16LE:
    case LXB_ENCODING_ISO_2022_JP:
    case LXB_ENCODING_REPLACEMENT:
      return false;
    default:
      return true;
  }
}

std::string to_utf8(ByteView bytes, std::string_view charset) {
  const lxb_encoding_data_t* encoding = find_encoding(charset);
  if (!encoding) encoding = lxb_encoding_data(LXB_ENCODING_WINDOWS_1252);
  const bool is_target = encoding->encoding == LXB_ENCODING_UTF_8;
  if (marked_encoding(bytes) == encoding) bytes.remove_prefix(is_target ? 3 : 2);
  if (is_target && is_valid_utf8(bytes)) return std::string(bytes);
  if (encoding->encoding == LXB_ENCODING_SHIFT_JIS) return decode_shift_jis(bytes);
  if (encoding->encoding == LXB_ENCODING_WINDOWS_1252) return decode_windows_1252(bytes);
  // The standard's decoder of charsets that nobody should read.
  if (encoding->encoding == LXB_ENCODING_REPLACEMENT) return bytes.empty() ? "" : "\xef\xbf\xbd";
  return decode(bytes, encoding);
}

bool is_valid_utf8(ByteView bytes) {
  return is_utf8(bytes, false);
}

}  // namespace blockarch
