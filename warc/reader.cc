#include "warc/reader.h"

#include <algorithm>

#include "warc/archive_source.h"

namespace blockarch {
namespace {

// Compressed records up to this size are decoded at once.
constexpr std::size_t kWindow = 4 << 20;

struct OtherKind {
  std::string_view magic, name;
};
constexpr OtherKind kOtherKinds[] = {
    {std::string_view("\x04\x22\x4D\x18", 4), "LZ4"},
    {std::string_view("BZh", 3), "bzip2"},
    {std::string_view("\xFD"
                      "7zXZ",
                      5),
     "xz"},
    {std::string_view("7z\xBC\xAF", 4), "7-Zip"},
};

}  // namespace

Result<RecordReader> RecordReader::open(std::unique_ptr<ByteInput> input, ReaderOptions options) {
  // A small file needs no more than it has; fill() must be able to do what it is asked for.
  const std::uint64_t size = input->size().value_or(kWindow);
  const std::size_t capacity = size < kWindow ? std::max<std::size_t>(kMaxFill, size + 1) : kWindow;
  RawWindow window(std::move(input), capacity);
  BA_TRY(window.fill(64));
  const ByteView start = window.view();
  for (const OtherKind& kind : kOtherKinds) {
    if (!start.starts_with(kind.magic)) continue;
    return Error{ErrorCode::unsupported, window.input().name() + " is compressed with " + std::string(kind.name) +
                                             ", which web archives are not: decompress it first"};
  }
  const bool is_zip = start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06");
  auto opened = is_zip ? wacz_source(std::move(window), options) : archive_source(std::move(window), options);
  BA_ASSIGN(auto source, std::move(opened));
  return RecordReader(std::move(source));
}

RecordReader::RecordReader(std::unique_ptr<Source> source) : source_(std::move(source)) {}
RecordReader::RecordReader(RecordReader&&) noexcept = default;
RecordReader& RecordReader::operator=(RecordReader&&) noexcept = default;
RecordReader::~RecordReader() = default;

Result<std::optional<ArchiveRecord>> RecordReader::next() {
  return source_->next();
}

std::uint64_t RecordReader::bytes_read() const {
  return source_->input().bytes_read();
}

std::optional<std::uint64_t> RecordReader::size() const {
  return source_->input().size();
}

std::string RecordReader::format() const {
  return source_->format();
}

}  // namespace blockarch
