#include "refs/url_table.h"

#include "base/coding.h"
#include "refs/sealed.h"
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

TEST_CASE("a record without metadata has the bytes it always had, and one with metadata keeps its URL") {
  HotFile hot;
  const UrlNumber a = add(hot, "https://example.com/a");
  const auto stored = [&] {
    const auto read = hot.lmdb.read();
    auto cursor = read->cursor(hot.tables.url_records);
    return Bytes(cursor->first().value()->value);
  };
  const Bytes plain = stored();
  CHECK(plain.size() == 1 + 21 + 1 + 20 + 4);
  const auto set = [&](std::vector<std::pair<std::string, std::string>> entries) {
    hot.write([&](WriteTransaction& t) -> Result<void> {
      BA_ASSIGN(const Metadata metadata, make_url_metadata(std::move(entries)));
      return set_url_metadata(t, hot.tables, a, metadata);
    });
  };
  set({});
  CHECK(stored() == plain);
  set({{"k", "v"}, {"j", "w"}});
  CHECK(stored().size() == plain.size() + 1 + 10);
  const auto read = hot.lmdb.read();
  const UrlRecord record = url_record(*read, hot.tables, a).value();
  CHECK(record.given == "https://example.com/a");
  CHECK(record.metadata.entries == std::vector<std::pair<std::string, std::string>>{{"j", "w"}, {"k", "v"}});
}

TEST_CASE("metadata of a URL that could not have been written is damage") {
  const Bytes key(4, '\0');
  const auto decode = [&](std::vector<std::pair<std::string, std::string>> entries) {
    Bytes body("\1a\1b");
    put_string(body, encode_metadata(Metadata{std::move(entries)}));
    return decode_url_record(key, seal(key, std::move(body)));
  };
  CHECK(decode({{"k", "v"}}).has_value());
  CHECK(decode({}).error().code == ErrorCode::corrupt);
  CHECK(decode({{"k", "v"}, {"k", "w"}}).error().code == ErrorCode::corrupt);
  CHECK(decode({{"k", std::string(kMaxUrlMetadataValue + 1, 'x')}}).error().code == ErrorCode::corrupt);
  CHECK(decode_url_record(key, seal(key, Bytes("\1a\1b\5x"))).error().code == ErrorCode::corrupt);
}
