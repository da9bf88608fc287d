#include "tests/support/faulty_files.h"

namespace blockarch {

class FaultyFiles::Input final : public ReadableFile {
 public:
  Input(FaultyFiles& files, std::unique_ptr<ReadableFile> file, std::string path)
      : files_(files), file_(std::move(file)), path_(std::move(path)) {}

  std::uint64_t size() const override { return file_->size(); }
  Result<Bytes> read_at(std::uint64_t offset, std::uint64_t count) const override {
    BA_TRY(files_.count("read", path_));
    return file_->read_at(offset, count);
  }

 private:
  FaultyFiles& files_;
  std::unique_ptr<ReadableFile> file_;
  std::string path_;
};

class FaultyFiles::Output final : public WritableFile {
 public:
  Output(FaultyFiles& files, std::unique_ptr<WritableFile> file, std::string path)
      : files_(files), file_(std::move(file)), path_(std::move(path)) {}

  Result<void> append(ByteView bytes) override {
    const auto counted = files_.count("write", path_);
    if (counted) return file_->append(bytes);
    [[maybe_unused]] const auto half = file_->append(bytes.substr(0, bytes.size() / 2));
    return counted;
  }
  Result<void> sync() override {
    BA_TRY(files_.count("sync", path_));
    return file_->sync();
  }

 private:
  FaultyFiles& files_;
  std::unique_ptr<WritableFile> file_;
  std::string path_;
};

Result<std::unique_ptr<ReadableFile>> FaultyFiles::open_input(const std::string& path) {
  BA_TRY(count("open", path));
  BA_ASSIGN(auto file, files_.open_input(path));
  return std::unique_ptr<ReadableFile>(std::make_unique<Input>(*this, std::move(file), path));
}

Result<std::unique_ptr<WritableFile>> FaultyFiles::open_output(const std::string& path) {
  BA_TRY(count("create", path));
  BA_ASSIGN(auto file, files_.open_output(path));
  return std::unique_ptr<WritableFile>(std::make_unique<Output>(*this, std::move(file), path));
}

void FaultyFiles::fail_at(unsigned call, Fault fault, int number) {
  const std::lock_guard lock(mutex_);
  calls_ = 0;
  fail_at_ = call;
  fault_ = fault;
  number_ = number;
}

unsigned FaultyFiles::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

Result<void> FaultyFiles::count(const char* what, const std::string& path) {
  const std::lock_guard lock(mutex_);
  ++calls_;
  const bool fails = fail_at_ != 0 && (fault_ == Fault::once ? calls_ == fail_at_ : calls_ >= fail_at_);
  if (fails) return system_error(number_, what, path);
  return {};
}

Result<Bytes> FaultyFiles::read_file(const std::string& path, std::uint64_t limit) {
  BA_TRY(count("read", path));
  return files_.read_file(path, limit);
}

Result<void> FaultyFiles::write_file(const std::string& path, ByteView bytes) {
  const auto counted = count("write", path);
  if (counted) return files_.write_file(path, bytes);
  [[maybe_unused]] const auto half = files_.write_file(path, bytes.substr(0, bytes.size() / 2));
  return counted;
}

Result<void> FaultyFiles::rename(const std::string& from, const std::string& to) {
  BA_TRY(count("rename", from));
  return files_.rename(from, to);
}

Result<void> FaultyFiles::remove(const std::string& path) {
  BA_TRY(count("remove", path));
  return files_.remove(path);
}

Result<void> FaultyFiles::make_directory(const std::string& path) {
  BA_TRY(count("create", path));
  return files_.make_directory(path);
}

Result<void> FaultyFiles::sync_directory(const std::string& path) {
  BA_TRY(count("sync", path));
  return files_.sync_directory(path);
}

Result<std::vector<std::string>> FaultyFiles::list_directory(const std::string& path) {
  BA_TRY(count("list", path));
  return files_.list_directory(path);
}

Result<std::optional<FileSystem::Info>> FaultyFiles::info(const std::string& path) {
  BA_TRY(count("look at", path));
  return files_.info(path);
}

}  // namespace blockarch
