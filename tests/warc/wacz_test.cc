#include "warc_files.h"

using namespace blockarch;

namespace {

using Uris = std::vector<std::string>;

const Bytes kA = warc_record("resource", "http://a.example/", "first");
const Bytes kB = warc_record("resource", "http://b.example/", "second");

}  // namespace

TEST_CASE("every archive of a WACZ is read, from a file and from a pipe, and named") {
  for (const bool deflated : {false, true}) {
    const Bytes zip = zip_file({{"datapackage.json", "{}"},
                                {"archive/data.warc.gz", gzip_member(kA)},
                                {"archive/more.warc", kB},
                                {"pages/pages.jsonl", "{}"}},
                               deflated);
    for (const ReadFile& file : {read_archive(zip), read_piped(zip)}) {
      CHECK(file.problems.empty());
      CHECK(file.format == "WACZ");
      REQUIRE(file.uris() == Uris{"http://a.example/", "http://b.example/"});
      CHECK(file.records[0].source == "test.warc!archive/data.warc.gz");
      CHECK(file.records[1].source == "test.warc!archive/more.warc");
    }
  }
}

TEST_CASE("names that climb out of a WACZ are reported and skipped") {
  const ReadFile file = read_archive(zip_file({{"archive/../../etc/a.warc", kA},
                                               {"/archive/a.warc", kA},
                                               {"archive\\..\\a.warc", kA},
                                               {"archive/b.warc", kB}}));
  CHECK(file.uris() == Uris{"http://b.example/"});
  REQUIRE(file.problems.size() == 3);
  for (const Problem& problem : file.problems) CHECK(problem.kind == ProblemKind::unsafe_name);
}

TEST_CASE("a damaged entry of a WACZ is reported and the others are read") {
  const ReadFile file = read_archive(zip_file({{"archive/a.warc", "nothing of the kind"}, {"archive/b.warc", kB}}));
  CHECK(file.uris() == Uris{"http://b.example/"});
  REQUIRE(file.problems.size() == 1);
  CHECK(file.problems[0].file == "test.warc!archive/a.warc");
}

TEST_CASE("a WACZ that is cut off gives what is there") {
  Bytes zip = zip_file({{"archive/a.warc", kA}, {"archive/b.warc", kB}});
  zip.resize(zip.find("second") + 3);
  const ReadFile file = read_archive(zip);
  CHECK(file.uris() == Uris{"http://a.example/"});
  CHECK_FALSE(file.problems.empty());
}

TEST_CASE("a zip file without archives is reported") {
  CHECK(read_archive(zip_file({{"readme.txt", "hello"}})).problems.size() == 1);
}

TEST_CASE("a bomb in a WACZ is given up") {
  ReaderOptions options;
  options.spill_limit = 1 << 20;
  const Bytes bomb = kA + Bytes(40 << 20, '\n');
  const ReadFile file = read_archive(zip_file({{"archive/a.warc", bomb}, {"archive/b.warc", kB}}, true), options);
  CHECK(file.uris() == Uris{"http://a.example/", "http://b.example/"});
  CHECK(file.has(ProblemKind::too_large));
}
