// A WACZ is a zip file; what stands under archive/ in it is read like any other file. Nothing else in it is believed: the
// indexes and page lists could only repeat what the records say.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "warc/archive_source.h"
#include "warc/text.h"
#include "warc/zip_library.h"

namespace blockarch {
namespace {

constexpr std::size_t kEntryWindow = 4 << 20;
constexpr std::string_view kArchiveFolder = "archive/";

struct CloseArchive {
  void operator()(archive* a) const { archive_read_free(a); }
};

// libarchive's view of the input. An error of the machine is kept apart from damage.
class ZipFile {
 public:
  explicit ZipFile(RawWindow window) : raw_(std::move(window)), zip_(archive_read_new()) {
    archive* a = zip_.get();
    archive_read_support_format_zip(a);
    archive_read_set_callback_data(a, this);
    archive_read_set_read_callback(
        a, [](archive*, void* self, const void** out) { return static_cast<ZipFile*>(self)->read(out); });
    if (!raw_.input().can_seek()) return;
    archive_read_set_seek_callback(a, [](archive*, void* self, la_int64_t offset, int whence) {
      return static_cast<ZipFile*>(self)->seek(offset, whence);
    });
  }

  archive* get() { return zip_.get(); }
  const ByteInput& input() const { return raw_.input(); }
  std::uint64_t position() const { return raw_.offset() + given_; }
  const std::optional<Error>& error() const { return error_; }
  // libarchive's last message.
  std::string reason() {
    const char* text = archive_error_string(zip_.get());
    return text != nullptr ? text : "it is damaged";
  }

 private:
  la_ssize_t read(const void** out) {
    raw_.consume(std::exchange(given_, 0));
    const auto filled = raw_.fill(1);
    if (!filled) return fail(filled.error());
    *out = raw_.view().data();
    given_ = raw_.view().size();
    return static_cast<la_ssize_t>(given_);
  }

  la_int64_t seek(la_int64_t offset, int whence) {
    const auto size = static_cast<la_int64_t>(raw_.input().size().value_or(0));
    if (whence == SEEK_CUR) offset += static_cast<la_int64_t>(position());
    if (whence == SEEK_END) offset += size;
    if (offset < 0 || offset > size) return ARCHIVE_FATAL;
    given_ = 0;
    const auto done = raw_.seek(static_cast<std::uint64_t>(offset));
    if (!done) return fail(done.error());
    return offset;
  }

  int fail(Error error) {
    archive_set_error(zip_.get(), EIO, "%s", error.message.c_str());
    error_ = std::move(error);
    return ARCHIVE_FATAL;
  }

  RawWindow raw_;
  std::size_t given_ = 0;  // bytes of the window that libarchive is working on
  std::optional<Error> error_;
  std::unique_ptr<archive, CloseArchive> zip_;
};

// The bytes of the entry that the zip file stands at. Damage ends it early.
class EntryInput : public ByteInput {
 public:
  EntryInput(std::string name, ZipFile& zip, const ReaderOptions& options)
      : ByteInput(std::move(name)), zip_(zip), options_(options), begin_(zip.position()) {}

 protected:
  Result<std::size_t> read_some(char* out, std::size_t size) override {
    if (ended_) return std::size_t{0};
    const la_ssize_t n = archive_read_data(zip_.get(), out, size);
    if (zip_.error()) return *zip_.error();
    if (n < 0) {
      end_with(ProblemKind::damaged, "an entry of the WACZ does not decode: " + zip_.reason());
      return std::size_t{0};
    }
    made_ += static_cast<std::uint64_t>(n);
    const std::uint64_t position = zip_.position();
    const std::uint64_t used = position > begin_ ? position - begin_ : 1;
    if (made_ > options_.spill_limit && made_ / options_.max_ratio > used) {
      end_with(ProblemKind::too_large, "an entry of the WACZ is taken for a bomb");
    }
    return static_cast<std::size_t>(n);
  }

 private:
  void end_with(ProblemKind kind, std::string message) {
    ended_ = true;
    if (options_.on_problem) options_.on_problem(Problem{kind, name(), made_, std::move(message)});
  }

  ZipFile& zip_;
  const ReaderOptions& options_;
  std::uint64_t begin_, made_ = 0;
  bool ended_ = false;
};

bool climbs_out(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string_view::npos) return true;
  if (name.find(':') != std::string_view::npos && name.find(':') < 2) return true;  // a drive
  while (!name.empty()) {
    const std::size_t slash = std::min(name.find('/'), name.size());
    if (name.substr(0, slash) == "..") return true;
    name.remove_prefix(std::min(slash + 1, name.size()));
  }
  return false;
}

class WaczSource : public RecordReader::Source {
 public:
  WaczSource(std::unique_ptr<ZipFile> zip, const ReaderOptions& options) : zip_(std::move(zip)), options_(options) {}

  Result<void> open() {
    if (archive_read_open1(zip_->get()) == ARCHIVE_OK) return {};
    if (zip_->error()) return *zip_->error();
    return Error{ErrorCode::invalid, input().name() + " is no WACZ: " + zip_->reason()};
  }

  Result<std::optional<ArchiveRecord>> next() override {
    while (true) {
      if (!entry_) {
        BA_ASSIGN(const bool more, next_entry());
        if (!more) return std::optional<ArchiveRecord>();
        continue;
      }
      BA_ASSIGN(std::optional<ArchiveRecord> record, entry_->next());
      if (record) return record;
      entry_.reset();
    }
  }

  const ByteInput& input() const override { return zip_->input(); }
  std::string format() const override { return "WACZ"; }

 private:
  void report(ProblemKind kind, std::string file, std::string message) const {
    if (options_.on_problem) options_.on_problem(Problem{kind, std::move(file), zip_->position(), std::move(message)});
  }

  // To the next entry, which may be none of interest; false after the last one.
  Result<bool> next_entry() {
    archive_entry* entry = nullptr;
    const int result = ended_ ? ARCHIVE_EOF : archive_read_next_header(zip_->get(), &entry);
    if (zip_->error()) return *zip_->error();
    if (result == ARCHIVE_FATAL || result == ARCHIVE_RETRY) {
      report(ProblemKind::damaged, input().name(), "the zip file is damaged: " + zip_->reason());
    } else if (result == ARCHIVE_EOF && !ended_ && archives_ == 0) {
      report(ProblemKind::damaged, input().name(), "the zip file holds no archive/ entry");
    }
    ended_ = result != ARCHIVE_OK && result != ARCHIVE_WARN;
    if (ended_) return false;
    BA_TRY(open_entry(entry));
    return true;
  }

  Result<void> open_entry(archive_entry* entry) {
    const char* given = archive_entry_pathname(entry);
    if (given == nullptr) given = archive_entry_pathname_utf8(entry);
    const std::string name = given != nullptr ? given : "";
    if (climbs_out(name)) {
      report(ProblemKind::unsafe_name, input().name(), "the entry " + quoted(name) + " has a name that climbs out");
      return {};
    }
    if (!name.starts_with(kArchiveFolder) || archive_entry_filetype(entry) == AE_IFDIR) return {};
    ++archives_;
    const std::string full_name = input().name() + "!" + name;
    if (archive_entry_is_encrypted(entry)) {
      report(ProblemKind::unsupported, full_name, "the entry is encrypted");
      return {};
    }
    RawWindow window(std::make_unique<EntryInput>(full_name, *zip_, options_), kEntryWindow);
    BA_TRY(window.fill(64));
    auto opened = archive_source(std::move(window), options_);
    if (zip_->error()) return *zip_->error();
    if (opened) {
      entry_ = *std::move(opened);
    } else {
      report(ProblemKind::damaged, full_name, opened.error().message);
    }
    return {};
  }

  std::unique_ptr<ZipFile> zip_;
  ReaderOptions options_;
  std::unique_ptr<RecordReader::Source> entry_;
  std::uint64_t archives_ = 0;
  bool ended_ = false;
};

}  // namespace

Result<std::unique_ptr<RecordReader::Source>> wacz_source(RawWindow window, const ReaderOptions& options) {
  BA_TRY(load_zip_library());
  auto source = std::make_unique<WaczSource>(std::make_unique<ZipFile>(std::move(window)), options);
  BA_TRY(source->open());
  return std::unique_ptr<RecordReader::Source>(std::move(source));
}

}  // namespace blockarch
