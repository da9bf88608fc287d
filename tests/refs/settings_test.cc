#include "refs/settings.h"

#include "tests/support/hot_file.h"

using namespace blockarch;

TEST_CASE("settings are put, found, listed by prefix and erased") {
  HotFile hot;
  const auto put = [&](const Setting& setting) {
    hot.write([&](WriteTransaction& t) { return put_setting(t, hot.tables, setting); });
  };
  put({"tagtree/example.org", "two"});
  put({"tagtree/example.com", "one"});
  put({"level/example.com", std::string("\0x", 2)});
  put({"tagtree/example.com", "new"});
  {
    const auto read = hot.lmdb.read();
    CHECK(find_setting(*read, hot.tables, "tagtree/example.com").value() == "new");
    CHECK(find_setting(*read, hot.tables, "level/example.com").value() == std::string("\0x", 2));
    CHECK_FALSE(find_setting(*read, hot.tables, "tagtree/").value());
    CHECK_FALSE(find_setting(*read, hot.tables, "").value());
    CHECK(find_settings(*read, hot.tables, "tagtree/").value() ==
          std::vector<Setting>{{"tagtree/example.com", "new"}, {"tagtree/example.org", "two"}});
    CHECK(find_settings(*read, hot.tables, "").value().size() == 3);
    CHECK(find_settings(*read, hot.tables, "z").value().empty());
  }
  hot.write([&](WriteTransaction& t) { return erase_setting(t, hot.tables, "tagtree/example.com"); });
  const auto gone =
      hot.lmdb.write([&](WriteTransaction& t) { return erase_setting(t, hot.tables, "tagtree/example.com"); });
  REQUIRE_FALSE(gone.has_value());
  CHECK(gone.error().code == ErrorCode::not_found);
}

TEST_CASE("names with blanks and values without end are no settings") {
  HotFile hot;
  const auto put = [&](const Setting& setting) {
    return hot.lmdb.write([&](WriteTransaction& t) { return put_setting(t, hot.tables, setting); });
  };
  for (const std::string& name : {std::string(), std::string("a b"), std::string("a\nb"), std::string(401, 'x')}) {
    const auto refused = put({name, "x"});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::invalid);
  }
  CHECK(put({std::string(400, 'x'), Bytes(kMaxSettingValue, 'y')}).has_value());
  CHECK(put({"x", Bytes(kMaxSettingValue + 1, 'y')}).error().code == ErrorCode::too_large);
}

TEST_CASE("a setting that was changed on disk is corrupt") {
  HotFile hot;
  hot.write([&](WriteTransaction& t) { return put_setting(t, hot.tables, {"a", "value"}); });
  Bytes raw;
  {
    const auto read = hot.lmdb.read();
    raw = *read->get(hot.tables.settings, "a").value();
  }
  hot.write([&](WriteTransaction& t) { return t.put(hot.tables.settings, "b", raw); });
  const auto read = hot.lmdb.read();
  CHECK(find_setting(*read, hot.tables, "b").error().code == ErrorCode::corrupt);
  CHECK(find_settings(*read, hot.tables, "").error().code == ErrorCode::corrupt);
}

TEST_CASE("a file without the table has no settings") {
  TemporaryDirectory directory;
  LmdbOptions options;
  options.create = true;
  options.tables = table_names();
  const std::string path = directory.path() + "/" + kHotFile;
  { REQUIRE(Lmdb::open(path, options).has_value()); }
  options.create = false;
  options.later_tables = later_table_names();
  auto lmdb = Lmdb::open(path, options);
  REQUIRE(lmdb.has_value());
  const Tables tables = find_tables(*lmdb);
  CHECK(tables.settings.handle == 0);
  {
    const auto read = lmdb->read();
    CHECK_FALSE(find_setting(*read, tables, "a").value());
    CHECK(find_settings(*read, tables, "").value().empty());
  }
  const auto gone = lmdb->write([&](WriteTransaction& t) { return erase_setting(t, tables, "a"); });
  CHECK(gone.error().code == ErrorCode::not_found);
}
