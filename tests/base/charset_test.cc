#include "base/charset.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>
#include <vector>

using namespace blockarch;

namespace {

constexpr std::array<const char*, 40> kAllCharsets{
    "big5",         "euc-jp",       "euc-kr",         "gbk",           "gb18030",      "ibm866",
    "iso-2022-jp",  "iso-8859-2",   "iso-8859-3",     "iso-8859-4",    "iso-8859-5",   "iso-8859-6",
    "iso-8859-7",   "iso-8859-8",   "iso-8859-8-i",   "iso-8859-10",   "iso-8859-13",  "iso-8859-14",
    "iso-8859-15",  "iso-8859-16",  "koi8-r",         "koi8-u",        "macintosh",    "replacement",
    "shift_jis",    "utf-8",        "utf-16be",       "utf-16le",      "windows-874",  "windows-1250",
    "windows-1251", "windows-1252", "windows-1253",   "windows-1254",  "windows-1255", "windows-1256",
    "windows-1257", "windows-1258", "x-mac-cyrillic", "x-user-defined"};

// One sentence in the charsets that pages without a declaration are written in.
struct Sample {
  std::string charset;
  std::string text;
  std::string hex;
};
const std::vector<Sample> kSamples{
    {"windows-1251", "Все люди рождаются свободными и равными в своем достоинстве и правах.",
     "c2f1e520ebfee4e820f0eee6e4e0fef2f1ff20f1e2eee1eee4edfbece820e820f0e0e2edfbece820e220f1e2ee"
     "e5ec20e4eef1f2eee8edf1f2e2e520e820eff0e0e2e0f52e"},
    {"koi8-r", "Все люди рождаются свободными и равными в своем достоинстве и правах.",
     "f7d3c520ccc0c4c920d2cfd6c4c1c0d4d3d120d3d7cfc2cfc4ced9cdc920c920d2c1d7ced9cdc920d720d3d7cf"
     "c5cd20c4cfd3d4cfc9ced3d4d7c520c920d0d2c1d7c1c82e"},
    {"ibm866", "Все люди рождаются свободными и равными в своем достоинстве и правах.",
     "82e1a520abeea4a820e0aea6a4a0eee2e1ef20e1a2aea1aea4adebaca820a820e0a0a2adebaca820a220e1a2ae"
     "a5ac20a4aee1e2aea8ade1e2a2a520a820afe0a0a2a0e52e"},
    {"iso-8859-5", "Все люди рождаются свободными и равными в своем достоинстве и правах.",
     "b2e1d520dbeed4d820e0ded6d4d0eee2e1ef20e1d2ded1ded4ddebdcd820d820e0d0d2ddebdcd820d220e1d2de"
     "d5dc20d4dee1e2ded8dde1e2d2d520d820dfe0d0d2d0e52e"},
    {"iso-8859-7", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια.",
     "bcebefe920efe920dcede8f1f9f0efe920e3e5edede9effdedf4e1e920e5ebe5fde8e5f1efe920eae1e920dff3"
     "efe920f3f4e7ed20e1eee9eff0f1ddf0e5e9e12e"},
    {"windows-1255", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
     "ebec20e1f0e920e4e0e3ed20f0e5ece3e520e1f0e920e7e5f8e9ef20e5f9e5e5e9ed20e1f2f8ebed20e5e1e6eb"
     "e5e9e5fae9e4ed2e"},
    {"windows-1256", "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق.",
     "ede6e1cf20cce3edda20c7e1e4c7d320c3cdd1c7d1c720e3cad3c7e6ede420dded20c7e1dfd1c7e3c920e6c7e1"
     "cddee6de2e"},
    {"windows-874", "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกัน",
     "c1b9d8c9c2ecb7d1e9a7cbc5d2c2e0a1d4b4c1d2c1d5cdd4cac3d0e1c5d0e0cac1cdc0d2a4a1d1b9"},
    {"shift_jis", "すべての人間は、生まれながらにして自由であり、かつ平等である。",
     "82b782d782c482cc906c8ad482cd814190b682dc82ea82c882aa82e782c982b582c48ea9975282c582a082e881"
     "4182a982c295bd939982c582a082e98142"},
    {"euc-jp", "すべての人間は、生まれながらにして自由であり、かつ平等である。",
     "a4b9a4d9a4c6a4cebfcdb4d6a4cfa1a2c0b8a4dea4eca4caa4aca4e9a4cba4b7a4c6bcabcdb3a4c7a4a2a4eaa1"
     "a2a4aba4c4cabfc5f9a4c7a4a2a4eba1a3"},
    {"iso-2022-jp", "すべての人間は、生まれながらにして自由であり、かつ平等である。",
     "1b2442243924592446244e3f4d3456244f21224038245e246c244a242c2469244b243724463c2b4d3324472422"
     "246a2122242b24444a3f457924472422246b21231b2842"},
    {"gb18030", "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。",
     "c8cbc8cbc9fab6f8d7d4d3c9a3acd4dad7f0d1cfbacdc8a8c0fbc9cfd2bbc2c9c6bdb5c8a1a3cbfbc3c7b8b3d3"
     "d0c0edd0d4bacdc1bcd0c4a1a3"},
    {"big5", "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心。",
     "a448a448a5cda6d3a6dba5d1a141a662b44cc459a94dc576a751a457a440abdfa5adb5a5a143a54cadccbde1a6"
     "b3b27aa9caa94da87da4dfa143"},
    {"euc-kr", "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
     "b8f0b5e720c0ceb0a3c0ba20c5c2beeeb3af20b6a7bacec5cd20c0dac0afb7cebfecb8e720b1d720c1b8bef6b0"
     "fa20b1c7b8aebfa120c0d6beee20b5bfb5eec7cfb4d92e"},
    {"iso-8859-2",
     "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni "
     "rozumem i powinni postępować w duchu braterstwa, żółć, źródło.",
     "57737a79736379206c75647a696520726f647ab1207369ea20776f6c6e6920692072f3776e6920706f6420777a"
     "676cea64656d207377656a20676f646e6fb66369206920737779636820707261772e2053b1206f6e69206f6264"
     "61727a656e6920726f7a756d656d206920706f77696e6e6920706f7374ea706f7761e620772064756368752062"
     "7261746572737477612c20bff3b3e62c20bc72f364b36f2e"},
    {"windows-1250",
     "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni "
     "rozumem i powinni postępować w duchu braterstwa, żółć, źródło.",
     "57737a79736379206c75647a696520726f647ab9207369ea20776f6c6e6920692072f3776e6920706f6420777a"
     "676cea64656d207377656a20676f646e6f9c6369206920737779636820707261772e2053b9206f6e69206f6264"
     "61727a656e6920726f7a756d656d206920706f77696e6e6920706f7374ea706f7761e620772064756368752062"
     "7261746572737477612c20bff3b3e62c209f72f364b36f2e"},
    {"windows-1252",
     "Tous les êtres humains naissent libres et égaux en dignité. Préambule, été, forêt, garçon, où, là.",
     "546f7573206c657320ea747265732068756d61696e73206e61697373656e74206c696272657320657420e96761"
     "757820656e206469676e6974e92e205072e9616d62756c652c20e974e92c20666f72ea742c20676172e76f6e2c"
     "206ff92c206ce02e"},
};

std::string from_hex(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return out;
}

std::string utf16(std::string_view ascii, bool little_endian) {
  std::string out;
  for (char c : ascii) out += little_endian ? std::string{c, '\0'} : std::string{'\0', c};
  return out;
}

struct Found {
  std::string name;
  CharsetSource source;

  bool operator==(const Found&) const = default;
};

Found detect(ByteView payload, std::string_view header_label = {}) {
  const Charset charset = detect_charset(payload, header_label);
  return {charset.name, charset.source};
}

bool finds(ByteView payload, std::string_view name, CharsetSource source, std::string_view header_label = {}) {
  const Found found = detect(payload, header_label);
  CAPTURE(found.name, static_cast<int>(found.source));
  CHECK(found.name == name);
  CHECK(found.source == source);
  return found.name == name && found.source == source;
}

const std::string kLatin1 = "<p>caf\xe9 cr\xe8me</p>";

}  // namespace

TEST_CASE("labels are resolved as WHATWG does", "[charset]") {
  const std::vector<std::pair<std::string, std::string>> labels{
      {"latin1", "windows-1252"},      {"ISO-8859-1", "windows-1252"},
      {"us-ascii", "windows-1252"},    {"utf8", "utf-8"},
      {" UTF-8\n", "utf-8"},           {"unicode-1-1-utf-8", "utf-8"},
      {"x-unicode20utf8", "utf-8"},    {"gb2312", "gbk"},
      {"GB_2312-80", "gbk"},           {"x-sjis", "shift_jis"},
      {"Windows-31J", "shift_jis"},    {"ks_c_5601-1987", "euc-kr"},
      {"big5-hkscs", "big5"},          {"utf-16", "utf-16le"},
      {"unicode", "utf-16le"},         {"UCS-2", "utf-16le"},
      {"unicodefffe", "utf-16be"},     {"cp1251", "windows-1251"},
      {"koi8-ru", "koi8-u"},           {"iso-8859-9", "windows-1254"},
      {"tis-620", "windows-874"},      {"hz-gb-2312", "replacement"},
      {"csiso88598i", "iso-8859-8-i"}, {"x-user-defined", "x-user-defined"},
  };
  for (const auto& [label, expected] : labels) {
    CAPTURE(label);
    CHECK(charset_name(label) == expected);
  }
  for (const char* charset : kAllCharsets) CHECK(charset_name(charset) == charset);
  for (const char* label : {"", " ", "x-foo", "utf-7", "utf-32", "default", "auto", "undefined", "utf-8;", "'utf-8'"}) {
    CAPTURE(label);
    CHECK_FALSE(charset_name(label).has_value());
  }
}

TEST_CASE("markup is ASCII everywhere but in UTF-16, ISO-2022-JP and replacement", "[charset]") {
  for (const std::string charset : kAllCharsets) {
    const bool expected =
        charset != "utf-16le" && charset != "utf-16be" && charset != "iso-2022-jp" && charset != "replacement";
    CAPTURE(charset);
    CHECK(markup_is_ascii(charset) == expected);
  }
  CHECK_FALSE(markup_is_ascii("unicode"));
  CHECK(markup_is_ascii("x-foo"));
}

TEST_CASE("where markup is ASCII, its bytes are markup after any other byte", "[charset]") {
  for (const std::string charset : kAllCharsets) {
    if (!markup_is_ascii(charset)) continue;
    for (int lead = 0x80; lead <= 0xff; ++lead) {
      for (const char markup : {'<', '>', '&', '"', '\''}) {
        CAPTURE(charset, lead, markup);
        REQUIRE(to_utf8(std::string{static_cast<char>(lead), markup}, charset).ends_with(markup));
      }
    }
  }
}

TEST_CASE("a byte order mark wins over header and document", "[charset]") {
  CHECK(finds("\xef\xbb\xbf<meta charset=gbk>", "utf-8", CharsetSource::byte_order_mark, "big5"));
  CHECK(finds("\xff\xfe" + utf16("<p>", true), "utf-16le", CharsetSource::byte_order_mark, "utf-8"));
  CHECK(finds("\xfe\xff" + utf16("<p>", false), "utf-16be", CharsetSource::byte_order_mark, "utf-8"));
  CHECK(finds("\xff\xfe", "utf-16le", CharsetSource::byte_order_mark));
  CHECK(finds("\xef\xbb", "windows-1252", CharsetSource::fallback));
}

TEST_CASE("the header wins over the document", "[charset]") {
  CHECK(finds("<meta charset=gbk>", "big5", CharsetSource::header, "Big5"));
  CHECK(finds("<meta charset=gbk>", "utf-16le", CharsetSource::header, "utf-16"));
  CHECK(finds(kLatin1, "utf-8", CharsetSource::header, "utf-8"));
}

TEST_CASE("declarations inside the document are found in their usual spellings", "[charset]") {
  for (const char* text : {
           "<meta charset=gbk>",
           "<META CHARSET = 'GB2312' >",
           "<meta charset=\"gbk\"/>",
           "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=gb2312\">",
           "<meta content='text/html;charset=gbk' http-equiv=content-type>",
           "<!doctype html><!-- <meta charset=big5> --><html><meta name=viewport content='width=1'><meta "
           "charset=gbk>",
           "<?xml version=\"1.0\" encoding=\"gbk\"?><html>",
           "<?xml version='1.0' encoding = 'GBK' standalone='yes'?>",
           "<?xml version='1.0' encoding='big5'?><meta charset=gbk>",
       }) {
    CAPTURE(text);
    CHECK(finds(text, "gbk", CharsetSource::document));
  }
}

TEST_CASE("what only looks like a declaration is none", "[charset]") {
  for (const char* text : {
           "<meta charset=gbk",
           "<meta charset=",
           "<meta charset=''>",
           "<metax charset=gbk>",
           "<!-- <meta charset=gbk> -->",
           "<a title='<meta charset=gbk>'>",
           "<meta content='text/html; charset=gbk'>",
           "charset=gbk",
           " <?xml version='1.0' encoding='gbk'?>",
           "<?xml version='1.0' encoding='gbk",
           "<?xml version='1.0' encoding=gbk?>",
           "<?xml version='1.0' encoding",
           "<?xml ?><p encoding='gbk'>",
       }) {
    CAPTURE(text);
    const Charset charset = detect_charset(text, "");
    CHECK(charset.name == "utf-8");
    CHECK(charset.source == CharsetSource::guess);
    CHECK(charset.unknown_label.empty());
  }
}

TEST_CASE("only the first 1,024 bytes are searched for a declaration", "[charset]") {
  const std::string declaration = "<meta charset=gbk>";
  const std::string room(kDeclarationWindow - declaration.size(), ' ');
  CHECK(finds(room + declaration, "gbk", CharsetSource::document));
  CHECK(finds(room + " " + declaration, "utf-8", CharsetSource::guess));
}

TEST_CASE("a document that declares UTF-16 in ASCII is UTF-8", "[charset]") {
  CHECK(finds("<meta charset=utf-16>", "utf-8", CharsetSource::document));
  CHECK(finds("<?xml version='1.0' encoding='UTF-16'?>", "utf-8", CharsetSource::document));
  CHECK(finds("<meta charset=x-user-defined>", "windows-1252", CharsetSource::document));
}

TEST_CASE("an unknown label is reported and the next source decides", "[charset]") {
  const Charset by_document = detect_charset("<meta charset=gbk>", " x-foo ");
  CHECK(by_document.name == "gbk");
  CHECK(by_document.source == CharsetSource::document);
  CHECK(by_document.unknown_label == "x-foo");
  const Charset by_second = detect_charset("<meta charset=x-bar><meta charset=gbk>", "");
  CHECK(by_second.name == "gbk");
  CHECK(by_second.unknown_label == "x-bar");
  const Charset by_guess = detect_charset("<?xml version='1.0' encoding='x-baz'?>", "");
  CHECK(by_guess.name == "utf-8");
  CHECK(by_guess.source == CharsetSource::guess);
  CHECK(by_guess.unknown_label == "x-baz");
  CHECK(detect_charset("<meta charset=x-bar>", "x-foo").unknown_label == "x-foo");
  CHECK(detect_charset("<p>", " ").unknown_label.empty());
  CHECK(detect_charset("<p>", "gbk").unknown_label.empty());
}

TEST_CASE("undeclared text in the charsets of the world is guessed and decoded", "[charset]") {
  for (const Sample& sample : kSamples) {
    CAPTURE(sample.charset, sample.text);
    const std::string bytes = from_hex(sample.hex);
    CHECK(finds("<p>" + bytes + "</p>", sample.charset, CharsetSource::guess));
    CHECK(to_utf8(bytes, sample.charset) == sample.text);
    CHECK(finds("<p>" + sample.text + "</p>", "utf-8", CharsetSource::guess));
  }
}

TEST_CASE("UTF-16 without a mark is recognised by its zeros", "[charset]") {
  const std::string page = "<html><title>Page</title><p>some text</p></html>";
  CHECK(finds(utf16(page, true), "utf-16le", CharsetSource::guess));
  CHECK(finds(utf16(page, false), "utf-16be", CharsetSource::guess));
  // Japanese between tags: half of the characters leave no zero.
  const std::string japanese = "\x59\x30\x79\x30\x66\x30\x6e\x30\xba\x4e\x93\x95";
  CHECK(finds(utf16("<p>", true) + japanese + utf16("</p>", true), "utf-16le", CharsetSource::guess));
  // A stray zero does not make a page UTF-16.
  CHECK(finds(page + std::string(1, '\0') + page, "utf-8", CharsetSource::guess));
  CHECK(finds(std::string(100, '\0'), "utf-8", CharsetSource::guess));
}

TEST_CASE("valid UTF-8 and nothing at all are UTF-8", "[charset]") {
  CHECK(finds("", "utf-8", CharsetSource::guess));
  CHECK(finds(ByteView(), "utf-8", CharsetSource::guess));
  CHECK(finds("plain", "utf-8", CharsetSource::guess));
  CHECK(finds("gr\xc3\xbc\xc3\x9f", "utf-8", CharsetSource::guess));
}

TEST_CASE("UTF-8 with a few broken bytes or a cut end is still UTF-8", "[charset]") {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "gr\xc3\xbc\xc3\x9f ";
  CHECK(finds(text + "\xe4", "utf-8", CharsetSource::guess));
  CHECK(finds("\xff" + text, "utf-8", CharsetSource::guess));
  CHECK(finds("\xc3\xbc\xe4\xbd", "utf-8", CharsetSource::guess));
  CHECK(finds("caf\xe9", "windows-1252", CharsetSource::fallback));
}

TEST_CASE("a handful of bytes beyond ASCII is not guessed from", "[charset]") {
  CHECK(finds(kLatin1, "windows-1252", CharsetSource::fallback));
  CHECK(finds("<p>\xb5\xda</p>", "windows-1252", CharsetSource::fallback));
}

TEST_CASE("detection looks as far as it says and no further", "[charset]") {
  // A character across the end of the UTF-8 window is no error, and what follows the window does not count.
  std::string text(kUtf8Window - 1, 'x');
  text += "\xc3\xbc";
  CHECK(finds(text, "utf-8", CharsetSource::guess));
  CHECK(finds(text + "\xff\xff", "utf-8", CharsetSource::guess));
  CHECK(finds(std::string(kUtf8Window - 1, 'x') + "\xff", "windows-1252", CharsetSource::fallback));
  // Beyond the guess window there is nothing to guess from.
  const std::string russian = from_hex(kSamples[0].hex);
  CHECK(finds(russian + std::string(kGuessWindow, 'x'), "windows-1251", CharsetSource::guess));
  CHECK(finds(std::string(kGuessWindow, 'x') + russian, "windows-1252", CharsetSource::fallback));
}

TEST_CASE("characters are decoded as WHATWG says", "[charset]") {
  CHECK(to_utf8("\x80\x9f\x81\xe9", "latin1") == "€Ÿ\xc2\x81é");
  CHECK(to_utf8("\xa4", "iso-8859-15") == "€");
  CHECK(to_utf8("\xc0\xe0", "windows-1251") == "Аа");
  CHECK(to_utf8("\xce\xd2\xa6", "koi8-u") == "нрі" /* "і" is what koi8-r has not */);
  CHECK(to_utf8("\xd6\xd0\xce\xc4\x80", "gbk") == "中文€");
  CHECK(to_utf8("\x81\x30\x81\x30\x84\x31\xa4\x37", "gb18030") == "\xc2\x80\xef\xbf\xbd");
  CHECK(to_utf8("\x95\x32\x82\x36", "gb18030") == "\xf0\xa0\x80\x80");
  CHECK(to_utf8("\xa4\xa4\xa4\xe5", "big5") == "中文");
  CHECK(to_utf8("\x88\x62", "big5") == "\xc3\x8a\xcc\x84");  // one code, two code points
  CHECK(to_utf8("\x93\xfa\x96\x7b\xb1\x5c", "shift_jis") == "日本ｱ\\");
  CHECK(to_utf8("\xe1\x40\xea\xa4\xfa\x5c\xf0\x40", "shift_jis") == "瓠熙纊\xee\x80\x80");
  CHECK(to_utf8("\xc6\xfc\xcb\xdc\x8e\xb1\x8f\xb0\xa1", "euc-jp") == "日本ｱ丂");
  CHECK(to_utf8("\xc7\xd1\x81\x41", "euc-kr") == "한갂");
  CHECK(to_utf8("\x1b$BF|K\\\x1b(Bx", "iso-2022-jp") == "日本x");
  CHECK(to_utf8("\x61\x80\xff", "x-user-defined") == "a\xef\x9e\x80\xef\x9f\xbf");
  CHECK(to_utf8(ByteView("a\0\xe5\x65\x3d\xd8\x00\xde", 8), "utf-16le") == "a日😀");
  CHECK(to_utf8(ByteView("\0a\x65\xe5\xd8\x3d\xde\x00", 8), "utf-16be") == "a日😀");
}

TEST_CASE("a byte order mark of the charset is left out", "[charset]") {
  CHECK(to_utf8("\xef\xbb\xbfx", "utf-8") == "x");
  CHECK(to_utf8("\xef\xbb\xbf\xff", "utf-8") == "\xef\xbf\xbd");
  CHECK(to_utf8(ByteView("\xff\xfex\0", 4), "utf-16le") == "x");
  CHECK(to_utf8(ByteView("\xfe\xff\0x", 4), "utf-16be") == "x");
  CHECK(to_utf8("\xef\xbb\xbfx", "windows-1252") == "ï»¿x");
  CHECK(to_utf8("\xef\xbb\xbf\xef\xbb\xbf", "utf-8") == "\xef\xbb\xbf");
}

TEST_CASE("what does not decode becomes U+FFFD", "[charset]") {
  const std::string fffd = "\xef\xbf\xbd";
  CHECK(to_utf8("a\xff"
                "b",
                "utf-8") == "a" + fffd + "b");
  CHECK(to_utf8("a\xe4\xbd", "utf-8") == "a" + fffd);
  CHECK(to_utf8("\xed\xa0\x80", "utf-8") == fffd + fffd + fffd);
  CHECK(to_utf8("\xc0\xaf", "utf-8") == fffd + fffd);
  CHECK(to_utf8("\xf4\x90\x80\x80", "utf-8") == fffd + fffd + fffd + fffd);
  for (const char* charset : {"gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"}) {
    CAPTURE(charset);
    CHECK(to_utf8("ab\x96", charset).starts_with("ab"));
    CHECK(to_utf8("ab\x96", charset).find(fffd) != std::string::npos);
    CHECK(to_utf8("\xff<b>", charset).ends_with("<b>"));
  }
  CHECK(to_utf8("ab\x81\x30\x81", "gb18030").starts_with("ab" + fffd));
  CHECK(to_utf8(ByteView("a\0\x3d\xd8", 4), "utf-16le") == "a" + fffd);
  CHECK(to_utf8(ByteView("a\0\x00\xde"
                         "b\0",
                         6),
                "utf-16le") == "a" + fffd + "b");
  CHECK(to_utf8(ByteView("a\0b", 3), "utf-16le") == "a" + fffd);
  CHECK(to_utf8("xyz", "replacement") == fffd);
  CHECK(to_utf8("\xa0\xfd\xff\x81", "shift_jis") == fffd + fffd + fffd + fffd);
  CHECK(to_utf8("\x81<\x81\xff<\xfc\xfc<", "shift_jis") == fffd + "<" + fffd + "<" + fffd + "<");
}

TEST_CASE("nothing decodes to nothing and an unknown charset is windows-1252", "[charset]") {
  for (const char* charset : kAllCharsets) CHECK(to_utf8("", charset).empty());
  CHECK(to_utf8("caf\xe9", "x-foo") == "café");
  CHECK(to_utf8("caf\xe9", "") == "café");
}

TEST_CASE("long text is decoded across the pieces it is decoded in", "[charset]") {
  for (const Sample& sample : kSamples) {
    const std::string bytes = from_hex(sample.hex);
    std::string all;
    std::string expected;
    for (int i = 0; i < 300; ++i) {
      all += std::string(static_cast<std::size_t>(1 + i % 7), ' ') + bytes;
      expected += std::string(static_cast<std::size_t>(1 + i % 7), ' ') + sample.text;
    }
    CAPTURE(sample.charset);
    const bool same = to_utf8(all, sample.charset) == expected;
    CHECK(same);
  }
}

TEST_CASE("valid UTF-8 is told from what only resembles it", "[charset]") {
  for (const char* text : {"", "a", "é", "日", "😀", "\xf4\x8f\xbf\xbf", "\xed\x9f\xbf", "\xee\x80\x80", "\x7f"}) {
    CAPTURE(text);
    CHECK(is_valid_utf8(text));
    for (std::size_t room = 1; room < 20; ++room) CHECK(is_valid_utf8(std::string(room, 'x') + text + "x"));
  }
  for (const char* text : {"\x80", "\xc3", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xed\xa0\x80",
                           "\xed\xbf\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
                           "\xf5\x80\x80\x80", "\xff", "\xe4\xbd", "\xf0\x9f\x98", "\xc3(", "\xe4\xbd("}) {
    CAPTURE(text);
    CHECK_FALSE(is_valid_utf8(text));
    for (std::size_t room = 1; room < 20; ++room) {
      CHECK_FALSE(is_valid_utf8(std::string(room, 'x') + text));
      CHECK_FALSE(is_valid_utf8(std::string(room, 'x') + text + "xxxxxxxxx"));
    }
  }
  CHECK(is_valid_utf8(ByteView("\0", 1)));
}

TEST_CASE("random bytes decode to valid UTF-8 in every charset", "[charset]") {
  constexpr std::string_view kSpice = "\x1b$B(J@I<>&\"'0\x80\x81\xa1\xc3\xe4\xfe\xff";
  std::mt19937 random(3);
  for (int i = 0; i < 1500; ++i) {
    // In a buffer of its exact size, so that reading past its end is seen by the sanitizer.
    std::vector<char> bytes(random() % (i % 100 == 0 ? 6000 : 24));
    for (char& c : bytes) c = i % 2 ? static_cast<char>(random()) : kSpice[random() % kSpice.size()];
    const ByteView view(bytes.data(), bytes.size());
    for (const char* charset : kAllCharsets) {
      CAPTURE(charset, std::string(view));
      REQUIRE(is_valid_utf8(to_utf8(view, charset)));
    }
    const Found found = detect(view);
    REQUIRE(charset_name(found.name) == found.name);
    REQUIRE(detect(view) == found);
  }
}

TEST_CASE("random pieces of markup do not disturb the search for a declaration", "[charset]") {
  const std::vector<std::string> pieces{"<meta", " charset",   "=",       "\"",   "'",   ">",     " ",
                                        "gbk",   "http-equiv", "content", "<!--", "-->", "<?xml", "encoding",
                                        "?>",    "/",          "</",      "<",    "<!",  "x"};
  std::mt19937 random(5);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (auto n = random() % 16; n > 0; --n) text += pieces[random() % pieces.size()];
    const std::vector<char> exact(text.begin(), text.end());
    const Found found = detect(ByteView(exact.data(), exact.size()));
    CAPTURE(text);
    REQUIRE((found.name == "utf-8" || found.name == "gbk"));
  }
}

TEST_CASE("media types are split into essence and charset", "[charset]") {
  struct Case {
    const char* text;
    const char* essence;
    const char* label;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"text/html; charset=UTF-8", "text/html", "UTF-8"},
           {"Text/HTML;CHARSET=utf-8", "text/html", "utf-8"},
           {" text/html ; charset = \"utf-8\" ", "text/html", "utf-8"},
           {"text/html; charset='utf-8'", "text/html", "utf-8"},
           {"text/html; charset=\"utf\\-8\"", "text/html", "utf-8"},
           {"text/html; charset=\"utf-8", "text/html", "utf-8"},
           {"text/html; charset=", "text/html", ""},
           {"text/html; charset", "text/html", ""},
           {"text/html; charset;charset=gbk", "text/html", "gbk"},
           {"text/html; charset=gbk; charset=big5", "text/html", "gbk"},
           {"text/html; charset=gbk, text/html; charset=big5", "text/html", "gbk"},
           {"text/html; boundary=\"; charset=big5\"; charset=gbk", "text/html", "gbk"},
           {"text/html; xcharset=big5", "text/html", ""},
           {"text/html;;; charset=gbk;", "text/html", "gbk"},
           {"text/html charset=gbk", "text/html", ""},
           {"text/html,text/plain", "text/html", ""},
           {"application/xhtml+xml", "application/xhtml+xml", ""},
           {"; charset=gbk", "", "gbk"},
           {"html", "html", ""},
           {"", "", ""},
           {" ; ", "", ""},
       }) {
    CAPTURE(c.text);
    const MediaType type = parse_media_type(c.text);
    CHECK(type.essence == c.essence);
    CHECK(type.charset_label == c.label);
  }
}
