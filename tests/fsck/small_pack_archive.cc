#include "tests/fsck/small_pack_archive.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/pack_archive.h"
#include "refs/hot_file.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

namespace fs = std::filesystem;

std::string small_page(int edit) {
  std::string page = "<html><head><title>A page</title></head><body>";
  for (int i = 0; i < 4; ++i) {
    page += "<p>Paragraph " + std::to_string(i) + " says what it says" +
            (i == edit % 4 ? " since edit " + std::to_string(edit) : "") + ".</p>";
  }
  return page + "</body></html>";
}

// Long enough to be cut into chunks, and short when it is compressed.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 9000; ++i) text += "line " + std::to_string(i % 7) + "\n";
  return text;
}

void pack(TestArchive& archive, bool all) {
  PackOptions options;
  options.threads = 1;
  options.all = all;
  must(pack_archive(archive.archive(), options));
}

}  // namespace

void SmallPackArchive::add(TestArchive& archive, const std::string& url, int time, const std::string& page,
                           const std::string& type) {
  CaptureRequest request;
  request.url = url;
  request.content_type = type;
  request.payload = page;
  request.time = Time::from_seconds(1'700'000'000 + 3600 * time);
  const std::string status = std::to_string(200 + time);
  request.metadata = {{"status", status}};
  archive.add(request);
  expected_.push_back({url, request.time, page, status});
}

SmallPackArchive::SmallPackArchive() : path_(directory_.file("archive")) {
  TestArchive archive;
  const std::string html = "text/html";
  for (int i = 0; i < 3; ++i) add(archive, "https://example.com/a", i, small_page(i), html);
  add(archive, "https://example.com/b", 3, long_text(), "text/plain");
  pack(archive, true);
  for (int i = 4; i < 6; ++i) add(archive, "https://example.com/a", i, small_page(i), html);
  add(archive, "https://example.com/c", 6, long_text(), "text/css");
  pack(archive, false);
  add(archive, "https://example.com/a", 7, small_page(7), html);
  fs::copy(archive.path(), path_, fs::copy_options::recursive);
  for (const auto& entry : fs::directory_iterator(path_ + "/packs")) {
    files_.push_back("packs/" + entry.path().filename().string());
  }
  REQUIRE(files_.size() == 2);
  files_.push_back(kCurrentFile);
  files_.push_back("format");
  fs::remove(hot() + "-lock");
}

std::string SmallPackArchive::hot() const {
  return path_ + "/" + hot_file_name(2);
}

std::string SmallPackArchive::read(const std::string& name) const {
  std::ifstream file(path_ + "/" + name, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void SmallPackArchive::write(const std::string& name, const std::string& bytes) const {
  std::ofstream file(path_ + "/" + name, std::ios::binary | std::ios::trunc);
  file << bytes;
}

Result<FsckReport> SmallPackArchive::check(bool full) const {
  FsckOptions options;
  options.full = full;
  options.threads = 1;
  return check_archive(path_, options);
}

std::size_t SmallPackArchive::count_unread() const {
  const auto archive = Archive::open(path_);
  if (!archive) return expected_.size();
  const auto snapshot = archive->snapshot();
  if (!snapshot) return expected_.size();
  std::size_t unread = 0;
  for (const Expected& expected : expected_) {
    const auto url = snapshot->find_url(expected.url);
    const auto capture = url ? snapshot->capture_at(*url, expected.time) : Result<CaptureInfo>(url.error());
    const auto page = capture ? snapshot->page(*capture) : Result<Page>(capture.error());
    if (capture)
      REQUIRE(capture->metadata.entries == std::vector{std::pair<std::string, std::string>{"status", expected.status}});
    if (page) REQUIRE(page->bytes == expected.page);
    if (!page) ++unread;
    if (!capture) continue;
    // The second time without comparing its hash.
    for (int i = 0; i < 2; ++i) {
      const auto bytes = snapshot->page_bytes(capture->version);
      REQUIRE(bytes.has_value() == page.has_value());
      if (bytes) REQUIRE(*bytes == expected.page);
    }
  }
  return unread;
}

}  // namespace blockarch
