// The archive files of other tools imported as a user would, exported as WARC and imported again: the
// same versions with the same metadata at the same times.
#include "transfer/import.h"

#include <fstream>

#include "tests/corpus/corpus_reader.h"
#include "tests/support/test_archive.h"
#include "transfer/export_warc.h"
#include "transfer/warc_source.h"

using namespace blockarch;

namespace {

std::vector<std::string> whole_log(TestArchive& archive) {
  std::vector<std::string> lines;
  const Snapshot snapshot = archive.snapshot();
  must(snapshot.urls({}, [&](const UrlSummary& url) {
    must(snapshot.log(url.number, {.unchanged = true}, [&](const LogEntry& entry) {
      lines.push_back(url.url + " " + format_rfc3339(entry.time) + " " + entry.version.hash.hex() + " " +
                      id_of(entry.metadata).hash.hex());
      return true;
    }));
    return true;
  }));
  return lines;
}

ImportSummary import(TestArchive& archive, const std::vector<std::string>& files, bool exact = false) {
  WarcSourceOptions options;
  options.capture.exact = exact;
  const auto source = make_warc_source(files, options);
  return must(import_captures(archive.archive(), *source, {}));
}

void export_to(TestArchive& archive, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  const Snapshot snapshot = archive.snapshot();
  must(export_warc(snapshot, {}, [&](ByteView bytes) -> Result<void> {
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return {};
  }));
}

}  // namespace

TEST_CASE("archive files of other tools are imported, exported and imported again with the same ids") {
  const auto corpus = corpus_file("warcs.tar.zst");
  if (!corpus) SKIP("skipped: the corpus warcs.tar.zst is not here");
  const TemporaryDirectory directory;
  std::vector<std::string> files;
  for_each_file(*corpus, [&](const std::string& path, const Bytes& bytes) {
    files.push_back(directory.file(std::to_string(files.size()) + path.substr(path.rfind('/') + 1)));
    std::ofstream(files.back(), std::ios::binary) << bytes;
  });
  TestArchive first;
  const ImportSummary summary = import(first, files);
  CHECK(summary.captures > 500);
  first.require_clean();

  TestArchive exact;
  import(exact, files, true);
  exact.require_clean();

  export_to(first, directory.file("export.warc.gz"));
  TestArchive second;
  CHECK(import(second, {directory.file("export.warc.gz")}).lost_records == 0);
  CHECK(whole_log(first) == whole_log(second));
  second.require_clean();
}
