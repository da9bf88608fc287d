// Which charset a page is in, and its text as UTF-8. Labels and decoders are WHATWG's, by lexbor; what nobody
// declared is guessed by uchardet.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace blockarch {

enum class CharsetSource { byte_order_mark, header, document, guess, fallback };

struct Charset {
  std::string name;  // WHATWG name in lower case: "utf-8", "windows-1252", "gbk", "shift_jis", "utf-16le"…
  CharsetSource source = CharsetSource::fallback;
  // The first label that was declared but that nobody knows ("x-foo"); empty where all is well.
  std::string unknown_label;
};

// How far detect_charset() looks.
inline constexpr std::size_t kDeclarationWindow = 1024;
inline constexpr std::size_t kGuessWindow = 64 * 1024;
inline constexpr std::size_t kUtf8Window = 1024 * 1024;
// From one or two letters uchardet guesses Vietnamese as readily as French, so pages with fewer bytes beyond
// ASCII in kGuessWindow go to windows-1252.
inline constexpr std::size_t kFewestToGuess = 8;

// `header_label` is the charset parameter of the content type, empty where there is none. Order:
//   byte order mark · header · declaration inside the document (<meta>, <?xml encoding?>) in
//   kDeclarationWindow · valid UTF-8 in kUtf8Window · a guess over kGuessWindow · windows-1252.
// Valid UTF-8 counts as a guess, because nobody declared it. Before it come two charsets whose bytes are
// valid UTF-8 by accident: UTF-16 without a mark (a zero in every other byte) and ISO-2022-JP (escape
// sequences). Guessing begins with UTF-8 that has a few broken bytes. Pure: the same bytes and label always
// give the same answer. The cost is linear in what is looked at.
Charset detect_charset(ByteView payload, std::string_view header_label);

// The WHATWG name of a label ("latin1" → "windows-1252"), nothing for an unknown one.
std::optional<std::string> charset_name(std::string_view label);

// True where every byte below 0x80 that could be markup ("<", ">", "&", quotes) always is that ASCII
// character, so that raw bytes can be tokenised. False for UTF-16, ISO-2022-JP and the replacement encoding.
// Takes any label; an unknown one is windows-1252.
bool markup_is_ascii(std::string_view charset);

// Never fails: what does not decode becomes U+FFFD, an unknown charset is read as windows-1252. A byte order
// mark of the charset at the beginning is left out.
std::string to_utf8(ByteView bytes, std::string_view charset);

bool is_valid_utf8(ByteView bytes);

// "text/html; charset=UTF-8" → {"text/html", "UTF-8"}; lower-cased essence, label as written, quotes removed.
// Never fails: of what is malformed it keeps what it can read. The first charset parameter counts.
struct MediaType {
  std::string essence;
  std::string charset_label;
};
MediaType parse_media_type(std::string_view text);

}  // namespace blockarch
