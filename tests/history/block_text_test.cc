#include "history/block_text.h"

#include <catch2/catch_test_macros.hpp>

namespace blockarch {
namespace {

using Kind = WordRun::Kind;

std::string marked(std::string_view before, std::string_view after) {
  WorkLimit limit;
  std::string text;
  for (const WordRun& run : compare_words(before, after, limit)) {
    const char* const open = run.kind == Kind::same ? "" : run.kind == Kind::gone ? "[-" : "{+";
    const char* const close = run.kind == Kind::same ? "" : run.kind == Kind::gone ? "-]" : "+}";
    text += open + std::string(run.text) + close;
  }
  return text;
}

TEST_CASE("text is what a reader gets: no tags, references resolved, blanks as one") {
  CHECK(markup_text("<p>Caf&eacute;  <b>au</b>\n lait<br>&amp; <i>m</i>ore<!-- no --></p>", Markup::html, "utf-8") ==
        "Café au lait & more");
  CHECK(markup_text("<li>a<script>var x</script>b</li>", Markup::html, "utf-8") == "a b");
  CHECK(markup_text("a  <b\n", Markup::none, "utf-8") == "a <b");
  CHECK(markup_text("<p>\xe9t\xe9</p>", Markup::html, "windows-1252") == "été");
  CHECK(markup_text("<item><![CDATA[a <b]]></item>", Markup::xml, "utf-8") == "a <b");
}

TEST_CASE("tokens are words and single signs") {
  CHECK(text_tokens("Don't, 1,000 — été!") == std::vector<std::string_view>{"Don't", ",", "1,000", "—", "été", "!"});
  CHECK(text_tokens("我们喜欢读书") == std::vector<std::string_view>{"我们", "喜欢", "读书"});
  CHECK(text_tokens(" ").empty());
}

TEST_CASE("words that came and went are marked with the blanks before them") {
  CHECK(marked("The fee is 12 euros a day", "The fee is 15 euros a day") == "The fee is[- 12-]{+ 15+} euros a day");
  CHECK(marked("a b", "a b c") == "a b{+ c+}");
  CHECK(marked("a b c", "b c") == "[-a-]b c");
  CHECK(marked("", "new text") == "{+new text+}");
  CHECK(marked("old", "") == "[-old-]");
  CHECK(marked("same words", "same words") == "same words");
}

TEST_CASE("a chance agreement amid much that differs does not count") {
  CHECK(marked("every ship needs a permit of the harbour office before noon",
               "no boat, large or small, may enter the basin at night without light") ==
        "[-every ship needs a permit of the harbour office before noon-]"
        "{+no boat, large or small, may enter the basin at night without light+}");
}

TEST_CASE("the runs spell the new text") {
  const std::string before = "One, two; three (four) five";
  const std::string after = "One two, three four (five) six";
  WorkLimit limit;
  std::string spelt;
  for (const WordRun& run : compare_words(before, after, limit)) {
    if (run.kind != Kind::gone) spelt += run.text;
  }
  CHECK(spelt == after);
}

}  // namespace
}  // namespace blockarch
