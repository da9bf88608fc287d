#include "warc_files.h"

using namespace blockarch;

namespace {

Bytes arc_record(std::string_view line, ByteView block) {
  return fmt::format("{} {}\n{}\n", line, block.size(), block);
}

const Bytes kStart = arc_record("filedesc://test.arc 0.0.0.0 20240501123000 text/plain",
                                "1 1 Test\nURL IP-address Archive-date Content-type Archive-length\n");
const Bytes kPage = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Hello";

}  // namespace

TEST_CASE("an ARC file gives its records, responses told from others") {
  const Bytes bytes = kStart + arc_record("http://a.example/a b 1.2.3.4 20240501123001 text/html", kPage) +
                      arc_record("dns:a.example 1.2.3.4 20240501123002 text/dns", "a.example. 1.2.3.4");
  for (const Bytes& stored : {bytes, gzip_member(bytes)}) {
    const ReadFile file = read_archive(stored);
    CHECK(file.problems.empty());
    REQUIRE(file.records.size() == 3);
    CHECK(file.records[0].type == RecordType::warcinfo);
    const ArchiveRecord& page = file.records[1];
    CHECK(page.type == RecordType::response);
    CHECK(page.version == "ARC/1.1");
    CHECK(page.target_uri == "http://a.example/a b");
    CHECK(page.ip_address == "1.2.3.4");
    CHECK(format_timestamp14(*page.date) == "20240501123001");
    CHECK(page.content_type == "text/html");
    CHECK(page.body.view() == kPage);
    CHECK(page.is_http());
    CHECK(file.records[2].type == RecordType::resource);
  }
}

TEST_CASE("the ten columns of the second version are read") {
  const Bytes bytes =
      arc_record("filedesc://test.arc 0.0.0.0 20240501123000 text/plain 200 - - 0 test.arc",
                 "2 0 Test\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename "
                 "Archive-length\n") +
      arc_record("http://a.example/ 1.2.3.4 20240501123001 text/html 200 fac069150613fe55 - 209 test.arc", kPage);
  const ReadFile file = read_archive(bytes);
  CHECK(file.problems.empty());
  REQUIRE(file.records.size() == 2);
  CHECK(file.records[1].version == "ARC/2.0");
  CHECK(file.records[1].target_uri == "http://a.example/");
  CHECK(*file.records[1].header("Result-code") == "200");
}

TEST_CASE("damage in an ARC file costs the record it is in") {
  const Bytes good = arc_record("http://b.example/ 1.2.3.4 20240501123001 text/html", kPage);
  for (const char* bad : {"http://a.example/ 1.2.3.4 20240501123001 text/html -1\nabc\n",
                          "http://a.example/ 1.2.3.4 20240501123001 text/html 20\nabc\n", "garbage\n",
                          "http://a.example/ 1.2.3.4 20240501123001 text/html 99999999999999\nabc\n"}) {
    INFO(bad);
    for (const ReadFile& file : {read_archive(kStart + bad + good), read_piped(kStart + bad + good)}) {
      CHECK(file.uris().back() == "http://b.example/");
      CHECK_FALSE(file.problems.empty());
    }
  }
  const ReadFile undated =
      read_archive(kStart + arc_record("http://a.example/ 1.2.3.4 99999999999999 text/html", kPage));
  REQUIRE(undated.records.size() == 2);
  CHECK_FALSE(undated.records[1].date.has_value());
  CHECK(undated.has(ProblemKind::bad_date));
}

TEST_CASE("a line without an end is not looked at again") {
  const ReadFile file = read_archive(Bytes("filedesc://test.arc 0.0.0.0 20240501123000 text/plain 3"));
  CHECK(file.records.empty());
  REQUIRE(file.problems.size() == 1);
  CHECK(file.problems[0].kind == ProblemKind::truncated);
}
