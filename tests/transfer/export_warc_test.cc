#include "transfer/export_warc.h"

#include <catch2/catch_test_macros.hpp>
#include <map>

#include "tests/support/sample_pages.h"
#include "tests/support/test_archive.h"
#include "transfer/stored_head.h"
#include "transfer/user_metadata.h"
#include "warc/digest.h"
#include "warc/http.h"
#include "warc/reader.h"

namespace blockarch {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

Time day(int n) {
  return Time{(1'700'000'000 + n * 86'400) * std::int64_t{1'000'000}};
}

struct Exported {
  Bytes bytes;
  std::vector<ArchiveRecord> records;
  ExportReport report;
  std::vector<std::string> lines;
};

// Exports and reads the file back; every record must be right.
Exported exported(TestArchive& archive, WarcExportOptions options = {}) {
  Exported out;
  options.software = "blockarch test";
  options.on_line = [&](std::string line) -> Result<void> {
    out.lines.push_back(std::move(line));
    return {};
  };
  out.report = must(export_warc(archive.snapshot(), options, [&](ByteView bytes) -> Result<void> {
    out.bytes.append(bytes);
    return {};
  }));
  ReaderOptions reading;
  reading.on_problem = [](const Problem& problem) { FAIL(problem.message); };
  RecordReader reader = must(RecordReader::open(memory_input(out.bytes, "export"), reading));
  while (auto record = must(reader.next())) {
    const bool http = record->is_http();
    HttpMessage message;
    TransferDecoded transfer;
    if (http) {
      message = must(parse_http(record->body.view()));
      CHECK(message.defects.empty());
      transfer = decode_transfer(message);
      CHECK(transfer.defect.empty());
    }
    const auto wrong =
        check_digests(*record, http ? &message : nullptr, http ? transfer.view(message) : record->body.view());
    CHECK(wrong == std::vector<std::string>());
    out.records.push_back(std::move(*record));
  }
  return out;
}

std::string head(const std::string& fields, int status = 200) {
  return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Type: text/html; charset=utf-8\r\n" + fields;
}

CaptureRequest capture(const std::string& url, ByteView payload, Time time, Fields metadata) {
  CaptureRequest request;
  request.url = url;
  request.payload = payload;
  request.time = time;
  request.content_type = "text/html; charset=utf-8";
  request.metadata = std::move(metadata);
  return request;
}

}  // namespace

TEST_CASE("a capture without an HTTP head is a resource record with its type and exact bytes") {
  TestArchive archive;
  archive.add("https://example.com/ü?a=1", "<p>ü</p>", Time{day(0).micros + 123'456});
  const Exported out = exported(archive);
  REQUIRE(out.records.size() == 2);
  CHECK(out.records[0].type == RecordType::warcinfo);
  CHECK(out.records[0].body.view().find("software: blockarch test\r\n") != ByteView::npos);
  const ArchiveRecord& record = out.records[1];
  CHECK(record.type == RecordType::resource);
  CHECK(record.version == "WARC/1.1");
  CHECK(record.target_uri == "https://example.com/ü?a=1");
  CHECK(record.date == Time{day(0).micros + 123'456});
  CHECK(record.content_type == "text/html");
  CHECK(record.body.view() == "<p>ü</p>");
  archive.require_clean();
}

TEST_CASE("the type of a resource names the charset where the bytes alone would give another") {
  TestArchive archive;
  archive.add("https://example.com/", "<p>caf\xe9 1</p>", day(0), "text/html; charset=iso-8859-15");
  archive.add("https://example.com/dns", "x", day(0), "text/dns");
  const Exported out = exported(archive);
  CHECK(out.records.at(1).content_type == "text/html; charset=iso-8859-15");
}

TEST_CASE("a response comes out with its head, encoded as it says, and reads back the same") {
  const Bytes page = sample_page(20);
  const std::vector<std::string> heads = {
      head("Content-Length: =\r\n"),
      head("Content-Encoding: gzip\r\nContent-Length: =\r\n"),
      head("Content-Encoding: deflate\r\nTransfer-Encoding: chunked\r\n"),
      head("content-encoding: br\r\ncontent-length: =\r\n"),
      head("Content-Encoding: zstd\r\n"),
      head("Content-Encoding: gzip, br\r\nContent-Length:=\r\n"),
      head("Transfer-Encoding: Chunked\r\nX-Same: 1\r\nX-Same: 2\r\n"),
      head("Content-Encoding: x-unknown\r\nContent-Length: =\r\n"),
      head("Content-Length: 17\r\n"),
      "HTTP/1.0 200\nContent-Type: text/html; charset=utf-8\nContent-Length: =\n",
  };
  TestArchive archive;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    archive.add(capture("https://example.com/" + std::to_string(i), page, day(0), {{kHttpHead, heads[i]}}));
    archive.add(capture("https://example.com/empty" + std::to_string(i), "", day(0), {{kHttpHead, heads[i]}}));
  }
  const Exported out = exported(archive);
  CHECK(out.records.size() == 1 + heads.size() * 2);
  for (const ArchiveRecord& record : out.records) {
    if (record.type == RecordType::warcinfo) continue;
    CHECK(record.type == RecordType::response);
    const HttpMessage message = must(parse_http(record.body.view()));
    const TransferDecoded transfer = decode_transfer(message);
    const bool is_empty = record.target_uri.find("empty") != std::string::npos;
    const std::size_t number = static_cast<std::size_t>(record.target_uri.back() - '0');
    CHECK(stored_head(message, transfer.view(message).size()) == heads.at(number));
    const auto decoded = decode_content(transfer.view(message), content_codings(message));
    const bool encoded = number != 7 && !is_empty;
    CHECK((encoded ? must(decoded) : Bytes(transfer.view(message))) == (is_empty ? Bytes() : page));
  }
}

TEST_CASE("metadata leaves as fields of the record and comes back whatever its bytes") {
  TestArchive archive;
  const Fields metadata = {{"warc-ip-address", "192.0.2.1"},
                           {"warc-identified-payload-type", "text/html"},
                           {"warc-odd", "a\nb"},
                           {"warc-empty", ""},
                           {"warc-filename", "IA-001102.arc"},
                           {"title", "a = b % \xff\n\0"},
                           {"kéy=\r\n", "x"},
                           {"content-type", "text/html; charset=\"utf-8\""}};
  archive.add(capture("https://example.com/", "<p>x</p>", day(0), metadata));
  const Exported out = exported(archive);
  const ArchiveRecord& record = out.records.at(1);
  CHECK(record.ip_address == "192.0.2.1");
  CHECK(record.content_type == "text/html; charset=\"utf-8\"");
  CHECK(record.header("WARC-Identified-Payload-Type") != nullptr);
  std::map<std::string, std::string> users;
  for (const auto& [name, value] : record.headers) {
    if (auto pair = user_metadata_from_field(name, value)) users.insert(std::move(*pair));
  }
  CHECK(users == std::map<std::string, std::string>{{"warc-odd", "a\nb"},
                                                    {"warc-empty", ""},
                                                    {"warc-filename", "IA-001102.arc"},
                                                    {metadata[5].first, metadata[5].second},
                                                    {"kéy=\r\n", "x"}});
}

TEST_CASE("a response of another protocol than HTTP is one, with its type") {
  TestArchive archive;
  CaptureRequest request = capture("dns:www.example.com", "20240101\nwww.example.com. 1 IN A 192.0.2.1\n", day(0),
                                   {{"warc-type", "response"}});
  request.content_type = "text/dns";
  archive.add(request);
  const Exported out = exported(archive);
  CHECK(out.records.at(1).type == RecordType::response);
  CHECK(out.records.at(1).content_type == "text/dns");
  CHECK(out.records.at(1).body.view() == request.payload);
}

TEST_CASE("exports are the same to the byte each time, in the order of URLs and times") {
  TestArchive archive;
  for (int i = 5; i >= 0; --i) {
    archive.add("https://b.example/", sample_page(5, i, "x"), day(i));
    archive.add("https://a.example/", sample_page(5, i, "x"), day(i));
  }
  const Exported one = exported(archive);
  CHECK(one.bytes == exported(archive).bytes);
  CHECK(one.report.captures == 12);
  CHECK(one.report.urls == 2);
  for (std::size_t i = 2; i < one.records.size(); ++i) {
    const auto key = [](const ArchiveRecord& r) { return std::pair(r.target_uri, r.date); };
    CHECK(key(one.records[i - 1]) < key(one.records[i]));
  }
}

TEST_CASE("repeated pages are written in full, or with revisits as what they repeat") {
  TestArchive archive;
  const Bytes page = sample_page(5);
  const std::string plain = head("Content-Length: =\r\n");
  for (int i = 0; i < 3; ++i) archive.add(capture("https://a.example/", page, day(i), {{kHttpHead, plain}}));
  archive.add(capture("https://b.example/", page, day(5), {{kHttpHead, plain}}));
  archive.add(capture("https://c.example/", page, day(5), {{kHttpHead, head("Content-Encoding: gzip\r\n")}}));

  const Exported full = exported(archive);
  CHECK(full.report.revisits == 0);
  for (std::size_t i = 1; i < full.records.size(); ++i) CHECK(full.records[i].type == RecordType::response);

  WarcExportOptions options;
  options.revisits = true;
  const Exported out = exported(archive, options);
  CHECK(out.report.revisits == 3);
  CHECK(out.bytes.size() < full.bytes.size());
  REQUIRE(out.records.size() == 6);
  const ArchiveRecord& revisit = out.records[4];
  CHECK(revisit.type == RecordType::revisit);
  CHECK(revisit.profile == kRevisitIdentical);
  CHECK(revisit.refers_to == out.records[1].record_id);
  CHECK(revisit.refers_to_uri == "https://a.example/");
  CHECK(revisit.refers_to_date == format_rfc3339(day(0)));
  CHECK(revisit.payload_digest == out.records[1].payload_digest);
  const std::string length = "Content-Length: " + std::to_string(page.size()) + "\r\n\r\n";
  CHECK(revisit.body.view().ends_with(length));
  // Its bytes on the wire are others, so it cannot be one.
  CHECK(out.records[5].type == RecordType::response);
}

TEST_CASE("the same bytes as two versions are never revisits, since a digest does not tell which") {
  TestArchive archive;
  archive.add("https://a.example/", "a b", day(0), "text/plain");
  archive.add("https://a.example/", "a b", day(1), "text/csv");
  archive.add("https://a.example/", "a b", day(2), "text/plain");
  WarcExportOptions options;
  options.revisits = true;
  const Exported out = exported(archive, options);
  CHECK(out.report.revisits == 0);
  CHECK(out.records.at(3).content_type == "text/plain");
}

TEST_CASE("a capture that was not modified is a revisit of its original, or has its head where that is left out") {
  TestArchive archive;
  const Bytes page = sample_page(5);
  const std::string plain = head("Content-Length: =\r\nX-Original: 1\r\n");
  const Fields unchanged = {{kHttpHead, head("", 304)}, {"warc-profile", std::string(kRevisitNotModified)}};
  archive.add(capture("https://a.example/", page, day(0), {{kHttpHead, plain}}));
  archive.add(capture("https://a.example/", page, day(1), unchanged));
  archive.add(capture("https://a.example/", page, day(2), unchanged));
  archive.add(capture("https://b.example/", page, day(2), unchanged));

  const Exported whole = exported(archive);
  REQUIRE(whole.records.size() == 5);
  CHECK(whole.records[2].type == RecordType::revisit);
  CHECK(whole.records[2].profile == kRevisitNotModified);
  CHECK(whole.records[3].refers_to == whole.records[1].record_id);
  CHECK(whole.records[3].body.view().starts_with("HTTP/1.1 304"));
  // Nobody knows what it came with.
  CHECK(whole.records[4].type == RecordType::resource);
  CHECK(whole.records[4].body.view() == page);

  WarcExportOptions options;
  options.selection.since = day(1);
  const Exported later = exported(archive, options);
  REQUIRE(later.records.size() == 4);
  CHECK(later.records[1].type == RecordType::response);
  CHECK(later.records[1].body.view().find("X-Original: 1\r\n") != ByteView::npos);
  CHECK(later.records[1].body.view().ends_with(page));
  CHECK(later.records[2].type == RecordType::revisit);
  CHECK(later.records[2].refers_to == later.records[1].record_id);
}

TEST_CASE("what an exact import kept leaves as it was: bodies byte for byte, and other records") {
  TestArchive archive;
  const std::string stored = head("Transfer-Encoding: chunked\r\n");
  const std::string wire = "3\r\n<p>\r\n1;x=y\r\nx\r\n0\r\nTrailer: 1\r\n\r\n";
  archive.add(capture("https://a.example/", "<p>x", day(0), {{kHttpHead, stored}}));
  CaptureRequest body = capture("warc+wire:https://a.example/", wire, day(0), {});
  body.content_type = "application/octet-stream";
  archive.add(body);
  CaptureRequest request = capture("warc+request:https://a.example/", "GET / HTTP/1.1\r\n\r\n", day(0),
                                   {{"warc-content-type", "application/http; msgtype=request"},
                                    {"warc-refers-to", "<urn:uuid:00000000-0000-4000-8000-000000000002>"},
                                    {"warc-record-id", "<urn:uuid:00000000-0000-4000-8000-000000000001>"}});
  archive.add(request);

  CHECK(exported(archive).records.size() == 2);
  WarcExportOptions options;
  options.selection.records = true;
  const Exported out = exported(archive, options);
  REQUIRE(out.records.size() == 3);
  std::map<RecordType, const ArchiveRecord*> by_type;
  for (const ArchiveRecord& record : out.records) by_type[record.type] = &record;
  CHECK(by_type.at(RecordType::response)->body.view().ends_with("\r\n\r\n" + wire));
  const ArchiveRecord& asked = *by_type.at(RecordType::request);
  CHECK(asked.target_uri == "https://a.example/");
  CHECK(asked.content_type == "application/http; msgtype=request");
  CHECK(asked.record_id == "urn:uuid:00000000-0000-4000-8000-000000000001");
  CHECK(asked.refers_to == "urn:uuid:00000000-0000-4000-8000-000000000002");
  CHECK(asked.body.view() == "GET / HTTP/1.1\r\n\r\n");
}

TEST_CASE("index lines tell where the records stand") {
  TestArchive archive;
  archive.add(capture("https://www.a.example/", "<p>x", day(0), {{kHttpHead, head("")}}));
  archive.add("https://b.example/", "<p>y", day(1));
  WarcExportOptions options;
  options.filename = "x.warc.gz";
  const Exported out = exported(archive, options);
  REQUIRE(out.lines.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(out.lines[i].find("\"offset\":\"" + std::to_string(out.records[i + 1].offset) + "\"") != std::string::npos);
    const std::string digest = out.records[i + 1].payload_digest.substr(5);
    CHECK(out.lines[i].find("\"digest\":\"" + digest + "\"") != std::string::npos);
  }
  CHECK(
      out.lines[0].starts_with("example,a)/ 20231114221320 {\"url\":\"https://www.a.example/\",\"mime\":\"text/html\","
                               "\"status\":\"200\","));

  Bytes lines;
  const ExportReport report = must(export_cdxj(archive.snapshot(), {}, [&](ByteView line) -> Result<void> {
    lines.append(line);
    return {};
  }));
  CHECK(report.captures == 2);
  CHECK(lines.find("offset") == Bytes::npos);
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 2);
}

TEST_CASE("an export of nothing is a WARC with its first record alone, and an output that fails ends it") {
  TestArchive archive;
  CHECK(exported(archive).records.size() == 1);
  archive.add("https://example.com/", "x", day(0));
  const auto failed = export_warc(archive.snapshot(), {}, [](ByteView) -> Result<void> {
    return Error{ErrorCode::no_space, "no room"};
  });
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == ErrorCode::no_space);
}

}  // namespace blockarch
