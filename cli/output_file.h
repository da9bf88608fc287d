// A file, or standard output, that is written piece by piece.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/descriptor.h"
#include "base/result.h"

namespace blockarch {

// The file is there whole or not at all, as with write_output_file(): it grows under another name beside its own, which
// goes where the program fails or is ended by a signal. What is no regular file is written to directly.
class OutputFile {
 public:
  // "-" is standard output.
  static Result<OutputFile> create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  Result<void> write(ByteView bytes);
  // Only now has the file its name.
  Result<void> finish();

  std::uint64_t size() const { return size_; }

 private:
  OutputFile(std::string path, std::string temporary, Descriptor file)
      : path_(std::move(path)), temporary_(std::move(temporary)), file_(std::move(file)) {}
  Result<void> flush();

  std::string path_;
  std::string temporary_;  // empty where it is written directly, or finished
  Descriptor file_;
  Bytes buffer_;
  std::uint64_t size_ = 0;
};

}  // namespace blockarch
