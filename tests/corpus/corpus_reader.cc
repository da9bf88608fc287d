#include "tests/corpus/corpus_reader.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "tests/support/temporary_directory.h"

namespace blockarch {
namespace {

struct ClosePipe {
  void operator()(FILE* f) const { pclose(f); }
};
using Pipe = std::unique_ptr<FILE, ClosePipe>;

Pipe open_pipe(const std::string& command) {
  Pipe pipe(popen(command.c_str(), "r"));
  REQUIRE(pipe);
  return pipe;
}

Bytes read_all(FILE* file) {
  Bytes bytes;
  char buffer[1 << 16];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, file)) bytes.append(buffer, n);
  return bytes;
}

// Lines up to and without the empty one; empty at the end of the file.
std::string read_head(FILE* file) {
  std::string head;
  for (int c = getc(file); c != EOF; c = getc(file)) {
    head.push_back(static_cast<char>(c));
    if (head.ends_with("\r\n\r\n")) break;
  }
  return head;
}

std::string field(const std::string& head, const std::string& name) {
  const std::size_t at = head.find("\r\n" + name + ": ");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

// The payload of a response and the content type that its HTTP head gives.
void strip_http_head(WarcCapture& capture) {
  const std::size_t end = capture.payload.find("\r\n\r\n");
  if (end == Bytes::npos) return;
  const std::string head = capture.payload.substr(0, end + 2);
  capture.content_type = field(head, "Content-Type");
  capture.payload.erase(0, end + 4);
}

}  // namespace

std::optional<std::string> corpus_file(const std::string& name) {
  const char* given = std::getenv("BLOCKARCH_CORPUS");
  const std::string directory = given ? given : BLOCKARCH_SOURCE_DIR "/../shared/corpus";
  const std::string path = directory + "/" + name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

void for_each_capture(const std::string& path, const std::function<void(const WarcCapture&)>& each) {
  const Pipe pipe = open_pipe("zstd -q -d -c --long=31 '" + path + "'");
  while (true) {
    const std::string head = read_head(pipe.get());
    if (head.empty()) break;
    WarcCapture capture;
    capture.url = field(head, "WARC-Target-URI");
    capture.content_type = field(head, "Content-Type");
    const std::string type = field(head, "WARC-Type");
    capture.payload.resize(std::stoull(field(head, "Content-Length")));
    REQUIRE(fread(capture.payload.data(), 1, capture.payload.size(), pipe.get()) == capture.payload.size());
    char end[4];
    REQUIRE(fread(end, 1, 4, pipe.get()) == 4);
    if (type != "resource" && type != "response") continue;
    if (type == "response") strip_http_head(capture);
    const auto time = parse_time(field(head, "WARC-Date"), DateEnd::first, Time{});
    REQUIRE(time.has_value());
    capture.time = *time;
    each(capture);
  }
}

void for_each_file(const std::string& path, const std::function<void(const std::string&, const Bytes&)>& each) {
  const TemporaryDirectory directory;
  REQUIRE(std::system(("tar --zstd -xf '" + path + "' -C '" + directory.path() + "'").c_str()) == 0);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory.path())) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().string();
    std::ifstream in(name, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    each(name, bytes.str());
    // The same file unpacked, as far as it goes.
    if (name.ends_with(".gz")) each(name, read_all(open_pipe("gzip -dc '" + name + "' 2>/dev/null").get()));
    if (name.ends_with(".zst")) each(name, read_all(open_pipe("zstd -qdc '" + name + "' 2>/dev/null").get()));
  }
}

void for_each_rough_payload(const Bytes& file, const std::function<void(ByteView)>& each) {
  const ByteView all = file;
  std::size_t at = 0;
  while ((at = all.find("\r\n\r\n", at)) != ByteView::npos) {
    at += 4;
    std::size_t end = all.find("\r\n\r\nWARC/", at);
    if (end == ByteView::npos) end = all.size();
    each(all.substr(at, end - at));
  }
}

}  // namespace blockarch
