#include "transfer/git_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>

#include "base/url.h"
#include "engine/glob.h"
#include "objects/version.h"
#include "transfer/file_type.h"
#include "transfer/git_changes.h"
#include "transfer/git_library.h"
#include "transfer/path_url.h"

namespace blockarch {
namespace {

// A tree can name itself a few times on every level and have more files than anybody can read.
constexpr std::uint64_t kMaxChanges = 20'000'000;

constexpr char kCommit[] = "commit";
constexpr char kFile[] = "file";
constexpr char kLink[] = "symbolic link";
constexpr char kSubmodule[] = "submodule";
constexpr char kDeleted[] = "deleted";
constexpr char kNotAsked[] = "not asked for";

class BlobCapture : public RawCapture {
 public:
  BlobCapture(std::shared_ptr<RepositoryPool> pool, GitId blob, std::string path)
      : pool_(std::move(pool)), blob_(blob), path_(std::move(path)) {}

  std::string url;
  Time time;
  std::uint64_t bytes = 0;
  std::string shown;

  std::uint64_t size() const override { return bytes; }

  Decoded decode() override {
    Decoded decoded;
    auto page = pool_->read_blob(blob_, kMaxPayload);
    if (!page) {
      const bool too_large = page.error().code == ErrorCode::too_large;
      decoded.problems.push_back(
          {too_large ? ProblemKind::too_large : ProblemKind::damaged, shown, 0, page.error().message});
      return decoded;
    }
    DecodedCapture capture;
    capture.url = std::move(url);
    capture.time = time;
    capture.owned = std::move(*page);
    capture.payload_is_owned = true;
    capture.content_type = content_type_of_file(path_, capture.owned);
    capture.file = shown;
    decoded.captures.push_back(std::move(capture));
    return decoded;
  }

 private:
  std::shared_ptr<RepositoryPool> pool_;  // captures may be decoded when the source has been read to its end
  GitId blob_;
  std::string path_;
};

const char* counted_as(GitChange::Kind kind) {
  switch (kind) {
    case GitChange::Kind::link:
      return kLink;
    case GitChange::Kind::submodule:
      return kSubmodule;
    case GitChange::Kind::deleted:
      return kDeleted;
    case GitChange::Kind::file:
      break;
  }
  return kFile;
}

}  // namespace

std::string url_in_message(std::string_view message) {
  const std::size_t begin = std::min(message.find("http://"), message.find("https://"));
  if (begin == std::string_view::npos) return {};
  std::string_view url = message.substr(begin);
  url = url.substr(0, url.find_first_of(" \t\r\n<>\"'`"));
  // What ends a sentence or closes a bracket around the URL.
  while (!url.empty() && std::string_view(".,;:!?)]}").find(url.back()) != std::string_view::npos) {
    if (url.back() == ')' && url.find('(') != std::string_view::npos) break;
    url.remove_suffix(1);
  }
  return parse_url(url) ? std::string(url) : std::string();
}

struct GitSource::Impl {
  std::string path;
  GitOptions options;
  std::optional<PathUrl> base;
  Git<git_repository> repository;  // of the reading thread
  Git<git_odb> objects;
  std::shared_ptr<RepositoryPool> pool;
  CommitList commits;
  std::size_t next_commit = 0;
  std::atomic<std::uint64_t> done{0};
  std::map<std::string, std::uint64_t> counts;
  std::map<std::string, std::uint64_t> not_kept;

  // The commit that is being read.
  std::optional<GitChanges> changes;
  std::vector<Git<git_tree>> other_parents;
  std::deque<GitChange> waiting;  // files, at most two
  std::uint64_t change_count = 0;
  std::string commit_name;
  Time commit_time;
  std::string message_url;
  bool several_files = false;

  Problem problem(ProblemKind kind, std::string message) const {
    return {kind, path + " " + commit_name, 0, std::move(message)};
  }

  Git<git_tree> tree_of(git_commit& commit) const {
    git_tree* tree = nullptr;
    return git_commit_tree(&tree, &commit) == 0 ? Git<git_tree>(tree) : nullptr;
  }

  Git<git_tree> parent_tree(git_commit& commit, unsigned number) const {
    git_commit* parent = nullptr;
    if (git_commit_parent(&parent, &commit, number) != 0) return nullptr;
    const Git<git_commit> owner(parent);
    return tree_of(*parent);
  }

  void open_commit(const GitId& id, std::vector<Problem>& problems) {
    commit_name = short_hex(id);
    ++counts[kCommit];
    const Git<git_commit> commit = find_commit(repository.get(), id);
    Git<git_tree> tree = commit ? tree_of(*commit) : nullptr;
    if (!tree) {
      problems.push_back(problem(ProblemKind::damaged, "the commit cannot be read: " + git_reason()));
      return;
    }
    const git_signature* who =
        options.committer_time ? git_commit_committer(commit.get()) : git_commit_author(commit.get());
    commit_time = Time::from_seconds(who ? who->when.time : git_commit_time(commit.get()));
    const char* message = git_commit_message(commit.get());
    message_url = base ? std::string() : url_in_message(message ? message : "");
    // Where the parent is missing (a shallow clone), the commit stands for all before it.
    Git<git_tree> before = parent_tree(*commit, 0);
    other_parents.clear();
    if (options.all_parents) {
      for (unsigned i = 1; i < git_commit_parentcount(commit.get()); ++i) {
        if (auto other = parent_tree(*commit, i)) other_parents.push_back(std::move(other));
      }
    }
    change_count = 0;
    several_files = false;
    changes.emplace(repository.get(), std::move(before), std::move(tree));
  }

  // A merge took it from another parent as it was: it is captured there.
  bool is_of_other_parent(const GitChange& change) const {
    return std::any_of(other_parents.begin(), other_parents.end(), [&](const Git<git_tree>& tree) {
      git_tree_entry* entry = nullptr;
      const int error = git_tree_entry_bypath(&entry, tree.get(), change.path.c_str());
      const bool is_deleted = change.kind == GitChange::Kind::deleted;
      const bool same =
          error == 0 ? !is_deleted && std::equal(change.id.begin(), change.id.end(), git_tree_entry_id(entry)->id)
                     : is_deleted;
      git_tree_entry_free(entry);
      return same;
    });
  }

  bool is_asked(const std::string& file) const {
    return options.patterns.empty() ||
           std::any_of(options.patterns.begin(), options.patterns.end(),
                       [&](const std::string& pattern) { return matches_glob(pattern, file); });
  }

  // The next file of this commit that is to be captured; the rest is counted.
  std::optional<GitChange> next_file(std::vector<Problem>& problems) {
    GitChange change;
    std::vector<std::string> unreadable;
    std::optional<GitChange> found;
    while (!found && changes->next(change, unreadable)) {
      if (++change_count > kMaxChanges) {
        problems.push_back(problem(ProblemKind::too_large, fmt::format("over {} changes", kMaxChanges)));
        break;
      }
      if (is_of_other_parent(change)) continue;
      const bool asked = is_asked(change.path);
      const char* kind = asked ? counted_as(change.kind) : kNotAsked;
      ++counts[kind];
      if (asked && change.kind == GitChange::Kind::file) {
        found = std::move(change);
      } else {
        ++not_kept[kind];
      }
    }
    for (std::string& text : unreadable) problems.push_back(problem(ProblemKind::damaged, std::move(text)));
    return found;
  }

  std::unique_ptr<RawCapture> capture_of(const GitChange& change, std::vector<Problem>& problems) {
    const std::string shown = fmt::format("{} {}:{}", path, commit_name, change.path);
    if (!base && (several_files || message_url.empty())) {
      problems.push_back({ProblemKind::unsupported, shown, 0,
                          several_files ? "the commit changes several files: give a base URL"
                                        : "the message of the commit names no URL: give a base URL"});
      return nullptr;
    }
    auto capture = std::make_unique<BlobCapture>(pool, change.id, change.path);
    capture->url = base ? base->url(encode_path(change.path)) : message_url;
    capture->time = commit_time;
    capture->shown = shown;
    capture->bytes = object_size(objects.get(), change.id);
    return capture;
  }

  // Whether one URL can stand for all files of a commit is known when the second one is.
  void look_ahead(std::vector<Problem>& problems) {
    const std::size_t wanted = base ? 1 : 2;
    while (changes && waiting.size() < wanted) {
      if (auto file = next_file(problems)) {
        waiting.push_back(std::move(*file));
      } else {
        changes.reset();
      }
    }
    several_files = several_files || waiting.size() > 1;
  }

  // False at the end.
  bool step(std::unique_ptr<RawCapture>& capture, std::vector<Problem>& problems) {
    look_ahead(problems);
    if (!waiting.empty()) {
      const GitChange change = std::move(waiting.front());
      waiting.pop_front();
      capture = capture_of(change, problems);
      return true;
    }
    if (next_commit == commits.ids.size()) return false;
    open_commit(commits.ids[next_commit++], problems);
    done = next_commit;
    return true;
  }
};

Result<std::unique_ptr<GitSource>> GitSource::open(const std::string& repository, const GitOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->path = repository;
  impl->options = options;
  if (!options.base_url.empty()) {
    BA_ASSIGN(impl->base, PathUrl::parse(options.base_url));
  }
  BA_ASSIGN(impl->repository, open_repository(repository));
  BA_ASSIGN(impl->commits, list_commits(impl->repository.get(), repository, options.branch, options.all_parents));
  BA_ASSIGN(impl->objects, open_objects(impl->repository.get(), repository));
  impl->pool = std::make_shared<RepositoryPool>(repository);
  return std::unique_ptr<GitSource>(new GitSource(std::move(impl)));
}

Result<std::unique_ptr<RawCapture>> GitSource::next(std::vector<Problem>& problems) {
  if (impl_->commits.missing) {
    impl_->commit_name = short_hex(*impl_->commits.missing);
    problems.push_back(impl_->problem(ProblemKind::damaged, "the commit is missing: history begins after it"));
    impl_->commits.missing.reset();
  }
  std::unique_ptr<RawCapture> capture;
  while (!capture && impl_->step(capture, problems)) {
  }
  return capture;
}

SourceProgress GitSource::progress() const {
  return {impl_->done, impl_->commits.ids.size(), "commits"};
}

std::map<std::string, std::uint64_t> GitSource::counts() const {
  return impl_->counts;
}

std::map<std::string, std::uint64_t> GitSource::not_kept() const {
  return impl_->not_kept;
}

GitSource::GitSource(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GitSource::~GitSource() = default;

}  // namespace blockarch
