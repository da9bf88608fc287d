// Small archive files made in code, and everything a reader says about one.
#pragma once

#include <fmt/format.h>

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

#include "warc/reader.h"

namespace blockarch {

inline Bytes warc_record(std::string_view type, std::string_view uri, ByteView block, std::string_view more = {},
                         std::string_view version = "WARC/1.0") {
  Bytes out = fmt::format("{}\r\nWARC-Type: {}\r\nWARC-Record-ID: <urn:test:{}>\r\nWARC-Date: 2024-05-01T12:30:00Z\r\n",
                          version, type, uri);
  if (!uri.empty()) out += fmt::format("WARC-Target-URI: {}\r\n", uri);
  out += more;
  out += fmt::format("Content-Length: {}\r\n\r\n", block.size());
  out += block;
  return out + "\r\n\r\n";
}

// One gzip member; one zstd frame, with a dictionary or without; a skippable frame.
Bytes gzip_member(ByteView bytes);
Bytes zstd_frame(ByteView bytes, ByteView dictionary = {});
Bytes skippable_frame(ByteView bytes, std::uint32_t magic = 0x184D2A5D);

// A zip file of (name, content) in that order, stored or deflated.
Bytes zip_file(const std::vector<std::pair<std::string, Bytes>>& entries, bool deflated = false);

struct ReadFile {
  std::string refused;  // the error of open()
  std::string failed;   // the error of next()
  std::string format;
  std::vector<ArchiveRecord> records;
  std::vector<Problem> problems;

  std::vector<std::string> uris() const {
    std::vector<std::string> uris;
    for (const auto& record : records) uris.push_back(record.target_uri);
    return uris;
  }
  bool has(ProblemKind kind) const {
    for (const auto& problem : problems)
      if (problem.kind == kind) return true;
    return false;
  }
};

inline ReadFile read_archive(std::unique_ptr<ByteInput> input, ReaderOptions options = {}) {
  ReadFile file;
  options.on_problem = [&file](const Problem& problem) { file.problems.push_back(problem); };
  auto reader = RecordReader::open(std::move(input), options);
  if (!reader) {
    file.refused = reader.error().message;
    return file;
  }
  while (true) {
    auto record = reader->next();
    if (!record) {
      file.failed = record.error().message;
      break;
    }
    if (!*record) break;
    file.records.push_back(std::move(**record));
  }
  file.format = reader->format();
  return file;
}

inline ReadFile read_archive(Bytes bytes, ReaderOptions options = {}) {
  return read_archive(memory_input(std::move(bytes), "test.warc"), std::move(options));
}

// As if it came through a pipe.
inline ReadFile read_piped(Bytes bytes, ReaderOptions options = {}) {
  return read_archive(memory_input(std::move(bytes), "test.warc", false), std::move(options));
}

}  // namespace blockarch
