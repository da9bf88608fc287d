// Every byte of a small packed archive changed in turn, and every file cut at every length. In packs, `current` and
// `format` each change is found; whoever reads gets the right bytes or an error. The tables are changed in
// byte_flip_test.cc.
#include <catch2/catch_test_macros.hpp>

#include "pack/pack.h"
#include "tests/fsck/archive_copy.h"
#include "tests/fsck/small_pack_archive.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

void require_found(const SmallPackArchive& archive, const std::string& what) {
  const auto report = archive.check();
  INFO(what);
  // Another digit in `format` is an archive of a newer format.
  if (!report) {
    REQUIRE(report.error().code == ErrorCode::unsupported);
  } else {
    INFO(text_of(*report));
    REQUIRE(!report->clean());
  }
  (void)archive.count_unread();  // fails where something wrong is read
}

void flip_every_byte(const SmallPackArchive& archive, const std::vector<char>& masks) {
  for (const std::string& name : archive.files()) {
    const std::string bytes = archive.read(name);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const char mask : masks) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ (mask == 0 ? 1 << at % 8 : mask));
        archive.write(name, changed);
        require_found(archive, name + ", byte " + std::to_string(at));
      }
    }
    archive.write(name, bytes);
  }
  CHECK(must(archive.check()).findings.empty());
  CHECK(archive.count_unread() == 0);
}

TEST_CASE("the small packed archive has something of everything and is clean") {
  const SmallPackArchive archive;
  const FsckReport report = must(archive.check());
  INFO(text_of(report));
  CHECK(report.findings.empty());
  CHECK(report.versions == 8);
  CHECK(archive.count_unread() == 0);
  std::set<FrameType> types;
  std::size_t bytes = 0;
  std::uint32_t lists = 0;
  for (const std::string& name : archive.files()) {
    if (!name.ends_with(kPackSuffix)) continue;
    const auto pack =
        must(Pack::open(posix_files(), archive.path() + "/" + name, std::make_shared<FrameCache>(1 << 20)));
    for (const FrameEntry& frame : pack->directory().frames) types.insert(frame.type);
    lists += pack->directory().lists;
    bytes += pack->file_size();
  }
  CHECK(types.size() == 7);
  CHECK(lists > 0);
  CHECK(bytes < 6000);
}

TEST_CASE("every flipped byte of a pack, of current and of format is found and never read as something else") {
  flip_every_byte(SmallPackArchive(), {0});
}

TEST_CASE("every flipped bit of a pack, of current and of format is found", "[.slow]") {
  flip_every_byte(SmallPackArchive(), {1, 2, 4, 8, 16, 32, 64, '\x80', '\xff'});
}

TEST_CASE("a pack, current or format cut at any length, or made longer, is found") {
  const SmallPackArchive archive;
  for (const std::string& name : archive.files()) {
    const std::string bytes = archive.read(name);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      archive.write(name, bytes.substr(0, size));
      require_found(archive, name + " cut to " + std::to_string(size));
    }
    for (const char more : {'\0', 'x'}) {
      archive.write(name, bytes + more);
      require_found(archive, name + " made longer");
    }
    archive.write(name, bytes);
  }
  CHECK(archive.count_unread() == 0);
}

// Of a pack, the quick check finds as much: only what a faulty program wrote needs the full one.
TEST_CASE("a flipped byte of a pack is found without decompressing anything") {
  const SmallPackArchive archive;
  const std::string& name = archive.files().front();
  const std::string bytes = archive.read(name);
  for (std::size_t at = 0; at < bytes.size(); at += 7) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x20);
    archive.write(name, changed);
    INFO("byte " << at);
    REQUIRE(!must(archive.check(false)).clean());
  }
}

}  // namespace
}  // namespace blockarch
