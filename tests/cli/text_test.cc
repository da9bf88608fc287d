#include "cli/text.h"

#include <locale.h>

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

namespace {

// As main() does.
const char* const kLocale = ::setlocale(LC_CTYPE, "C.UTF-8");

}  // namespace

TEST_CASE("text that is safe stays as it is") {
  CHECK(printable("https://example.com/日本?a=b") == "https://example.com/日本?a=b");
  CHECK(printable("").empty());
}

TEST_CASE("what could steer a terminal is spelled out") {
  CHECK(printable("\x1b[31m") == "\\x1b[31m");
  CHECK(printable("a\nb\r\t") == "a\\x0ab\\x0d\\x09");
  CHECK(printable(std::string_view("\0x", 2)) == "\\x00x");
  CHECK(printable("\x7f") == "\\x7f");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\u009b31m");
  CHECK(printable("\xe2\x80\xae") == "\\u202e");
}

TEST_CASE("bytes that are not UTF-8 are spelled out one by one") {
  CHECK(printable("caf\xe9!") == "caf\\xe9!");
  CHECK(printable("\xc3") == "\\xc3");
  CHECK(printable("\xe6\x97") == "\\xe6\\x97");
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // overlong
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond Unicode
  CHECK(printable("\xf0\x9f\x98\x80") == "\xf0\x9f\x98\x80");
}

TEST_CASE("width is counted in columns") {
  if (kLocale == nullptr) SKIP("no C.UTF-8 locale");
  CHECK(display_width("abc") == 3);
  CHECK(display_width("é") == 1);
  CHECK(display_width("日本") == 4);
  CHECK(display_width("e\xcc\x81") == 1);  // a combining accent
}

TEST_CASE("text is cut to a width and never inside a character") {
  if (kLocale == nullptr) SKIP("no C.UTF-8 locale");
  CHECK(cut_end("abcdef", 6, "…") == "abcdef");
  CHECK(cut_end("abcdef", 5, "…") == "abcd…");
  CHECK(cut_end("abcdef", 5, "...") == "ab...");
  CHECK(cut_end("abcdef", 2, "...") == "ab");
  CHECK(cut_middle("abcdefghij", 7, "…") == "abc…hij");
  CHECK(cut_middle("abcdefghij", 6, "…") == "abc…ij");
  CHECK(cut_middle("abcdefghij", 10, "…") == "abcdefghij");
  const std::string wide = "日本語日本語日本語";
  for (std::size_t width = 0; width <= 20; ++width) {
    CHECK(display_width(cut_end(wide, width, "…")) <= width);
    CHECK(display_width(cut_middle(wide, width, "…")) <= width);
    CHECK(printable(cut_middle(wide, width, "…")) == cut_middle(wide, width, "…"));
  }
}

TEST_CASE("numbers and sizes are written for people") {
  CHECK(group_digits(0) == "0");
  CHECK(group_digits(999) == "999");
  CHECK(group_digits(1000) == "1,000");
  CHECK(group_digits(1234567) == "1,234,567");
  CHECK(human_size(0) == "0 bytes");
  CHECK(human_size(1) == "1 byte");
  CHECK(human_size(1023) == "1,023 bytes");
  CHECK(human_size(1024) == "1.0 KiB");
  CHECK(human_size((1 << 20) - 1) == "1.0 MiB");
  CHECK(human_size(1 << 20) == "1.0 MiB");
  CHECK(human_size(std::uint64_t{3} << 40) == "3.0 TiB");
  CHECK(human_size(~std::uint64_t{0}) == "16384.0 PiB");
  CHECK(counted(1, "page", "pages") == "1 page");
  CHECK(counted(0, "page", "pages") == "0 pages");
}
