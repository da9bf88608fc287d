// Every byte of a small hot.mdb changed in turn. A change is found by the check, or it is harmless: everything in the
// archive still reads as before, and the byte is one of those that the page check knows to be without a say.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <fstream>
#include <map>
#include <sstream>

#include "fsck/lmdb_format.h"
#include "fsck/lmdb_pages.h"
#include "refs/archive_format.h"
#include "tests/fsck/archive_copy.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

enum class Use { none, bounded, exact };

// How each byte of the file is used.
std::vector<Use> byte_uses(const std::string& hot_file, std::size_t size) {
  std::vector<UsedBytes> ranges;
  PageCheckOptions options;
  options.used_bytes = &ranges;
  REQUIRE(must(check_lmdb_pages(hot_file, options)).problems.empty());
  std::vector<Use> uses(size, Use::none);
  for (const UsedBytes& range : ranges) {
    REQUIRE(range.end <= size);
    std::fill(uses.begin() + static_cast<std::ptrdiff_t>(range.begin),
              uses.begin() + static_cast<std::ptrdiff_t>(range.end),
              range.use == ByteUse::exact ? Use::exact : Use::bounded);
  }
  return uses;
}

class FlipLoop {
 public:
  explicit FlipLoop(bool packed = false)
      : copy_(packed), bytes_(copy_.read(kHotFile)), uses_(byte_uses(copy_.hot(), bytes_.size())) {
    digest_ = content_digest(copy_.hot());
    file_.open(copy_.hot(), std::ios::binary | std::ios::in | std::ios::out);
  }

  std::size_t size() const { return bytes_.size(); }
  Use use(std::size_t at) const { return uses_[at]; }

  void flip(std::size_t at, char mask) {
    put(at, static_cast<char>(bytes_[at] ^ mask));
    judge(at, mask);
    put(at, bytes_[at]);
  }

  std::string counts() const {
    std::ostringstream text;
    text << bytes_.size() << " bytes";
    for (const auto& [what, count] : counts_) text << "; " << what << ": " << count;
    return text.str();
  }
  std::size_t count(const std::string& what) const {
    const auto place = counts_.find(what);
    return place == counts_.end() ? 0 : place->second;
  }

  // The file as it was at first.
  void finish() { CHECK(copy_.check().findings.empty()); }

 private:
  void put(std::size_t at, char byte) {
    file_.seekp(static_cast<std::streamoff>(at));
    file_.put(byte);
    file_.flush();
  }

  void judge(std::size_t at, char mask) {
    const FsckReport report = copy_.check();
    if (!report.clean()) {
      ++counts_[uses_[at] == Use::none ? "found although unused" : "found"];
      return;
    }
    INFO("byte " << at << " (page " << at / 4096 << ", offset " << at % 4096 << ") changed by "
                 << static_cast<int>(static_cast<unsigned char>(mask)) << "\n"
                 << text_of(report));
    REQUIRE(content_digest(copy_.hot()) == digest_);
    if (!report.findings.empty()) {
      ++counts_["found and harmless"];
    } else if (uses_[at] == Use::none) {
      ++counts_["harmless: unused"];
    } else if (uses_[at] == Use::bounded) {
      ++counts_["harmless: within bounds"];
    } else {
      // Compression leaves a few bits free: the object comes out the same, with the right hash.
      REQUIRE(is_in_object(at));
      ++counts_["harmless: object unchanged"];
    }
  }

  // Whether the byte is part of the stored value of an object.
  bool is_in_object(std::size_t at) {
    LmdbOptions options;
    options.read_only = true;
    options.tables = table_names();
    const Lmdb lmdb = must(Lmdb::open(copy_.hot(), options));
    const ReadTransaction transaction = must(lmdb.read());
    Cursor cursor = must(transaction.cursor(find_tables(lmdb).objects));
    for (auto entry = must(cursor.first()); entry; entry = must(cursor.next())) {
      const std::size_t begin = place_of(entry->value);
      if (at >= begin && at < begin + entry->value.size()) return true;
    }
    return false;
  }

  // Where a value stands in the file; values of a few dozen bytes and more stand there once.
  std::size_t place_of(ByteView value) const {
    std::string now = copy_.read(kHotFile);
    for (std::size_t at = now.find(value); at != std::string::npos; at = now.find(value, at + 1)) {
      if (uses_[at] == Use::exact) return at;
    }
    return now.size();
  }

  const ArchiveCopy copy_;
  const std::string bytes_;
  const std::vector<Use> uses_;
  std::string digest_;
  std::fstream file_;
  std::map<std::string, std::size_t> counts_;
};

TEST_CASE("a flipped byte of hot.mdb is found or harmless") {
  FlipLoop loop;
  // All bits of what matters in the meta pages, every byte of page headers, and a sample of the rest.
  for (const std::size_t meta : {std::size_t{0}, std::size_t{4096}}) {
    for (std::size_t at = meta; at < meta + lmdb_format::meta_at::kEnd; ++at) {
      for (int bit = 0; bit < 8; ++bit) loop.flip(at, static_cast<char>(1 << bit));
    }
  }
  std::size_t turn = 0;
  for (std::size_t at = 0; at < loop.size(); ++at) {
    const bool header = at % 4096 < lmdb_format::kPageHeader;
    const std::size_t step = loop.use(at) == Use::none ? 512 : header ? 1 : 37;
    if (++turn % step == 0) loop.flip(at, '\xff');
  }
  loop.finish();
  CHECK(loop.count("found") > 1000);
  CHECK(loop.count("harmless: unused") > 10);
  CHECK(loop.count("found although unused") == 0);
  SUCCEED(loop.counts());
}

TEST_CASE("a flipped byte of hot.mdb beside packs is found or harmless") {
  FlipLoop loop(true);
  std::size_t turn = 0;
  for (std::size_t at = 0; at < loop.size(); ++at) {
    if (loop.use(at) != Use::none && ++turn % 29 == 0) loop.flip(at, '\xff');
  }
  loop.finish();
  CHECK(loop.count("found") > 100);
  SUCCEED(loop.counts());
}

TEST_CASE("every flipped byte of hot.mdb is found or harmless", "[.slow]") {
  FlipLoop loop(GENERATE(false, true));
  for (std::size_t at = 0; at < loop.size(); ++at) {
    for (const char mask : {'\xff', '\x01', '\x80'}) loop.flip(at, mask);
  }
  loop.finish();
  CHECK(loop.count("found although unused") == 0);
  WARN(loop.counts());
}

TEST_CASE("hot.mdb cut short anywhere is found or harmless") {
  const ArchiveCopy copy;
  const std::string bytes = copy.read(kHotFile);
  const std::string digest = content_digest(copy.hot());
  std::size_t found = 0;
  for (std::size_t size = 0; size < bytes.size(); size += 1365) {
    copy.write(kHotFile, bytes.substr(0, size));
    const FsckReport report = copy.check();
    INFO("cut to " << size << " of " << bytes.size() << " bytes\n" << text_of(report));
    if (report.clean()) {
      REQUIRE(content_digest(copy.hot()) == digest);
    } else {
      REQUIRE(ids_of(report) == std::set<std::string>{"hot-page-damaged"});
      ++found;
    }
  }
  CHECK(found > bytes.size() / 1365 / 2);
}

TEST_CASE("a flipped byte of the format file is found") {
  const ArchiveCopy copy;
  const std::string bytes = copy.read(kFormatFile);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      copy.write(kFormatFile, changed);
      const auto report = check_archive(copy.path());
      INFO("byte " << at << " bit " << bit);
      // Another digit in the place of the version is an archive of a newer format.
      if (report) {
        CHECK(ids_of(*report).contains("format-damaged"));
      } else {
        CHECK(report.error().code == ErrorCode::unsupported);
      }
    }
  }
}

}  // namespace
}  // namespace blockarch
