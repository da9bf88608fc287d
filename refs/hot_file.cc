#include "refs/hot_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "refs/tables.h"

namespace blockarch {
namespace {

constexpr std::string_view kPrefix = "hot-";
constexpr std::string_view kSuffix = ".mdb";

std::uint32_t parse_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  return whole && text[0] != '0' ? number : 0;
}

}  // namespace

std::string hot_file_name(std::uint32_t generation) {
  return generation <= 1 ? kHotFile : fmt::format("{}{}{}", kPrefix, generation, kSuffix);
}

std::uint32_t generation_of(const std::string& name) {
  if (name == kHotFile) return 1;
  const std::string_view text = name;
  if (!text.starts_with(kPrefix) || !text.ends_with(kSuffix) || text.size() <= kPrefix.size() + kSuffix.size())
    return 0;
  const std::uint32_t number = parse_number(text.substr(kPrefix.size(), text.size() - kPrefix.size() - kSuffix.size()));
  return number >= 2 ? number : 0;
}

Result<std::uint32_t> read_current(FileSystem& files, const std::string& directory) {
  return CurrentHot().generation(files, directory);
}

Result<std::uint32_t> CurrentHot::generation(FileSystem& files, const std::string& directory) {
  if (file_ && file_->has_its_name()) return generation_;
  file_.reset();
  const std::string path = directory + "/" + kCurrentFile;
  auto file = files.open_input(path);
  if (!file && file.error().code == ErrorCode::not_found) return std::uint32_t{1};
  if (!file) return file.error();
  const std::uint64_t size = std::min((*file)->size(), kMaxCurrentFile);
  BA_ASSIGN(const Bytes text, (*file)->read_at(0, size));
  generation_ = text.ends_with("\n") ? generation_of(text.substr(0, text.size() - 1)) : 0;
  if (generation_ == 0) {
    return Error{ErrorCode::corrupt,
                 fmt::format("{} does not name a file of tables: write the name of the newest hot*.mdb "
                             "into it",
                             path)};
  }
  file_ = std::move(*file);
  return generation_;
}

Result<void> write_current(FileSystem& files, const std::string& directory, const std::string& temporary,
                           std::uint32_t generation) {
  return replace_file(files, directory + "/" + kCurrentFile, temporary, hot_file_name(generation) + "\n");
}

}  // namespace blockarch
