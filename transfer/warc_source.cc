#include "transfer/warc_source.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <atomic>

namespace blockarch {
namespace {

std::uint64_t file_size(const std::string& path) {
  struct stat status;
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  return static_cast<std::uint64_t>(status.st_size);
}

class WarcSource : public CaptureSource {
 public:
  WarcSource(std::vector<std::string> paths, const WarcSourceOptions& options)
      : paths_(std::move(paths)), options_(options) {
    for (const std::string& path : paths_) {
      const std::uint64_t size = file_size(path);
      if (size == 0) all_known_ = false;
      total_ += size;
    }
  }

  Result<std::unique_ptr<RawCapture>> next(std::vector<Problem>& problems) override;
  SourceProgress progress() const override {
    return {done_.load(std::memory_order_relaxed), all_known_ ? total_ : 0, "bytes"};
  }
  std::map<std::string, std::uint64_t> counts() const override { return counts_; }
  std::map<std::string, std::uint64_t> not_kept() const override { return not_kept_; }

 private:
  bool open_next(std::vector<Problem>& problems);
  void close_file();
  bool is_wanted(const ArchiveRecord& record, std::vector<Problem>& problems);

  const std::vector<std::string> paths_;
  const WarcSourceOptions options_;
  std::size_t next_path_ = 0;
  std::string path_;
  std::optional<RecordReader> reader_;
  const ByteInput* input_ = nullptr;  // the reader's
  std::vector<Problem>* problems_ = nullptr;
  std::uint64_t before_ = 0;  // bytes of the files that are done
  std::atomic<std::uint64_t> done_ = 0;
  std::uint64_t total_ = 0;
  bool all_known_ = true;
  std::map<std::string, std::uint64_t> counts_;
  std::map<std::string, std::uint64_t> not_kept_;
};

bool WarcSource::open_next(std::vector<Problem>& problems) {
  while (next_path_ < paths_.size()) {
    path_ = paths_[next_path_++];
    auto input = open_input(path_);
    if (!input) {
      problems.push_back({ProblemKind::unsupported, path_, 0, input.error().message});
      continue;
    }
    input_ = input->get();
    ReaderOptions reader_options;
    reader_options.spill_limit = options_.spill_limit;
    reader_options.spill_directory = options_.spill_directory;
    reader_options.max_zstd_window_log = options_.max_zstd_window_log;
    reader_options.on_problem = [this](const Problem& problem) { problems_->push_back(problem); };
    auto reader = RecordReader::open(std::move(*input), std::move(reader_options));
    if (!reader) {
      problems.push_back({ProblemKind::unsupported, path_, 0, reader.error().message});
      before_ += file_size(path_);
      continue;
    }
    reader_.emplace(std::move(*reader));
    return true;
  }
  return false;
}

void WarcSource::close_file() {
  before_ += file_size(path_);
  done_ = before_;
  reader_.reset();
  input_ = nullptr;
}

bool WarcSource::is_wanted(const ArchiveRecord& record, std::vector<Problem>& problems) {
  const std::string type(record_type_name(record.type));
  ++counts_[type];
  if (record.segment_number && record.segment_total_length.value_or(0) > record.body.size()) {
    problems.push_back({ProblemKind::unsupported, record.source, record.offset,
                        fmt::format("{} goes on in another record: only this part is kept", record.target_uri)});
  }
  if (is_capture(record.type) || options_.capture.exact) return true;
  ++not_kept_[type];
  return false;
}

Result<std::unique_ptr<RawCapture>> WarcSource::next(std::vector<Problem>& problems) {
  problems_ = &problems;
  while (true) {
    if (!reader_ && !open_next(problems)) return std::unique_ptr<RawCapture>();
    auto record = reader_->next();
    if (input_) done_ = before_ + input_->bytes_read();
    if (!record) {
      // The disk, not the data: what came before it is stored, and the other files are tried.
      problems.push_back({ProblemKind::damaged, path_, input_->bytes_read(), record.error().message});
      close_file();
      continue;
    }
    if (!*record) {
      close_file();
      continue;
    }
    if (is_wanted(**record, problems)) return make_warc_capture(std::move(**record), options_.capture);
  }
}

}  // namespace

std::unique_ptr<CaptureSource> make_warc_source(std::vector<std::string> paths, const WarcSourceOptions& options) {
  return std::make_unique<WarcSource>(std::move(paths), options);
}

}  // namespace blockarch
