// Another program that keeps a page through the installed library and reads it back.
#include <cstdio>

#include "engine/archive.h"
#include "engine/snapshot.h"
#include "engine/writer.h"
#include "fsck/fsck.h"

using namespace blockarch;

namespace {

Result<Bytes> keep_and_read(const std::string& directory, const std::string& url, const Bytes& page) {
  BA_TRY(Archive::create(directory));
  BA_ASSIGN(Archive archive, Archive::open(directory));
  {
    BA_ASSIGN(Writer writer, archive.writer());
    CaptureRequest request;
    request.url = url;
    request.payload = page;
    request.time = Time::from_seconds(1'700'000'000);
    BA_TRY(writer.add(request));
    BA_TRY(writer.commit());
  }
  BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
  BA_ASSIGN(const UrlNumber number, snapshot.find_url(url));
  BA_ASSIGN(const CaptureInfo capture, snapshot.last_capture(number));
  BA_ASSIGN(Page found, snapshot.page(capture));
  return std::move(found.bytes);
}

}  // namespace

int main(int, char** arguments) {
  const Bytes page = "<p>Hello</p>";
  const auto read = keep_and_read(arguments[1], "https://example.com/", page);
  if (!read) std::fprintf(stderr, "%s\n", read.error().message.c_str());
  const auto report = check_archive(arguments[1]);
  const bool good = read && *read == page && report && report->clean();
  std::puts(good ? "kept and read back" : "failed");
  return good ? 0 : 1;
}
