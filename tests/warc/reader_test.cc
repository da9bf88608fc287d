#include "warc/reader.h"

#include "warc_files.h"

using namespace blockarch;

namespace {

using Uris = std::vector<std::string>;

Bytes three_records() {
  return warc_record("resource", "http://a.example/", "first") +
         warc_record("resource", "http://b.example/", "second") + warc_record("resource", "http://c.example/", "third");
}

}  // namespace

TEST_CASE("a plain WARC gives its records with their fields and places") {
  const Bytes first = warc_record("warcinfo", "", "software: test\r\n");
  const Bytes second = warc_record("response", "<http://a.example/>", "HTTP/1.1 200 OK\r\n\r\nbody",
                                   "Content-Type: application/http; msgtype=response\r\n"
                                   "WARC-Payload-Digest: sha1:ABC\r\nWARC-Truncated: length\r\n"
                                   "X-Folded: one\r\n  two\r\n");
  const ReadFile file = read_archive(first + second);
  CHECK(file.problems.empty());
  CHECK(file.format == "WARC");
  REQUIRE(file.records.size() == 2);
  CHECK(file.records[0].type == RecordType::warcinfo);
  const ArchiveRecord& response = file.records[1];
  CHECK(response.type == RecordType::response);
  CHECK(response.version == "WARC/1.0");
  CHECK(response.target_uri == "http://a.example/");
  CHECK(format_rfc3339(*response.date) == "2024-05-01T12:30:00Z");
  CHECK(response.body.view() == "HTTP/1.1 200 OK\r\n\r\nbody");
  CHECK(response.payload_digest == "sha1:ABC");
  CHECK(response.truncated == "length");
  CHECK(*response.header("x-folded") == "one two");
  CHECK(response.is_http());
  CHECK(response.source == "test.warc");
  CHECK(response.offset == first.size());
  CHECK(response.stored_size == second.size());
}

TEST_CASE("an empty file is an archive without records") {
  const ReadFile file = read_archive(Bytes());
  CHECK(file.refused.empty());
  CHECK(file.records.empty());
  CHECK(file.problems.empty());
  CHECK(file.format == "empty");
}

TEST_CASE("what is no archive is refused with a reason") {
  CHECK(read_archive(Bytes("<!DOCTYPE html>")).refused ==
        "test.warc is no web archive: it begins with \"<!DOCTYPE html>\"");
  CHECK(read_archive(Bytes("\x04\x22\x4D\x18 lz4")).refused.find("LZ4") != std::string::npos);
}

TEST_CASE("garbage between records is reported with its offset and passed over") {
  const Bytes first = warc_record("resource", "http://a.example/", "first");
  const ReadFile file =
      read_archive(first + "garbage\r\nmore of it\r\n" + warc_record("resource", "http://b.example/", "second"));
  CHECK(file.uris() == Uris{"http://b.example/"});  // the first one's length is in doubt
  REQUIRE(file.problems.size() == 1);
  CHECK(file.problems[0].kind == ProblemKind::damaged);
  CHECK(file.problems[0].offset == 0);
  CHECK(file.problems[0].file == "test.warc");
}

TEST_CASE("a length that swallows the next record is found out and the next record is read") {
  Bytes bytes = three_records();
  bytes.replace(bytes.find("Content-Length: 5"), 17, "Content-Length: 99");
  for (const ReadFile& file : {read_archive(bytes), read_piped(bytes)}) {
    CHECK(file.uris() == Uris{"http://b.example/", "http://c.example/"});
    REQUIRE(file.problems.size() == 1);
    CHECK(file.problems[0].kind == ProblemKind::damaged);
  }
}

TEST_CASE("a record that claims a terabyte is reported and the rest is read, from a file and from a pipe") {
  Bytes bytes = three_records();
  bytes.replace(bytes.find("Content-Length: 6"), 17, "Content-Length: 1099511627776");
  for (const ReadFile& file : {read_archive(bytes), read_piped(bytes)}) {
    CHECK(file.uris() == Uris{"http://a.example/", "http://c.example/"});
    CHECK(file.problems.size() == 1);
  }
}

TEST_CASE("a truncated last record is reported") {
  Bytes bytes = three_records();
  bytes.resize(bytes.size() - 6);
  for (const ReadFile& file : {read_archive(bytes), read_piped(bytes)}) {
    CHECK(file.uris() == Uris{"http://a.example/", "http://b.example/"});
    REQUIRE(file.problems.size() == 1);
    CHECK(file.problems[0].kind == ProblemKind::truncated);
  }
  bytes.resize(bytes.size() - 40);
  const ReadFile in_head = read_archive(bytes);
  CHECK(in_head.records.size() == 2);
  CHECK(in_head.has(ProblemKind::truncated));
}

TEST_CASE("a head beyond the limit is reported and skipped") {
  const Bytes large = warc_record("resource", "http://b.example/", "x", "X: " + Bytes(kMaxRecordHead, 'y') + "\r\n");
  const ReadFile file = read_archive(warc_record("resource", "http://a.example/", "first") + large +
                                     warc_record("resource", "http://c.example/", "third"));
  CHECK(file.uris() == Uris{"http://a.example/", "http://c.example/"});
  REQUIRE(file.problems.size() == 1);
  CHECK(file.problems[0].kind == ProblemKind::too_large);
}

TEST_CASE("values on folded lines and version lines in lower case are read") {
  Bytes bytes = warc_record("resource", "http://a.example/", "first");
  bytes.replace(bytes.find("Content-Length: 5"), 17, "Content-Length:\r\n\t5");
  bytes.replace(0, 4, "warc");
  const ReadFile file = read_archive(bytes + warc_record("resource", "http://b.example/", "second"));
  CHECK(file.problems.empty());
  REQUIRE(file.uris() == Uris{"http://a.example/", "http://b.example/"});
  CHECK(file.records[0].version == "WARC/1.0");
  CHECK(file.records[0].body.view() == "first");
}

TEST_CASE("lines may end in LF alone and newlines between records may be more or fewer") {
  Bytes bytes = warc_record("resource", "http://a.example/", "first");
  Bytes lf;
  for (const char c : bytes)
    if (c != '\r') lf += c;
  const ReadFile file = read_archive(lf + "\n\n\n" + bytes.substr(0, bytes.size() - 2) + bytes);
  CHECK(file.problems.empty());
  CHECK(file.records.size() == 3);
}

TEST_CASE("a version that is none of WARC's is reported, and what follows is read") {
  for (const char* version : {"WARC/2.7", "WARC/x.y", "WARC/"}) {
    const ReadFile file = read_archive(warc_record("resource", "http://a.example/", "first", "", version) +
                                       warc_record("resource", "http://b.example/", "second"));
    INFO(version);
    CHECK(file.uris() == Uris{"http://b.example/"});
    REQUIRE(file.problems.size() == 1);
    CHECK(file.problems[0].kind == ProblemKind::unsupported);
  }
}

TEST_CASE("a date that is none is reported and absent; the years 0 and 9999 are dates") {
  const auto dated = [](std::string_view date) {
    Bytes bytes = warc_record("resource", "http://a.example/", "first");
    bytes.replace(bytes.find("2024-05-01T12:30:00Z"), 20, date);
    return read_archive(bytes);
  };
  for (const char* date :
       {"0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2016-01-11T23:24:25.412030Z", "2016-01", "20160111232425"}) {
    INFO(date);
    const ReadFile file = dated(date);
    REQUIRE(file.records.size() == 1);
    CHECK(file.records[0].date.has_value());
    CHECK(file.problems.empty());
  }
  for (const char* date : {"yesterday", "@0", "2008-10-294T05:21:46-0700", "10000-01-01T00:00:00Z", "", "3 days ago"}) {
    INFO(date);
    const ReadFile file = dated(date);
    REQUIRE(file.records.size() == 1);
    CHECK_FALSE(file.records[0].date.has_value());
    REQUIRE(file.problems.size() == 1);
    CHECK(file.problems[0].kind == ProblemKind::bad_date);
  }
}

TEST_CASE("fields that are missing, twice or no numbers are reported") {
  Bytes bytes =
      warc_record("resource", "http://a.example/", "first", "WARC-Target-URI: http://other.example/\r\nnonsense\r\n");
  bytes.replace(bytes.find("WARC-Type: resource\r\n"), 21, "");
  const ReadFile file = read_archive(bytes);
  REQUIRE(file.records.size() == 1);
  CHECK(file.records[0].target_uri == "http://a.example/");
  CHECK(file.records[0].type == RecordType::other);
  CHECK(file.problems.size() == 3);
  for (const Problem& problem : file.problems) CHECK(problem.kind == ProblemKind::bad_header);
  bytes.replace(bytes.find("Content-Length: 5"), 17, "Content-Length: five");
  CHECK(read_archive(bytes).records.empty());
}
