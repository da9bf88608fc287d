// The archive files of other tools: each is read or refused with a reason, nothing is dropped in silence, and a
// compressed file gives what the same file gives when another program has unpacked it.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>

#include "base/hash.h"
#include "tests/corpus/corpus_reader.h"
#include "warc/digest.h"
#include "warc/reader.h"

using namespace blockarch;

namespace {

struct Outcome {
  std::string refused;
  std::size_t records = 0, captures = 0, lost = 0, bad_digests = 0;
  Hash256 bodies;
};

void check_payload(const ArchiveRecord& record, Outcome& outcome) {
  const Result<HttpMessage> http =
      record.is_http() ? parse_http(record.body.view()) : Error{ErrorCode::invalid, "no HTTP message"};
  TransferDecoded decoded;
  if (http) {
    decoded = decode_transfer(*http);
    (void)decode_content(decoded.view(*http), content_codings(*http)).has_value();
  }
  const ByteView payload = http ? decoded.view(*http) : record.body.view();
  outcome.bad_digests += check_digests(record, http ? &*http : nullptr, payload).size();
}

Outcome read_file(const std::string& name, const Bytes& bytes) {
  Outcome outcome;
  ReaderOptions options;
  options.on_problem = [&outcome](const Problem& problem) { outcome.lost += loses_record(problem.kind); };
  auto reader = RecordReader::open(memory_input(bytes, name), options);
  if (!reader) {
    outcome.refused = reader.error().message;
    return outcome;
  }
  Hasher bodies;
  while (true) {
    const auto record = reader->next();
    REQUIRE(record.has_value());
    if (!*record) break;
    ++outcome.records;
    const RecordType type = (*record)->type;
    outcome.captures += type == RecordType::response || type == RecordType::resource;
    bodies.update((*record)->target_uri).update((*record)->body.view());
    check_payload(**record, outcome);
  }
  outcome.bodies = bodies.finish();
  return outcome;
}

struct Expected {
  std::size_t records, captures, lost, bad_digests;
};
// One of each kind; docs/import.md has the rest.
const std::map<std::string, Expected> kExpected{
    {"warcfile.warc", {50, 16, 0, 0}},
    {"warcfile.warc.gz", {50, 16, 0, 0}},
    {"clipped.warc.gz", {0, 0, 1, 0}},
    {"clueweb-quirk.warc.gz", {30, 29, 0, 29}},
    {"iana.warc.gz", {343, 48, 0, 0}},
    {"iana.dict.warc.zst", {343, 48, 0, 0}},
    {"iana.zdict.warc.zst", {343, 48, 0, 0}},
    {"iana.nodict.warc.zst", {343, 48, 0, 0}},
    {"valid_example_1.wacz", {4, 1, 0, 0}},
    {"invalid_example_1.wacz", {0, 0, 1, 0}},
    {"example.arc.gz", {2, 1, 0, 0}},
    {"hello-world2.arc", {2, 1, 0, 0}},
    {"example-trunc.warc", {3, 0, 1, 0}},
    {"incorrect_content_length.warc", {2, 1, 2, 0}},
    {"valid-warcfile-upper-lower-case.warc", {5, 4, 0, 0}},
};

}  // namespace

TEST_CASE("every archive file of the corpus is read or refused with a reason") {
  const auto corpus = corpus_file("warcs.tar.zst");
  if (!corpus) SKIP("skipped: the corpus warcs.tar.zst is not here");
  std::size_t files = 0, records = 0, refused = 0, named = 0;
  std::set<std::string> same_bodies;  // one file in four compressions
  std::string last_name;
  Outcome last;
  for_each_file(*corpus, [&](const std::string& path, const Bytes& bytes) {
    const std::string name = path.substr(path.rfind('/') + 1);
    INFO(path);
    const Outcome outcome = read_file(path, bytes);
    if (path == last_name) {
      // The same file, unpacked by gzip or zstd, which stop at damage and do not know of dictionaries in files.
      if (last.lost == 0 && last.refused.empty() && !bytes.empty()) {
        CHECK(outcome.records == last.records);
        CHECK(outcome.bodies == last.bodies);
      }
      return;
    }
    last_name = path;
    last = outcome;
    ++files;
    records += outcome.records;
    refused += !outcome.refused.empty();
    CHECK((outcome.records + outcome.lost > 0 || !outcome.refused.empty() || bytes.empty()));
    if (name.starts_with("iana.")) same_bodies.insert(outcome.bodies.hex());
    const auto expected = kExpected.find(name);
    if (expected == kExpected.end()) return;
    ++named;
    CHECK(outcome.records == expected->second.records);
    CHECK(outcome.captures == expected->second.captures);
    CHECK(outcome.lost == expected->second.lost);
    CHECK(outcome.bad_digests == expected->second.bad_digests);
  });
  CHECK(named >= kExpected.size());
  CHECK(same_bodies.size() == 1);
  CHECK(refused < 10);
  WARN(files << " files, " << records << " records, " << refused << " files refused");
}
