#include "base/lmdb.h"
#include "engine/site_model.h"
#include "fsck/fsck.h"
#include "refs/tables.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/test_archive.h"

using namespace blockarch;

namespace {

// As a version without the table of settings made it.
void make_old_archive(const std::string& path) {
  must(Archive::create(path));
  std::filesystem::remove(path + "/" + kHotFile);
  LmdbOptions options;
  options.create = true;
  options.tables = table_names();
  must(Lmdb::open(path + "/" + kHotFile, options));
}

}  // namespace

TEST_CASE("settings are kept in the archive") {
  TestArchive archive;
  {
    Writer writer = must(archive.archive().writer());
    must(writer.put_setting({"tagtree/example.com", "one"}));
    must(writer.put_setting({"tagtree/example.org", "two"}));
    must(writer.erase_setting("tagtree/example.org"));
    CHECK(writer.erase_setting("tagtree/example.org").error().code == ErrorCode::not_found);
    CHECK(writer.put_setting({"a b", ""}).error().code == ErrorCode::invalid);
  }
  const Snapshot snapshot = must(archive.archive().snapshot());
  CHECK(must(snapshot.find_setting("tagtree/example.com")) == "one");
  CHECK_FALSE(must(snapshot.find_setting("tagtree/example.org")));
  CHECK(must(snapshot.settings("tagtree/")) == std::vector<Setting>{{"tagtree/example.com", "one"}});
}

TEST_CASE("what was learnt about a site cuts its captures") {
  CHECK(must(site_of("News.Example.com")) == "news.example.com");
  CHECK(must(site_of("https://news.example.com/a?b")) == "news.example.com");
  for (const char* wrong : {"", "a b", "example.com/path", "mailto:x"}) {
    CHECK(site_of(wrong).error().code == ErrorCode::invalid);
  }
  const auto objects_of_page = [](const TagTreeModel* model, const std::string& profile = {}) {
    TestArchive archive;
    if (model) {
      Writer writer = must(archive.archive().writer());
      must(put_site_model(writer, "example.com", *model));
    }
    const Snapshot snapshot = must(archive.archive().snapshot());
    CHECK(must(find_site_model(snapshot, "example.com")).has_value() == (model != nullptr));
    CHECK_FALSE(must(find_site_model(snapshot, "example.org")));
    CaptureRequest request;
    request.url = "https://example.com/";
    request.payload = "<body><p>one</p><div id=here><p>two</p></div><p>three</p></body>";
    request.content_type = "text/html";
    request.segmenter = "tagtree";
    request.profile = profile;
    return archive.add(request).new_objects;
  };
  // The page is too short to be cut for its length: only around a main region, and by this point it has none.
  TagTreeModel nowhere;
  nowhere.parameters.gamma = 0;
  TagTreeModel here;
  here.pattern = "body[1]>div#here";
  CHECK(objects_of_page(&nowhere) < objects_of_page(nullptr));
  CHECK(objects_of_page(&nowhere) < objects_of_page(&here));
  // A profile that was asked for wins.
  CHECK(objects_of_page(&nowhere, encode_model(here)) == objects_of_page(&here));
  CHECK(objects_of_page(&here, encode_model(nowhere)) == objects_of_page(&nowhere));
}

TEST_CASE("an archive made before there were settings opens, is sound, and takes them") {
  TemporaryDirectory directory;
  const std::string path = directory.path() + "/old";
  make_old_archive(path);
  CHECK(must(check_archive(path, {})).findings.empty());
  {
    Archive archive = must(Archive::open(path));
    Archive second = must(Archive::open(path));
    {
      const Snapshot before = must(archive.snapshot());
      CHECK_FALSE(must(before.find_setting("a/b")));
      CHECK(must(before.settings("")).empty());
      CHECK(must(before.stats()).tables.size() == table_names().size());
    }
    Writer writer = must(archive.writer());
    CHECK(writer.erase_setting("a/b").error().code == ErrorCode::not_found);
    must(writer.put_setting({"a/b", "value"}));
    const Snapshot after = must(archive.snapshot());
    CHECK(must(after.find_setting("a/b")) == "value");
    CHECK(must(after.stats()).tables.size() == table_names().size() + 1);
    CHECK_FALSE(must(must(second.snapshot()).find_setting("a/b")));  // opened before, and told so
  }
  Archive again = must(Archive::open(path));
  CHECK(must(must(again.snapshot()).find_setting("a/b")) == "value");
  CHECK(must(check_archive(path, {})).findings.empty());
}
