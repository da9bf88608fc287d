#include "segment/topic.h"

#include <catch2/catch_test_macros.hpp>

namespace blockarch {
namespace {

std::string topic(ByteView block, const TopicOptions& options = {}, Markup markup = Markup::html) {
  return find_topic(block, "utf-8", markup, options);
}

TEST_CASE("a heading is the topic, the highest rank first") {
  CHECK(topic("<div><p>Some text before.</p><h3>Small</h3><h2>Harbour <b>news</b></h2><p>Boats came in.</p></div>") ==
        "Harbour news");
  CHECK(topic("<font size=7>Large</font><h2>Heading</h2>") == "Heading");
}

TEST_CASE("without a heading the largest font is the topic") {
  CHECK(
      topic("<td><font size=2>one two three.</font><font size='+2'>Welcome all</font><font size=2>rest</font></td>") ==
      "Welcome all");
  CHECK(topic("<div>plain text here.</div><div style=\"color: red; font-size:30px\">Big one</div><p>more</p>") ==
        "Big one");
}

TEST_CASE("a short line at the top with text after it is the topic") {
  CHECK(
      topic("<div>Opening hours</div><div>The museum is open every day from nine to five, except on Mondays.</div>") ==
      "Opening hours");
  // A sentence is no title, and a list of short lines has none.
  CHECK(topic("<p>It rained.</p><p>The museum is open every day from nine to five but never on Mondays</p>") !=
        "It rained.");
  CHECK(topic("<li>Home</li><li>News</li><li>Sport</li>") == "Home News Sport");
}

TEST_CASE("a colour of its own makes a topic") {
  CHECK(
      topic("<p><font color=black>The first part of a long sentence that has no end and goes on</font> "
            "<font color=red>Warning</font> <font color=black>and then it goes on and on until it stops.</font></p>") ==
      "Warning");
}

TEST_CASE("a found topic of many words is trimmed to theta, without stop words and doubles") {
  CHECK(topic("<h1>The history of the harbour and of the boats in the harbour of the town</h1>", {.theta = 3}) ==
        "history harbour boats");
  CHECK(topic("<h1>To be or not to be</h1>", {.theta = 3}) == "To be or");
}

TEST_CASE("words that occur often are extracted by their stems") {
  const std::string text =
      "<p>Boats were sailing in the morning, and a boat sailed in the evening; nobody had seen boats sail so often as "
      "on "
      "that day in spring, when winds were good.</p>";
  CHECK(topic(text) == "Boats sailing");
  CHECK(topic(text, {.theta = 1}) == "Boats");
  CHECK(topic(text, {.epsilon = 100}) == topic(text, {.delta = 1000}));
  CHECK(topic(text, {.theta = 4, .delta = 1000}) == "Boats sailing morning boat");
}

TEST_CASE("stop words and stems follow the language of the text") {
  CHECK(
      topic("<p>Die Katzen und die Hunde sind in dem Haus, und die Katze ist mit dem Hund auf der Wiese, wenn es nicht "
            "so kalt ist wie im Winter.</p>") == "Katzen Hunde");
  CHECK(topic("<h1>О погоде и о ветре на море и в горах</h1>", {.theta = 2}) == "погоде ветре");
}

TEST_CASE("Chinese, Japanese and Thai have words") {
  CHECK(topic("<h1>中国国家图书馆网页采集与保存的历史研究</h1>", {.theta = 3}) == "中国 国家 图书");
  CHECK(topic("<h1>日本語の文章を単語に分ける方法について</h1>", {.theta = 3}).starts_with("日本語 文章 単語"));
  CHECK(topic("<h1>ภาษาไทยเป็นภาษาที่ไม่มีช่องว่างระหว่างคำ</h1>", {.theta = 2}) == "ภาษา ไทย");
}

TEST_CASE("a topic depends on the content alone") {
  const std::string block = "<div class=a><h2>Tides</h2><p>High water at noon.</p></div>";
  CHECK(topic(block) == topic(block));
  const std::string gbk = "<h1>\xd6\xd0\xb9\xfa</h1>";
  CHECK(find_topic(gbk, "gbk", Markup::html, {}) == topic("<h1>中国</h1>"));
}

TEST_CASE("what is not shown is no topic") {
  CHECK(topic("<script>var a = 'words words words';</script><style>p { color: red }</style><!-- a comment -->") == "");
  CHECK(topic("<p>Caf&eacute; &amp; bar &#8211; open</p>") == "Café bar open");
  CHECK(topic("<a href=/><img src=logo.png alt=\"Harbour Museum\"></a>") == "Harbour Museum");
  CHECK(topic("") == "");
}

TEST_CASE("an entry's title and the first line of a text are topics") {
  CHECK(topic("<item><link>http://example.com/</link><title>New boats</title><description>Three of them.</description>"
              "</item>",
              {}, Markup::xml) == "New boats");
  CHECK(topic("RELEASE NOTES\n\nThis version brings many changes that people asked for, and some that nobody did.\n",
              {}, Markup::none) == "RELEASE NOTES");
}

}  // namespace
}  // namespace blockarch
