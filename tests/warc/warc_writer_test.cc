#include "warc/warc_writer.h"

#include "warc/cdxj.h"
#include "warc/digest.h"
#include "warc_files.h"

using namespace blockarch;

namespace {

struct Written {
  Bytes file;
  std::vector<WarcWriter::Place> places;
  std::string error;
};

WarcFields fields() {
  WarcFields fields;
  fields.type = RecordType::response;
  fields.target_uri = "http://a.example/";
  fields.date = Time::from_seconds(1'714'566'600);
  fields.record_id = record_id_for("one");
  fields.content_type = "application/http; msgtype=response";
  return fields;
}

Written write_all(const std::vector<WarcFields>& records, WarcCompression compression) {
  Written written;
  WarcWriter writer(
      [&written](ByteView bytes) {
        written.file += bytes;
        return Result<void>();
      },
      compression);
  for (const WarcFields& record : records) {
    const auto place = writer.write(record, "HTTP/1.1 200 OK\r\n\r\n", "body");
    if (place) {
      written.places.push_back(*place);
    } else {
      written.error = place.error().message;
    }
  }
  CHECK(writer.size() == written.file.size());
  return written;
}

}  // namespace

TEST_CASE("what is written is read again, the same bytes every time") {
  WarcFields revisit = fields();
  revisit.type = RecordType::revisit;
  revisit.refers_to = record_id_for("one");
  revisit.refers_to_uri = "http://a.example/";
  revisit.refers_to_date = revisit.date;
  revisit.profile = kRevisitIdentical;
  for (const auto compression : {WarcCompression::none, WarcCompression::gzip}) {
    const Written written = write_all({fields(), revisit}, compression);
    CHECK(write_all({fields(), revisit}, compression).file == written.file);
    const ReadFile file = read_archive(written.file);
    CHECK(file.problems.empty());
    REQUIRE(file.records.size() == 2);
    const ArchiveRecord& first = file.records[0];
    CHECK(first.version == "WARC/1.1");
    CHECK(first.target_uri == "http://a.example/");
    CHECK(first.record_id == record_id_for("one"));
    CHECK(first.body.view() == "HTTP/1.1 200 OK\r\n\r\nbody");
    CHECK(check_digests(first, nullptr, {}).empty());
    CHECK(first.block_digest == written.places[0].block_digest);
    CHECK(file.records[1].refers_to == record_id_for("one"));
    CHECK(file.records[1].profile == kRevisitIdentical);
    CHECK(file.records[1].offset == written.places[1].offset);
    CHECK(file.records[1].stored_size == written.places[1].length);
  }
}

TEST_CASE("a record that would break the file is refused and nothing of it is written") {
  WarcFields broken = fields();
  broken.target_uri = "http://a.example/\r\nWARC-Type: other";
  CHECK_FALSE(write_all({broken}, WarcCompression::none).error.empty());
  CHECK(write_all({broken}, WarcCompression::none).file.empty());
  broken = fields();
  broken.record_id.clear();
  CHECK_FALSE(write_all({broken}, WarcCompression::none).error.empty());
  broken = fields();
  broken.target_uri.clear();
  CHECK_FALSE(write_all({broken}, WarcCompression::none).error.empty());
  broken = fields();
  broken.more = {{"Bad name", "x"}};
  CHECK_FALSE(write_all({broken}, WarcCompression::none).error.empty());
}

TEST_CASE("record ids made of names are UUIDs and differ") {
  const std::string id = record_id_for("one");
  CHECK(id.size() == 45);
  CHECK(id.starts_with("urn:uuid:"));
  CHECK(id[23] == '8');  // the version
  CHECK(id != record_id_for("two"));
}

TEST_CASE("CDXJ keys sort a site together and lines hold the fields") {
  const auto key = [](std::string_view url) { return surt_key(*parse_url(url)); };
  CHECK(key("https://www.Example.com/") == "com,example)/");
  CHECK(key("http://www2.example.com:8080/A/?b=2&a=1") == "com,example:8080)/a?a=1&b=2");
  CHECK(key("http://user:1@127.0.0.1/") == "127.0.0.1)/");
  CHECK(key("http://[::1]:81/") == "[::1]:81)/");
  CHECK(key("http://www.com/") == "com)/");
  CHECK(format_cdxj(*parse_url("http://a.example/"), Time::from_seconds(1'714'566'600),
                    {{"mime", "text/html"}, {"bad", "\xFF\""}}) ==
        "example,a)/ 20240501123000 "
        "{\"url\":\"http://a.example/\",\"mime\":\"text/html\",\"bad\":\"\xEF\xBF\xBD\\\"\"}\n");
}
