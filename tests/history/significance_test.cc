#include <catch2/catch_test_macros.hpp>

#include "history/meaning.h"
#include "history/significance_rules.h"
#include "history/significant_log.h"
#include "history/version_diff.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

const std::string kUrl = "https://example.com/page";

SignificanceRules rules_of(const std::string& lines) {
  return must(SignificanceRules::parse("blockarch-significance 1\n" + lines, "test.rules"));
}

std::string error_of(const std::string& text) {
  const auto parsed = SignificanceRules::parse(text, "test.rules");
  REQUIRE_FALSE(parsed);
  return parsed.error().message;
}

// The page with noise as '#'.
std::string masked(const SignificanceRules& rules, const std::string& page, bool read_only = false) {
  const PageBlocks blocks = read_page_blocks(page, "text/html", "utf-8");
  std::string text = without_noise(page, 0, page.size(), rules.find_noise(page, blocks, kUrl, read_only));
  std::replace(text.begin(), text.end(), kNoiseMark, '#');
  return text;
}

bool differ(const std::string& a, const std::string& b, const SignificanceRules& rules,
            const SignificanceOptions& options = {}) {
  Version version;
  version.media_type = "text/html";
  version.charset = "utf-8";
  return differs(read_meaning(a, version, kUrl, rules, options), read_meaning(b, version, kUrl, rules, options),
                 options);
}

TEST_CASE("what a rule names is noise") {
  CHECK(masked(rules_of("ignore select div.ad, #clock\n"),
               "<p>a</p><div class='x ad'><p>b</p></div><i id=clock>c</i>") == "<p>a</p>#");
  CHECK(masked(rules_of("ignore select ul > li\n"), "<ul><li>a<ol><li>b</ol></ul>") == "<ul>#</ul>");
  CHECK(masked(rules_of("ignore attribute data-*\n"), "<p data-x=\"1\" id=a>b</p>") == "<p data-x=\"#\" id=a>b</p>");
  CHECK(masked(rules_of("ignore parameter ver\n"), "<a href='/x?a=1&amp;ver=2&b=3'>b</a>") ==
        "<a href='/x?a=1&amp;ver=#&b=3'>b</a>");
  CHECK(masked(rules_of("ignore text \\d+ views\n"), "<p title='5 views'>12 views of it</p>") ==
        "<p title='5 views'># of it</p>");
  CHECK(masked(rules_of("ignore text \\d+ views\n"), "<p><b>12</b> <i>views</i> of <b>1</b>2</p>") ==
        "<p><b>#</b>#<i>#</i> of <b>1</b>2</p>");
  CHECK(masked(rules_of("ignore text 1 2\n"), "<table><tr><td>1</td><td>2</td></tr></table>") ==
        "<table><tr><td>#</td><td>#</td></tr></table>");
  CHECK(masked(rules_of("ignore source \"t\":\"(\\w+)\"\n"), "<script>{\"t\":\"abc\"}</script>") ==
        "<script>{\"t\":\"#\"}</script>");
  CHECK(masked(rules_of("ignore comments\n"), "<p>a</p><!-- made at 12:00 --><p>b<!-- c --></p>") ==
        "<p>a</p>#<p>b#</p>");
}

TEST_CASE("a label is that of the innermost block that has one") {
  const std::string nav = "<nav><ul><li><a href=/a>Notices</a></li><li><a href=/b>Fees</a></li></ul></nav>";
  const std::string rest =
      "<main><h2>Dredging</h2><p>Dredging begins on Monday and takes three weeks, and berths are closed for that "
      "time.</p>"
      "</main></body></html>";
  const std::string page = "<html><body><header><h1>Harbour of Port Ellis</h1>" + nav + "</header>" + rest;
  CHECK(masked(rules_of("ignore label identity\n"), page) == "<html><body>#" + nav + "#" + rest);
  CHECK(masked(rules_of("ignore label navigation\n"), page) ==
        "<html><body><header><h1>Harbour of Port Ellis</h1>#</header>" + rest);
}

TEST_CASE("rules may be for some URLs only, and exceptions are kept") {
  CHECK(masked(rules_of("for https://other.example/*\nignore select p\n"), "<p>a</p>") == "<p>a</p>");
  CHECK(masked(rules_of("for https://example.com/*\nignore select p\n"), "<p>a</p>") == "#");
  CHECK(masked(rules_of("for https://other.example/*\nfor *\nignore select p\n"), "<p>a</p>") == "#");
  CHECK(masked(rules_of("ignore text \\d+\nkeep select p.price\n"), "<p>12</p><p class=price>13</p>") ==
        "<p>#</p><p class=price>13</p>");
}

TEST_CASE("a mistake is told with its line and column") {
  CHECK(error_of("") == "test.rules:1:1: the first line must be 'blockarch-significance 1'");
  CHECK(error_of("# x\n\nignore label ad\n") == "test.rules:3:1: the first line must be 'blockarch-significance 1'");
  CHECK(error_of("blockarch-significance 2\n") == "test.rules:1:24: this program reads version 1 of the rules");
  const std::string first = "blockarch-significance 1\n";
  CHECK(error_of(first + "ignroe label ad\n") ==
        "test.rules:2:1: 'ignroe' is no rule: lines begin with ignore, keep, for or name");
  CHECK(error_of(first + "  ignore colour red\n") ==
        "test.rules:2:10: ignore takes select, label, attribute, parameter, text, source or comments");
  CHECK(error_of(first + "ignore label\n") == "test.rules:2:13: what to ignore by 'label' is missing");
  CHECK(
      error_of(first + "ignore label adverts\n").starts_with("test.rules:2:14: 'adverts' is no label; there are main"));
  CHECK(error_of(first + "ignore text é(b\n") ==
        "test.rules:2:13: the regular expression cannot be used: missing ): é(b");
  CHECK(error_of(first + "ignore text ab[z-a]\n").starts_with("test.rules:2:16: "));
  CHECK(error_of(first + "ignore select div:hover\n").starts_with("test.rules:2:15: cannot be used as a selector"));
  CHECK(error_of(first + "ignore select a, {b}\n").starts_with("test.rules:2:15: cannot be used as a selector"));
  CHECK(error_of(first + "ignore attribute a b\n") == "test.rules:2:19: one name on a line");
  CHECK(error_of(first + "keep label ad\n") == "test.rules:2:6: keep takes select");
  CHECK(error_of(first + "for\n") == "test.rules:2:4: the pattern of the URLs is missing");
}

TEST_CASE("rules have a name") {
  CHECK(rules_of("name house rules 3\n").name() == "house rules 3");
  CHECK(rules_of("").name() == "test.rules");
  CHECK(SignificanceRules::built_in().name() == "built-in 2");
  CHECK(must(SignificanceRules::parse(SignificanceRules::built_in_text(), "x")).size() ==
        SignificanceRules::built_in().size());
}

std::string page(const std::string& inside) {
  return "<html><head><title>Fees</title></head><body><h1>Fees of the harbour</h1>" + inside +
         "<p>Harbour office, North Pier 1, Port Ellis.</p></body></html>";
}

TEST_CASE("the built-in rules leave out what is new at each visit") {
  const SignificanceRules& rules = SignificanceRules::built_in();
  const auto same = [&](const std::string& a, const std::string& b) { return !differ(page(a), page(b), rules); };
  CHECK(same("<script nonce=a1>x=1</script><p>Text</p>", "<script nonce=b2>x=2</script><p>Text</p>"));
  CHECK(same("<form><input type=hidden name=csrf value=a1> Name <input name=n></form>",
             "<form><input type=hidden name=csrf value=b2> Name <input name=n></form>"));
  CHECK(same("<p><a href='/x?PHPSESSID=12ab'>x</a></p>", "<p><a href='/x?PHPSESSID=34cd'>x</a></p>"));
  CHECK(same("<p><a href='/x;jsessionid=A1?b=2'>x</a></p>", "<p><a href='/x;jsessionid=B2?b=2'>x</a></p>"));
  CHECK(same("<p><img src='/logo.png?ver=1.2'> x</p>", "<p><img src='/logo.png?ver=1.3'> x</p>"));
  CHECK(same("<p><img src='/logo.3f2a9c1b.png'> x</p>", "<p><img src='/logo.00aa9c1b.png'> x</p>"));
  CHECK(same("<p>Seen by many</p><p>1,234 views</p>", "<p>Seen by many</p><p>1,240 views</p>"));
  CHECK(same("<p>Visitors: 12 345</p>", "<p>Visitors: 12 399</p>"));
  CHECK(same("<p>posted 3 minutes ago</p>", "<p>posted 2 hours ago</p>"));
  CHECK(same("<p>Page generated in 0.123 seconds</p>", "<p>Page generated in 0.456 seconds</p>"));
  CHECK(same("<p>Generated on Monday 3 May 2024</p>", "<p>Generated on Tuesday 4 May 2024</p>"));
  CHECK(same("<p>This page was last created at 12:30</p>", "<p>This page was last created at 12:31</p>"));
  CHECK(same("<p>It is 12:30:01 now</p>", "<p>It is 14:02:55 now</p>"));
  CHECK(same("<!-- server 1 --><p class=a1>x</p>", "<!-- server 2 --><p class=b2>x</p>"));
  CHECK(same("<p>Write to <a href='/cdn-cgi/l/email-protection#0a1b'><span data-cfemail=0a1b>[email]</span></a></p>",
             "<p>Write to <a href='/cdn-cgi/l/email-protection#ff00'><span data-cfemail=ff00>[email]</span></a></p>"));
  CHECK(same("<p>Read by <b>1,234</b> <i>visitors</i></p>", "<p>Read by <b>1,240</b> <i>visitors</i></p>"));
  CHECK(
      same("<p>Sale ends <b>01</b><i>Days</i><b>10</b><i>Hours</i><b>29</b><i>Minutes</i><b>59</b><i>Seconds</i></p>",
           "<p>Sale ends <b>00</b><i>Days</i><b>22</b><i>Hours</i><b>30</b><i>Minutes</i><b>46</b><i>Seconds</i></p>"));
  CHECK(same("<p>© 2009–2023 Harbour office</p>", "<p>© 2009–2024 Harbour office</p>"));
  CHECK(same("<p>&copy; <span>2023</span> Harbour office</p>", "<p>&copy; <span>2024</span> Harbour office</p>"));
  CHECK(same("<p>One <ins class=adsbygoogle>Buy boats</ins> two</p>", "<p>One two</p>"));
  CHECK(same("<p>x</p><div>Loading…</div>", "<p>x</p>"));
  CHECK(same("<p>x <svg><title>Loading</title><path d='M1 2'/></svg></p>", "<p>x <svg><path d='M1 2'/></svg></p>"));
  CHECK(same("<p>x</p><ins class=adsbygoogle>Buy boats</ins>", "<p>x</p><ins class=adsbygoogle>Buy oars</ins>"));
}

TEST_CASE("how a page's text is divided into elements is not its content") {
  CHECK_FALSE(differ(page("<div><a href=/x><div>One</div></a> two</div>"),
                     page("<ul><li><a href=/x>One</a></li><li>two</li></ul>"), SignificanceRules::built_in()));
}

TEST_CASE("the built-in rules keep what a reader would want to know") {
  const SignificanceRules& rules = SignificanceRules::built_in();
  const auto changed = [&](const std::string& a, const std::string& b) { return differ(page(a), page(b), rules); };
  CHECK(changed("<p>The fee is 12 euros</p>", "<p>The fee is 13 euros</p>"));
  CHECK(changed("<p>Last updated: May 5, 2024</p>", "<p>Last updated: June 5, 2024</p>"));
  CHECK(changed("<p>Plans created by the harbour&#39;s office are free</p>",
                "<p>Plans created by the harbour&#39;s office are not</p>"));
  CHECK(changed("<p>Plans, created in 1965 by hand</p>", "<p>Plans, created in 1966 by hand</p>"));
  CHECK(changed("<p>Loading costs 3 crowns</p>", "<p>Loading costs 4 crowns</p>"));
  CHECK(changed("<p>In 2 days</p>", "<p>In 3 days</p>"));
  CHECK(changed("<p>Copyright law of 1965, changed in 2023</p>", "<p>Copyright law of 1965, changed in 2024</p>"));
  CHECK(changed("<p>(c) Since May 2018 it is free</p>", "<p>(c) Since May 2019 it is free</p>"));
  CHECK(changed("<p>Open 8:00 to 17:00</p>", "<p>Open 9:00 to 17:00</p>"));
  CHECK(changed("<p><a href=/old>x</a></p>", "<p><a href=/new>x</a></p>"));
  CHECK(changed("<p><img src=/a.png></p>", "<p><img src=/b.png></p>"));
  CHECK(changed("<p>One</p><p>Two</p>", "<p>Two</p><p>One</p>"));
  CHECK(changed("<p>One</p>", "<p>One</p><p>Two</p>"));
}

TEST_CASE("what must differ can be chosen") {
  const SignificanceRules rules = rules_of("ignore attribute nonce\n");
  const auto by = [&](const std::string& basis, const std::string& a, const std::string& b) {
    return differ(page(a), page(b), rules, must(parse_basis(basis)));
  };
  CHECK_FALSE(by("content", "<p class=a>x</p>", "<p class=b>x</p>"));
  CHECK(by("source", "<p class=a>x</p>", "<p class=b>x</p>"));
  CHECK_FALSE(by("source", "<script nonce=a></script>", "<script nonce=b></script>"));
  CHECK(by("content", "<p><a href=/a>x</a></p>", "<p><a href=/b>x</a></p>"));
  CHECK_FALSE(by("text", "<p><a href=/a>x</a></p>", "<p><a href=/b>x</a></p>"));
  CHECK(by("text", "<p>x</p>", "<p>y</p>"));
  CHECK_FALSE(by("text", "<h2>x</h2>", "<h2>y</h2>"));
  const std::string harbour = "<p>Ships and boats in the harbour: boats, ships, berths, fees, boats, ships.</p>";
  CHECK_FALSE(by("words", harbour, harbour + "<p>One boat more.</p>"));
  CHECK(by("words=0", harbour, harbour + "<p>One lighthouse more.</p>"));
  CHECK(by("words", harbour, "<p>Bread and cakes in the bakery: cakes, bread, rolls, cakes, bread, flour.</p>"));
  for (const std::string bad : {"", "meaning", "words=", "words=2", "words=-1", "words=0.1x"}) {
    CHECK_FALSE(parse_basis(bad));
  }
}

TEST_CASE("a log without noise says what a page returned to") {
  TestArchive archive;
  const auto version = [](const std::string& text, const std::string& nonce) {
    return page("<script nonce=" + nonce + ">1</script><p>" + text + "</p>");
  };
  const auto at = [](std::int64_t day) { return Time::from_seconds(1'700'000'000 + day * 86'400); };
  archive.add(kUrl, version("calm", "a"), at(0));
  archive.add(kUrl, version("calm", "b"), at(1));
  archive.add(kUrl, version("storm", "c"), at(2));
  archive.add(kUrl, version("calm", "d"), at(3));
  archive.add(kUrl, version("calm", "d"), at(4));
  archive.add(kUrl, version("calm", "e"), at(5));
  const Snapshot snapshot = archive.snapshot();
  const CaptureInfo last = must(snapshot.last_capture(must(snapshot.find_url(kUrl))));
  SignificantLogOptions options;
  options.rules = &SignificanceRules::built_in();
  options.log.until = last.time;
  const auto entries = [&] {
    std::vector<SignificantEntry> list;
    must(significant_log(snapshot, last, options, [&](const SignificantEntry& entry) {
      list.push_back(entry);
      return true;
    }));
    return list;
  };
  const auto list = entries();
  REQUIRE(list.size() == 3);
  CHECK(list[0].entry.time == at(3));
  CHECK(list[0].noise == 1);
  CHECK(list[0].entry.repeats == 2);
  CHECK(list[0].entry.last_seen == at(5));
  REQUIRE(list[0].returned_to);
  CHECK(list[0].returned_to->time == at(0));
  CHECK(list[1].entry.time == at(2));
  CHECK_FALSE(list[1].returned_to);
  CHECK(list[2].noise == 1);
  options.with_noise = true;
  CHECK(entries().size() == 5);
  options.log.limit = 2;
  CHECK(entries().size() == 2);
  options.log.limit = 0;
  options.log.since = at(2);
  options.log.oldest_first = true;
  options.with_noise = false;
  REQUIRE(entries().size() == 2);
  CHECK(entries()[0].entry.time == at(2));
}

TEST_CASE("a diff without noise has what is left") {
  TestArchive archive;
  archive.add(kUrl, page("<script nonce=a>1</script><p>Fee: 12 euros a night in the harbour</p><p>77 views</p>"),
              Time::from_seconds(1'700'000'000));
  archive.add(kUrl, page("<script nonce=b>2</script><p>Fee: 12 euros a night in the harbour</p><p>78 views</p>"),
              Time::from_seconds(1'700'086'400));
  archive.add(kUrl, page("<script nonce=c>3</script><p>Fee: 13 euros a night in the harbour</p><p>79 views</p>"),
              Time::from_seconds(1'700'172'800));
  const Snapshot snapshot = archive.snapshot();
  const UrlNumber number = must(snapshot.find_url(kUrl));
  const CaptureInfo third = must(snapshot.last_capture(number));
  const CaptureInfo second = must(version_before(snapshot, third));
  const CaptureInfo first = must(version_before(snapshot, second));
  CHECK_FALSE(version_before(snapshot, first));
  const DiffFilter filter{&SignificanceRules::built_in(), {}};
  const auto noise = must(VersionDiff::make(snapshot, first, second, filter));
  CHECK_FALSE(noise->any());
  CHECK(noise->only_noise());
  CHECK_FALSE(noise->pages().counts().any());
  CHECK(must(VersionDiff::make(snapshot, first, second))->pages().counts().changed == 2);
  const auto change = must(VersionDiff::make(snapshot, second, third, filter));
  CHECK(change->any());
  CHECK(change->pages().counts().changed == 1);
  CHECK(change->pages().counts().layout == 0);
}

}  // namespace
}  // namespace blockarch
