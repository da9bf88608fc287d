#include "refs/url_table.h"

#include "tests/support/hot_file.h"

using namespace blockarch;

namespace {

UrlNumber add(HotFile& hot, const char* text) {
  UrlNumber number;
  hot.write([&](WriteTransaction& t) -> Result<void> {
    BA_ASSIGN(const Url url, parse_url(text));
    BA_ASSIGN(number, add_url(t, hot.tables, url));
    return {};
  });
  return number;
}

std::vector<std::string> list(HotFile& hot, const std::string& prefix) {
  const auto read = hot.lmdb.read();
  auto cursor = UrlCursor::open(*read, hot.tables, prefix);
  std::vector<std::string> found;
  for (auto e = cursor->next().value(); e; e = cursor->next().value()) found.push_back(e->given);
  return found;
}

}  // namespace

TEST_CASE("a URL keeps its number and its first spelling") {
  HotFile hot;
  const UrlNumber a = add(hot, "HTTPS://Example.com/a");
  const UrlNumber b = add(hot, "https://example.com/b");
  CHECK(a != b);
  CHECK(add(hot, "https://example.com/a#part") == a);
  const auto read = hot.lmdb.read();
  CHECK(url_given(*read, hot.tables, a).value() == "HTTPS://Example.com/a");
  CHECK(find_url(*read, hot.tables, parse_url("https://example.com/b").value()).value() == b);
  CHECK_FALSE(find_url(*read, hot.tables, parse_url("http://example.com/b").value()).value());
  CHECK(url_given(*read, hot.tables, UrlNumber{77}).error().code == ErrorCode::corrupt);
}

TEST_CASE("URLs are listed a site at a time") {
  HotFile hot;
  for (const char* url :
       {"https://b.org/", "https://www.a.org/x", "https://a.org/y", "http://a.org/y", "https://ab.org/"}) {
    add(hot, url);
  }
  CHECK(list(hot, "").size() == 5);
  CHECK(list(hot, host_key_prefix("a.org", false)) == std::vector<std::string>{"http://a.org/y", "https://a.org/y"});
  CHECK(list(hot, host_key_prefix("a.org", true)) == std::vector<std::string>{"https://www.a.org/x"});
  CHECK(list(hot, "zz").empty());
}
