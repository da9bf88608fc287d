#include "transfer/directory_source.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "engine/glob.h"
#include "objects/version.h"
#include "transfer/directory_walk.h"
#include "transfer/file_type.h"
#include "transfer/path_url.h"
#include "transfer/saved_page.h"

namespace blockarch {
namespace {

// Deeper directories are a loop of mounts or made by somebody who wants to see.
constexpr std::size_t kMaxDepth = 256;

constexpr char kFile[] = "file";
constexpr char kLink[] = "symbolic link";
constexpr char kSpecial[] = "special file";
constexpr char kDuplicate[] = "numbered duplicate";
constexpr char kPartOfPage[] = "part of a saved page";
constexpr char kNotAsked[] = "not asked for";

Time time_of(const struct stat& status) {
  return Time{status.st_mtim.tv_sec * 1'000'000 + status.st_mtim.tv_nsec / 1000};
}

// What is known of a file's URL before it is read.
struct PlaceUrl {
  std::string url;
  bool sure = false;  // false: a note in the page knows better
};

class FileCapture : public RawCapture {
 public:
  FileCapture(std::shared_ptr<const DirectoryTree> tree, std::string path, std::string shown)
      : tree_(std::move(tree)), path_(std::move(path)), shown_(std::move(shown)) {}

  PlaceUrl place;
  std::uint64_t bytes = 0;
  std::optional<Time> fixed_time;
  Time file_time;

  std::uint64_t size() const override { return bytes; }

  Decoded decode() override {
    Decoded decoded;
    const auto lose = [&](ProblemKind kind, std::string message) {
      decoded.problems.push_back({kind, shown_, 0, std::move(message)});
      return std::move(decoded);
    };
    DecodedCapture capture;
    if (const int error = tree_->read(path_, kMaxPayload + 1, capture.owned)) {
      return lose(ProblemKind::damaged, fmt::format("cannot be read: {}", std::strerror(error)));
    }
    if (capture.owned.size() > kMaxPayload) {
      return lose(ProblemKind::too_large, fmt::format("over {} bytes", kMaxPayload));
    }
    capture.payload_is_owned = true;
    capture.file = shown_;
    capture.url = place.url;
    capture.time = fixed_time.value_or(file_time);
    if (!place.sure) {
      if (auto note = find_saved_page_note(capture.owned)) {
        capture.url = std::move(note->url);
        if (!fixed_time && note->time) capture.time = *note->time;
      }
    }
    if (capture.url.empty()) {
      return lose(ProblemKind::unsupported, "neither its place nor its content tells a URL: give a base URL");
    }
    capture.content_type = content_type_of_file(path_, capture.owned);
    decoded.captures.push_back(std::move(capture));
    return decoded;
  }

 private:
  std::shared_ptr<const DirectoryTree> tree_;  // captures may be decoded when the source has been read to its end
  std::string path_;
  std::string shown_;
};

bool is_protocol(std::string_view name) {
  return name == "http" || name == "https" || name == "http:" || name == "https:";
}

// "a.html.1", where wget had "a.html" already.
bool is_numbered_duplicate(std::string_view name, const NameList& names) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size()) return false;
  const std::string_view digits = name.substr(dot + 1);
  return std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
         names.contains(name.substr(0, dot));
}

}  // namespace

struct DirectorySource::Impl {
  struct Level {
    std::string prefix;  // "" or "a/b/"
    NameList names;
    std::size_t next = 0;
  };

  std::string directory;
  DirectoryOptions options;
  std::optional<PathUrl> base;
  std::string root_host;  // where the directory itself is called like a host
  std::shared_ptr<const DirectoryTree> tree;
  std::vector<Level> levels;
  std::map<std::string, std::uint64_t> counts;
  std::map<std::string, std::uint64_t> not_kept;
  std::atomic<std::uint64_t> done{0};

  std::string shown(const std::string& path) const {
    return path.empty() ? directory : directory + (directory.ends_with('/') ? "" : "/") + path;
  }

  void leave_out(const char* kind) {
    ++counts[kind];
    ++not_kept[kind];
  }

  Problem unreadable(const std::string& path, int error) const {
    return {ProblemKind::damaged, shown(path), 0, fmt::format("cannot be read: {}", std::strerror(error))};
  }

  int enter(const std::string& path) {
    Level level{path.empty() ? "" : path + "/", {}, 0};
    const int error = tree->list(path, level.names);
    levels.push_back(std::move(level));
    return error;
  }

  // Whether the directory itself is a host's, or holds those of hosts.
  void look_at_root() {
    const NameList& names = levels.front().names;
    for (std::size_t i = 0; i < names.size(); ++i) {
      struct stat status {};
      const std::string name(names[i]);
      if (!looks_like_host(name) && !is_protocol(name)) continue;
      if (tree->stat(name, status) == 0 && S_ISDIR(status.st_mode)) return;
    }
    std::string_view own = directory;
    while (own.size() > 1 && own.ends_with('/')) own.remove_suffix(1);
    own = own.substr(own.rfind('/') + 1);
    if (looks_like_host(own)) root_host = host_of_name(own);
  }

  PlaceUrl url_of(const std::string& path) const {
    if (base) return {base->url(encode_saved_path(path)), true};
    std::string scheme = options.scheme;
    std::string_view rest = path;
    const auto take_directory = [&rest] {
      const std::size_t slash = rest.find('/');
      const std::string_view name = slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash);
      if (!name.empty()) rest.remove_prefix(slash + 1);
      return name;
    };
    std::string_view host = take_directory();
    if (is_protocol(host)) {
      scheme = host.substr(0, host.find(':'));
      host = take_directory();
    }
    if (looks_like_host(host)) {
      return {fmt::format("{}://{}/{}", scheme, host_of_name(host), encode_saved_path(rest)), true};
    }
    if (root_host.empty()) return {};
    return {fmt::format("{}://{}/{}", scheme, root_host, encode_saved_path(path)), false};
  }

  // "Page_files" beside "Page.html": what the browser saved with the page, under names of its own.
  bool belongs_to_page(const Level& level, std::string_view name) const {
    constexpr std::string_view kEnding = "_files";
    if (base || !name.ends_with(kEnding)) return false;
    for (const char* ending : {".html", ".htm", ".xhtml"}) {
      const std::string page = std::string(name.substr(0, name.size() - kEnding.size())) + ending;
      Bytes head;
      if (level.names.contains(page) && tree->read(level.prefix + page, kNoteWindow, head) == 0 &&
          find_saved_page_note(head)) {
        return true;
      }
    }
    return false;
  }

  void take_directory(const std::string& path, bool part_of_page, std::vector<Problem>& problems) {
    if (part_of_page) {
      leave_out(kPartOfPage);
      return;
    }
    if (levels.size() >= kMaxDepth) {
      problems.push_back({ProblemKind::too_large, shown(path), 0, fmt::format("over {} levels deep", kMaxDepth)});
      return;
    }
    // What could be listed before the error is still read.
    if (const int error = enter(path)) problems.push_back(unreadable(path, error));
  }

  std::unique_ptr<RawCapture> take_file(const std::string& path, const struct stat& status, bool duplicate) {
    const auto asked = [&](const std::string& pattern) { return matches_glob(pattern, path); };
    if (!options.patterns.empty() && std::none_of(options.patterns.begin(), options.patterns.end(), asked)) {
      leave_out(kNotAsked);
      return nullptr;
    }
    if (duplicate) {
      leave_out(kDuplicate);
      return nullptr;
    }
    ++counts[kFile];
    ++done;
    auto capture = std::make_unique<FileCapture>(tree, path, shown(path));
    capture->place = url_of(path);
    capture->bytes = static_cast<std::uint64_t>(status.st_size);
    capture->fixed_time = options.time;
    capture->file_time = time_of(status);
    return capture;
  }

  // The next name; null where it is not a file to capture.
  std::unique_ptr<RawCapture> step(std::vector<Problem>& problems) {
    Level& level = levels.back();
    if (level.next == level.names.size()) {
      levels.pop_back();
      return nullptr;
    }
    const std::string name(level.names[level.next++]);
    const std::string path = level.prefix + name;
    struct stat status {};
    if (const int error = tree->stat(path, status)) {
      problems.push_back(unreadable(path, error));
    } else if (S_ISDIR(status.st_mode)) {
      take_directory(path, belongs_to_page(level, name), problems);
    } else if (S_ISREG(status.st_mode)) {
      return take_file(path, status, is_numbered_duplicate(name, level.names));
    } else {
      leave_out(S_ISLNK(status.st_mode) ? kLink : kSpecial);
    }
    return nullptr;
  }
};

Result<std::unique_ptr<DirectorySource>> DirectorySource::open(const std::string& directory,
                                                               const DirectoryOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->directory = directory;
  impl->options = options;
  if (!options.base_url.empty()) {
    BA_ASSIGN(impl->base, PathUrl::parse(options.base_url));
  }
  if (options.scheme != "http" && options.scheme != "https") {
    return Error{ErrorCode::invalid, fmt::format("'{}' is no scheme of the web: http or https", options.scheme)};
  }
  Descriptor root(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.is_open()) {
    return Error{ErrorCode::io, fmt::format("cannot read directory {}: {}", directory, std::strerror(errno))};
  }
  impl->tree = std::make_shared<const DirectoryTree>(std::move(root));
  if (const int error = impl->enter("")) {
    return Error{ErrorCode::io, fmt::format("cannot read directory {}: {}", directory, std::strerror(error))};
  }
  impl->look_at_root();
  return std::unique_ptr<DirectorySource>(new DirectorySource(std::move(impl)));
}

Result<std::unique_ptr<RawCapture>> DirectorySource::next(std::vector<Problem>& problems) {
  while (!impl_->levels.empty()) {
    if (auto capture = impl_->step(problems)) return capture;
  }
  return std::unique_ptr<RawCapture>();
}

SourceProgress DirectorySource::progress() const {
  return {impl_->done, 0, "files"};
}

std::map<std::string, std::uint64_t> DirectorySource::counts() const {
  return impl_->counts;
}

std::map<std::string, std::uint64_t> DirectorySource::not_kept() const {
  return impl_->not_kept;
}

DirectorySource::DirectorySource(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DirectorySource::~DirectorySource() = default;

}  // namespace blockarch
