#include "engine/metadata_rules.h"

#include <fmt/format.h>

#include <thread>

#include "tests/support/test_archive.h"

using namespace blockarch;

namespace {

MetadataRules rules(const std::string& text) {
  return must(MetadataRules::parse(text, "rules"));
}

std::string complaint(const std::string& text) {
  const auto parsed = MetadataRules::parse(text, "rules");
  if (parsed) return "no complaint";
  CHECK(parsed.error().code == ErrorCode::invalid);
  return parsed.error().message;
}

constexpr char kPage[] = "<html lang=de><title>Fahrplan</title>";

}  // namespace

TEST_CASE("the rules of the documentation do what it says") {
  const MetadataRules r = rules(R"(# for a collection of newspapers
match url https://*.example.org/news/*        # a comment
match url-regex ^https://[^/]+/news/(\d{4})/
match mime text/html
match header server nginx*
set collection = "News sites"
set year = $1
set server = header Server
set title = title
set language = language
set-url owner = "Press \"office\" \\"
)");
  const MetadataEntries headers = {{"SERVER", "nginx/1.2"}};
  const RuleInput input{"https://www.example.org/news/2024/x", "text/html; charset=utf-8", &headers, kPage};
  const RuleOutput output = r.apply(input);
  CHECK(output.capture == MetadataEntries{{"collection", "News sites"},
                                          {"language", "de"},
                                          {"server", "nginx/1.2"},
                                          {"title", "Fahrplan"},
                                          {"year", "2024"}});
  CHECK(output.url == MetadataEntries{{"owner", "Press \"office\" \\"}});

  RuleInput other = input;
  other.url = "https://www.example.org/news/today";
  CHECK(r.apply(other).capture.empty());
  other = input;
  other.content_type = "text/plain";
  CHECK(r.apply(other).capture.empty());
  other = input;
  other.headers = nullptr;
  CHECK(r.apply(other).capture.empty());
}

TEST_CASE("rules end at an empty line and before the next match") {
  const MetadataRules r = rules("set all = \"1\"\n\nmatch url *a*\nset a = \"1\"\nmatch url *b*\nset b = \"1\"");
  const auto keys = [&](const char* url) {
    std::string found;
    for (const auto& [key, value] : r.apply({url, "", nullptr, ""}).capture) found += key + " ";
    return found;
  };
  CHECK(keys("a") == "a all ");
  CHECK(keys("b") == "all b ");
  CHECK(keys("c") == "all ");
  CHECK(rules("").apply({"a", "", nullptr, ""}).capture.empty());
}

TEST_CASE("of several rules for one key the last that holds counts") {
  const MetadataRules r = rules("set k = \"general\"\n\nmatch url *special*\nset k = \"special\"\n");
  CHECK(r.apply({"special", "", nullptr, ""}).capture == MetadataEntries{{"k", "special"}});
  CHECK(r.apply({"x", "", nullptr, ""}).capture == MetadataEntries{{"k", "general"}});
}

TEST_CASE("what a page does not have is not set") {
  const MetadataRules r =
      rules("match url-regex (a)|(b)\nset t = title\nset l = language\nset h = header x-none\nset g = $2\nset w = $0");
  CHECK(r.apply({"a", "text/plain", nullptr, kPage}).capture == MetadataEntries{{"w", "a"}});
}

TEST_CASE("a page without a declared type is recognised, and its language may stand in a header") {
  const MetadataRules r = rules("match mime text/html\nset l = language\nset n = header x");
  const MetadataEntries headers = {{"Content-Language", "fr, en"}, {"X", "1"}, {"x", "2"}};
  CHECK(r.apply({"a", "", &headers, "<!doctype html><p>x"}).capture == MetadataEntries{{"l", "fr"}, {"n", "1, 2"}});
  CHECK(r.apply({"a", "", &headers, kPage}).capture[0].second == "de");
}

TEST_CASE("mistakes in rules are named with line and column") {
  CHECK(complaint("set a = \"1\"\n  mach url x\n") ==
        "rules:2:3: 'mach' is no rule: lines begin with match, set or set-url");
  CHECK(complaint("match uri x") == "rules:1:7: match takes url, url-regex, mime or header");
  CHECK(complaint("match url\nset a = title") == "rules:1:10: the pattern is missing");
  CHECK(complaint("match url a b") == "rules:1:13: 'b' is too much here");
  CHECK(complaint("\nmatch url a\n\nset a = title") ==
        "rules:2:1: this rule sets nothing: it needs a set or set-url line");
  CHECK(complaint("match url-regex (a\nset b = $1").starts_with("rules:1:17: the regular expression cannot be used: "));
  CHECK(complaint("set ä = \"x").starts_with("rules:1:9: the quotes are not closed"));
  CHECK(complaint("set a \"x\"") == "rules:1:7: '=' is missing after the key");
  CHECK(complaint("set a = x") == "rules:1:9: a value is \"text in quotes\", $1, title, language or header NAME");
  CHECK(complaint("set a = $1") == "rules:1:9: $1 needs a 'match url-regex' line in the rule");
  CHECK(complaint("match url-regex (a)\nset a = $2") == "rules:2:9: the url-regex of this rule has 1 group");
  CHECK(complaint("match url-regex (a)\nset a = $x") ==
        "rules:2:9: '$x' is no group: write $1, or $0 for the whole match");
  CHECK(complaint("set a = \"\\n\"") == "rules:1:10: in quotes a backslash is written \\\\ and a quote \\\"");
  CHECK(complaint("set http-head = title") == "rules:1:5: keys that begin with http- or warc- are the program's own");
  CHECK(complaint("match url-regex a\nmatch url-regex b\nset a = title") ==
        "rules:2:17: a rule has one url-regex at most");
  CHECK(complaint(std::string("set a\0= title", 13)) == "rules:1:6: a control character");
  CHECK(complaint("set a = \"\xFF\"") == "rules: rules are written in UTF-8");
}

TEST_CASE("rules have limits") {
  CHECK(complaint(std::string(kMaxRulesFile + 1, '#')) == "rules: over 1048576 bytes of rules");
  std::string many;
  for (std::size_t i = 0; i < kMaxRules; ++i) many += "set a=title\n\n";
  CHECK(complaint(many) == "no complaint");
  CHECK(complaint(many + "set a=title") == "rules:20001:1: more than 10000 rules");
  std::string keys;
  for (int i = 0; i < 257; ++i) keys += fmt::format("set-url k{}=title\n", i);
  CHECK(complaint(keys) == "rules:257:9: more than 256 different keys");
  CHECK(complaint("set " + std::string(256, 'k') + " = title") == "rules:1:5: the key is over 255 bytes");
}

TEST_CASE("a hostile URL meets a hostile pattern in linear time") {
  const MetadataRules r = rules("match url-regex ^(a+)+$\nset k = $1\n\nmatch url *a*a*a*a*a*a*b\nset g = title");
  const std::string url = std::string(60'000, 'a') + "!";
  CHECK(r.apply({url, "", nullptr, ""}).capture.empty());
  CHECK(complaint("match url-regex ((((a{100}){100}){100}){100})\nset k = $1").find("rules:1:17") == 0);
}

TEST_CASE("values are cut to what metadata can hold") {
  const MetadataRules r = rules("match url-regex (.*)\nset k = $1\nset-url u = $1");
  const RuleOutput output = r.apply({std::string(50'000, 'x'), "", nullptr, ""});
  CHECK(output.capture.at(0).second.size() == kMaxRuleValue);
  CHECK(output.url.at(0).second.size() == kMaxRuleValue);
}

TEST_CASE("many threads apply the same rules") {
  const MetadataRules r = rules("match url-regex (\\d+)$\nset n = $1\nset t = title");
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const std::string url = fmt::format("https://a.example/{}", t * 1000 + i);
        const auto found = r.apply({url, "text/html", nullptr, kPage}).capture;
        if (found != MetadataEntries{{"n", std::to_string(t * 1000 + i)}, {"t", "Fahrplan"}}) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("what the caller gave comes before the rules") {
  const MetadataRules r = rules("set a = \"rule\"\nset b = \"rule\"\nset-url c = \"rule\"");
  CaptureRequest request;
  request.url = "https://example.org/";
  request.metadata = {{"a", "given"}, {"a", "twice"}};
  r.apply(request);
  CHECK(request.metadata == MetadataEntries{{"a", "given"}, {"a", "twice"}, {"b", "rule"}});
  CHECK(request.url_metadata == MetadataEntries{{"c", "rule"}});
}
