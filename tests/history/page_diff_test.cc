// A pair of pages for every kind of change, and what a person would say.
#include "history/page_diff.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "history/block_text.h"
#include "history/page_edits.h"

namespace blockarch {
namespace {

// "changed <p>old</p> → <p>new</p>", without what stayed. Each diff must also be exact in its edits.
std::vector<std::string> told(const std::string& before, const std::string& after,
                              const std::string& type = "text/html") {
  const PageDiff diff =
      diff_pages(before, read_page_blocks(before, type, "utf-8"), after, read_page_blocks(after, type, "utf-8"));
  const auto applied = apply_edits(before, page_edits(diff), after);
  REQUIRE(applied);
  REQUIRE(*applied == after);
  std::vector<std::string> list;
  for (const BlockChange& change : diff.blocks) {
    if (change.kind == ChangeKind::same) continue;
    std::string text(change_name(change.kind));
    if (change.kind == ChangeKind::changed && !change.text) text += " unseen";
    text += ": " + diff.text_before(change);
    if (change.kind == ChangeKind::changed || change.kind == ChangeKind::moved_changed) {
      text += " → " + diff.text_after(change);
    }
    if (change.kind == ChangeKind::added) text += diff.text_after(change);
    list.push_back(text);
  }
  for (const LayoutChange& change : diff.layout) list.push_back("layout: " + change.before + " → " + change.after);
  return list;
}

using List = std::vector<std::string>;

std::string page(const std::string& inside) {
  return "<html><head><title>Harbour</title></head><body><h1>Notices of the harbour</h1>" + inside +
         "<p>Harbour office, North Pier 1, Port Ellis. Open from eight to five.</p></body></html>";
}

const std::string kDredging = "<p>Dredging in the inner basin begins on the third of May and takes two weeks.</p>";
const std::string kFees = "<p>The fee for a berth of up to ten metres is twelve euros a night from June.</p>";
const std::string kStorm = "<p>A storm is expected on Sunday: please double your lines and stay ashore.</p>";

TEST_CASE("the same page has no changes") {
  CHECK(told(page(kFees), page(kFees)).empty());
}

TEST_CASE("a paragraph that was added") {
  CHECK(told(page(kFees), page(kFees + kStorm)) ==
        List{"added: A storm is expected on Sunday: please double your lines and stay ashore."});
}

TEST_CASE("a paragraph that was removed") {
  CHECK(told(page(kStorm + kFees), page(kFees)) ==
        List{"removed: A storm is expected on Sunday: please double your lines and stay ashore."});
}

TEST_CASE("what comes or goes among the same again begins with its heading") {
  const std::string one = "<dt>Dredging, part one</dt><dd>It begins on the third of May.</dd>";
  const std::string two = "<dt>Dredging, part two</dt><dd>It begins on the third of May.</dd>";
  const std::string three = "<dt>Dredging, part three</dt><dd>It begins on the third of May.</dd>";
  const auto list = [](const std::string& inside) { return page("<dl>" + inside + "</dl>"); };
  CHECK(told(list(one + two), list(one)) ==
        List{"removed: Dredging, part two", "removed: It begins on the third of May."});
  CHECK(told(list(one + two), list(two)) ==
        List{"removed: Dredging, part one", "removed: It begins on the third of May."});
  CHECK(told(list(one + three), list(one + two + three)) ==
        List{"added: Dredging, part two", "added: It begins on the third of May."});
  CHECK(told(list(one + two), list(one + two + three)) ==
        List{"added: Dredging, part three", "added: It begins on the third of May."});
  const std::string more = "<p>More of this</p>";
  CHECK(told(page(more + "<h2>Dredging</h2>" + more + "<h2>Fees</h2>" + more),
             page(more + "<h2>Dredging</h2>" + more)) == List{"removed: Fees", "removed: More of this"});
}

TEST_CASE("a word that was changed") {
  CHECK(told(page("<p>The fee is twelve euros.</p>"), page("<p>The fee is fifteen euros.</p>")) ==
        List{"changed: The fee is twelve euros. → The fee is fifteen euros."});
}

TEST_CASE("a change of an attribute only is not seen by a reader") {
  CHECK(told(page("<p class=a>The fee is twelve euros.</p>"), page("<p class=b>The fee is twelve euros.</p>")) ==
        List{"changed unseen: The fee is twelve euros. → The fee is twelve euros."});
}

TEST_CASE("two paragraphs that changed places are one move") {
  CHECK(told(page(kDredging + kFees), page(kFees + kDredging)) ==
        List{"moved: The fee for a berth of up to ten metres is twelve euros a night from June."});
}

TEST_CASE("a reordered list is moves, not deletes and adds") {
  CHECK(told(page("<ul><li>Apples</li><li>Pears</li><li>Plums</li><li>Quinces</li></ul>"),
             page("<ul><li>Quinces</li><li>Apples</li><li>Pears</li><li>Plums</li></ul>")) == List{"moved: Quinces"});
  const List reversed = told(page("<ol><li>One</li><li>Two</li><li>Three</li><li>Four</li></ol>"),
                             page("<ol><li>Four</li><li>Three</li><li>Two</li><li>One</li></ol>"));
  CHECK(reversed.size() == 3);
  CHECK(std::all_of(reversed.begin(), reversed.end(), [](const auto& text) { return text.starts_with("moved: "); }));
}

TEST_CASE("rows of a table that were sorted are moves") {
  const std::string a = "<tr><td>Ellis</td><td>12</td></tr>";
  const std::string b = "<tr><td>Norden</td><td>7</td></tr>";
  const std::string c = "<tr><td>Ostend</td><td>31</td></tr>";
  CHECK(told(page("<table>" + a + b + c + "</table>"), page("<table>" + c + a + b + "</table>")) ==
        List{"moved: Ostend 31"});
}

TEST_CASE("a paragraph that moved and changed") {
  const std::string moved = "<p>Dredging in the inner basin begins on the ninth of May and takes two weeks.</p>";
  CHECK(told(page(kDredging + kFees + kStorm), page(kFees + kStorm + moved)) ==
        List{"moved and changed: Dredging in the inner basin begins on the third of May and takes two weeks. → "
             "Dredging in the inner basin begins on the ninth of May and takes two weeks."});
}

TEST_CASE("short lines that are alike in form are not taken for each other across the page") {
  const auto contact = [](const std::string& name) { return "<p>Email: info@" + name + ".example</p>"; };
  const List list = told(page(contact("ellis") + kDredging + kFees), page(kDredging + kFees + contact("norden")));
  CHECK(list == List{"removed: Email: info@ellis.example", "added: Email: info@norden.example"});
}

TEST_CASE("a number or a date in its place is changed, however little is left of it") {
  CHECK(told(page("<table><tr><td>42</td></tr></table>"), page("<table><tr><td>57</td></tr></table>")) ==
        List{"changed: 42 → 57"});
}

TEST_CASE("a long text in the place of another one is another block") {
  CHECK(told(page(kFees), page(kStorm)) ==
        List{"removed: The fee for a berth of up to ten metres is twelve euros a night from June.",
             "added: A storm is expected on Sunday: please double your lines and stay ashore."});
}

TEST_CASE("changes of the layout are said apart") {
  CHECK(told(page("<div class=a>" + kFees + "</div>"), page("<div class=b>" + kFees + "</div>")) ==
        List{"layout: <div class=a> → <div class=b>"});
  CHECK(told(page(kFees), page("<section>" + kFees + "</section>")) == List{"layout:  → <section></section>"});
}

TEST_CASE("white space between blocks is no change of the layout") {
  CHECK(told(page(kFees + kStorm), page(kFees + "\n\n  " + kStorm)).empty());
}

TEST_CASE("blocks that are there many times do not wander") {
  const std::string more = "<p><a href=x>Read more</a></p>";
  CHECK(told(page(kFees + more + kStorm + more), page(kFees + more + kDredging + more + kStorm + more)) ==
        List{"added: Dredging in the inner basin begins on the third of May and takes two weeks.", "added: Read more"});
}

TEST_CASE("a list item put in front moves nothing") {
  CHECK(told(page("<ul><li>B</li><li>C</li></ul>"), page("<ul><li>A</li><li>B</li><li>C</li></ul>")) ==
        List{"added: A"});
}

TEST_CASE("scripts and what is about the page are unseen") {
  CHECK(told("<head><meta name=a content=1></head><p>x y z</p><script>a=1</script>",
             "<head><meta name=a content=2></head><p>x y z</p><script>a=2</script>") ==
        List{"changed unseen: <meta name=a content=1> → <meta name=a content=2>",
             "changed unseen: <script>a=1</script> → <script>a=2</script>"});
}

TEST_CASE("a picture that was exchanged is seen") {
  CHECK(told(page("<div><img src=a.png alt=\"A boat\"></div>"), page("<div><img src=b.png alt=\"A ship\"></div>")) ==
        List{"changed: A boat → A ship"});
}

TEST_CASE("entries of a feed") {
  const auto feed = [](const std::string& items) {
    return "<?xml version=\"1.0\"?><rss><channel>" + items + "</channel></rss>";
  };
  const std::string a = "<item><title>Storm on Sunday</title><link>http://e.example/1</link></item>";
  const std::string b = "<item><title>New fees</title><link>http://e.example/2</link></item>";
  const std::string c = "<item><title>Dredging</title><link>http://e.example/3</link></item>";
  CHECK(told(feed(a + b), feed(c + a + b), "application/rss+xml") == List{"added: Dredging http://e.example/3"});
}

TEST_CASE("plain text is compared by paragraphs") {
  CHECK(told("First thing to say here.\n\nSecond thing to say.\n\nThird.\n",
             "Second thing to say.\n\nFirst thing to say here.\n\nThird.\n",
             "text/plain") == List{"moved: Second thing to say."});
}

TEST_CASE("a page that became empty, and one that was") {
  CHECK(told("<p>All gone now</p>", "") == List{"removed: All gone now"});
  CHECK(told("", "<p>Here now</p>").front() == "added: Here now");
  CHECK(told("", "").empty());
}

TEST_CASE("a page in one charset and the same in another differ in bytes, not in text") {
  const std::string before = "<p>\xc3\xa9t\xc3\xa9 \xc3\xa0 la plage</p>";
  const std::string after = "<p>\xe9t\xe9 \xe0 la plage</p>";
  const PageDiff diff = diff_pages(before, read_page_blocks(before, "text/html", "utf-8"), after,
                                   read_page_blocks(after, "text/html", "windows-1252"));
  REQUIRE(diff.blocks.size() == 1);
  CHECK(diff.blocks[0].kind == ChangeKind::changed);
  CHECK_FALSE(diff.blocks[0].text);
}

}  // namespace
}  // namespace blockarch
