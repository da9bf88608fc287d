#include "tests/fsck/archive_copy.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/hash.h"
#include "engine/pack_archive.h"
#include "pack/object_store.h"
#include "refs/pack_table.h"
#include "tests/support/sample_pages.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

namespace fs = std::filesystem;

// Small, and with something of everything: differences, lists, a value in overflow pages, metadata, free pages, equal
// captures, a page at two URLs, a tag, a setting.
void fill(TestArchive& archive) {
  CaptureRequest request;
  request.url = kCopyUrl;
  request.content_type = "text/html";
  for (int i = 0; i < 6; ++i) {
    const std::string page = sample_page(12, i % 5, "edit " + std::to_string(i % 5));
    request.payload = page;
    request.time = copy_time(i);
    request.metadata = {{"status", std::to_string(200 + i / 3)}};
    archive.add(request);
  }
  std::string binary;
  for (unsigned i = 0; i < 6000; ++i) binary.push_back(static_cast<char>(blake3(std::to_string(i)).bytes[0]));
  archive.add(kOtherUrl, binary, copy_time(1), "application/octet-stream");
  archive.add(kOtherUrl, sample_page(12, 1, "edit 1"), copy_time(2));
  archive.add(kOtherUrl, "", copy_time(3), "text/plain");
  Writer writer = must(archive.archive().writer());
  must(writer.put_tag({kCopyTag, copy_time(2), copy_time(9), "a message"}, false));
  must(writer.put_setting({"feature/what", "a value"}));
}

void pack(TestArchive& archive) {
  PackOptions options;
  options.threads = 1;
  must(pack_archive(archive.archive(), options));
}

void fill_packed(TestArchive& archive) {
  fill(archive);
  pack(archive);
  for (int i = 6; i < 9; ++i) archive.add(kCopyUrl, sample_page(12, i, "edit " + std::to_string(i)), copy_time(i));
  pack(archive);
  archive.add(kCopyUrl, sample_page(12, 9, "edit 9"), copy_time(9));
}

// The files of an archive that nobody has open.
std::string make_model(const std::string& target, void (*fill_it)(TestArchive&)) {
  TestArchive archive;
  fill_it(archive);
  fs::copy(archive.path(), target, fs::copy_options::recursive);
  fs::remove(target + "/hot.mdb-lock");
  return target;
}

const std::string& model() {
  static const TemporaryDirectory directory;
  static const std::string path = make_model(directory.file("archive"), fill);
  return path;
}

const std::string& packed_model() {
  static const TemporaryDirectory directory;
  static const std::string path = make_model(directory.file("archive"), fill_packed);
  return path;
}

}  // namespace

Time copy_time(int capture) {
  return Time::from_seconds(1'700'000'000 + 3600 * capture);
}

ArchiveCopy::ArchiveCopy(bool packed) : path_(directory_.file("archive")) {
  fs::copy(packed ? packed_model() : model(), path_, fs::copy_options::recursive);
}

void ArchiveCopy::become_packed() const {
  fs::remove_all(path_);
  fs::copy(packed_model(), path_, fs::copy_options::recursive);
}

std::vector<std::string> ArchiveCopy::packs() const {
  LmdbOptions options;
  options.read_only = true;
  options.tables = table_names();
  options.later_tables = later_table_names();
  const Lmdb lmdb = must(Lmdb::open(hot(), options));
  const ReadTransaction transaction = must(lmdb.read());
  std::vector<std::string> names;
  for (const Hash256& name : must(all_packs(transaction, find_tables(lmdb)))) names.push_back(pack_file_name(name));
  return names;
}

void ArchiveCopy::change(const std::function<void(WriteTransaction&, const Tables&)>& change) const {
  LmdbOptions options;
  options.tables = table_names();
  options.later_tables = later_table_names();
  Lmdb lmdb = must(Lmdb::open(hot(), options));
  const Tables tables = find_tables(lmdb);
  must(lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
    change(transaction, tables);
    return {};
  }));
}

std::string ArchiveCopy::read(const std::string& name) const {
  std::ifstream file(path_ + "/" + name, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void ArchiveCopy::write(const std::string& name, const std::string& bytes) const {
  std::ofstream file(path_ + "/" + name, std::ios::binary | std::ios::trunc);
  file << bytes;
}

FsckReport ArchiveCopy::check(bool full) const {
  FsckOptions options;
  options.full = full;
  return must(check_archive(path_, options));
}

std::set<std::string> ids_of(const FsckReport& report) {
  std::set<std::string> ids;
  for (const Finding& finding : report.findings) ids.insert(finding.id);
  return ids;
}

std::string text_of(const FsckReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) text += finding.id + ": " + finding.message + "\n";
  return text;
}

std::string content_digest(const std::string& hot_file) {
  LmdbOptions options;
  options.read_only = true;
  options.tables = table_names();
  options.later_tables = later_table_names();
  const Lmdb lmdb = must(Lmdb::open(hot_file, options));
  const ReadTransaction transaction = must(lmdb.read());
  const Tables tables = find_tables(lmdb);
  const auto cache = std::make_shared<FrameCache>(1 << 20);
  PackList packs;
  for (const Hash256& name : must(all_packs(transaction, tables))) {
    const std::string path = fs::path(hot_file).parent_path().string() + "/" + pack_file_name(name);
    packs.push_back(must(Pack::open(posix_files(), path, cache)));
  }
  const ObjectStore store(transaction, tables.objects, packs);
  std::vector<std::string> names = options.tables;
  names.insert(names.end(), options.later_tables.begin(), options.later_tables.end());
  Hasher hasher;
  for (const std::string& name : names) {
    hasher.update(name);
    const auto table = lmdb.find_table(name);
    if (!table) continue;
    Cursor cursor = must(transaction.cursor(*table));
    for (auto at = must(cursor.first()); at; at = must(cursor.next())) {
      hasher.update(at->key);
      if (table->handle == tables.objects.handle) {
        hasher.update(must(store.find(Hash256::from_bytes(at->key))).value().content);
      } else {
        hasher.update(at->value);
      }
    }
  }
  return hasher.finish().hex();
}

}  // namespace blockarch
