#include "transfer/export_lines.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <queue>

#include "base/file.h"

namespace blockarch {
namespace {

constexpr char kTemporary[] = "a temporary file for sorting";

// The next line of a file; false at its end.
Result<bool> read_line(std::FILE* file, std::string& line) {
  char* text = nullptr;
  std::size_t capacity = 0;
  errno = 0;
  const ssize_t size = ::getline(&text, &capacity, file);
  const std::unique_ptr<char, decltype(&std::free)> owner(text, &std::free);
  if (size < 0 && std::ferror(file) != 0) return system_error(errno, "read", kTemporary);
  if (size < 0) return false;
  line.assign(text, static_cast<std::size_t>(size));
  return true;
}

}  // namespace

Result<void> SortedLines::add(std::string line) {
  used_ += line.size() + sizeof line;
  lines_.push_back(std::move(line));
  if (used_ > memory_) return spill();
  return {};
}

Result<void> SortedLines::spill() {
  std::sort(lines_.begin(), lines_.end());
  File file(std::tmpfile());
  if (!file) return system_error(errno, "create", kTemporary);
  for (const std::string& line : lines_) {
    if (std::fwrite(line.data(), 1, line.size(), file.get()) != line.size())
      return system_error(errno, "write", kTemporary);
  }
  if (std::fflush(file.get()) != 0) return system_error(errno, "write", kTemporary);
  std::rewind(file.get());
  runs_.push_back(std::move(file));
  lines_.clear();
  used_ = 0;
  return {};
}

Result<void> SortedLines::finish(const std::function<Result<void>(ByteView)>& each) {
  if (runs_.empty()) {
    std::sort(lines_.begin(), lines_.end());
    for (const std::string& line : lines_) BA_TRY(each(line));
    return {};
  }
  BA_TRY(spill());
  using Next = std::pair<std::string, std::size_t>;  // a line and the run it came from
  std::priority_queue<Next, std::vector<Next>, std::greater<>> heap;
  const auto pull = [&](std::size_t run) -> Result<void> {
    std::string line;
    BA_ASSIGN(const bool more, read_line(runs_[run].get(), line));
    if (more) heap.emplace(std::move(line), run);
    return {};
  };
  for (std::size_t i = 0; i < runs_.size(); ++i) BA_TRY(pull(i));
  while (!heap.empty()) {
    const Next next = heap.top();
    heap.pop();
    BA_TRY(each(next.first));
    BA_TRY(pull(next.second));
  }
  return {};
}

}  // namespace blockarch
