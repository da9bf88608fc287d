#include "tests/support/faulty_files.h"

namespace blockarch {

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
