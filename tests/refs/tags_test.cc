#include "refs/tags.h"

#include "tests/support/hot_file.h"

using namespace blockarch;

TEST_CASE("tags are put, found, listed and deleted") {
  HotFile hot;
  const Tag tag{"before-redesign", Time::from_seconds(5), Time::from_seconds(9), "the old look"};
  hot.write([&](WriteTransaction& t) { return put_tag(t, hot.tables, tag, false); });
  {
    const auto read = hot.lmdb.read();
    CHECK(find_tag(*read, hot.tables, tag.name).value() == tag);
    CHECK_FALSE(find_tag(*read, hot.tables, "other").value());
    CHECK(all_tags(*read, hot.tables).value() == std::vector<Tag>{tag});
  }
  const auto again = hot.lmdb.write([&](WriteTransaction& t) { return put_tag(t, hot.tables, tag, false); });
  CHECK(again.error().code == ErrorCode::invalid);
  hot.write([&](WriteTransaction& t) { return put_tag(t, hot.tables, tag, true); });
  hot.write([&](WriteTransaction& t) { return erase_tag(t, hot.tables, tag.name); });
  const auto gone = hot.lmdb.write([&](WriteTransaction& t) { return erase_tag(t, hot.tables, tag.name); });
  CHECK(gone.error().code == ErrorCode::not_found);
}

TEST_CASE("names that could be dates, options or paths are no tags") {
  for (const char* name : {"", "2024", "2024-05-01", "-x", ".x", "/x", "a b", "a@b", "a~b", "a\n"}) {
    INFO(name);
    CHECK_FALSE(check_tag_name(name).has_value());
  }
  for (const char* name : {"v1", "release/2024-05", "frühling", "2024-spring", "a.b_c"}) {
    INFO(name);
    CHECK(check_tag_name(name).has_value());
  }
  CHECK_FALSE(check_tag_name(std::string(kMaxTagName + 1, 'a')).has_value());
}
