// Two passes. The first goes URL by URL and writes the pages: versions of one page follow each other, so that each can
// be the difference from the one before, and one page is in memory. The second goes by time and writes trees and
// commits, for which only ids are needed.
#include "transfer/export_git.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <unordered_map>

#include "base/charset.h"
#include "base/file.h"
#include "base/hash.h"
#include "engine/site_names.h"
#include "transfer/export_directory.h"
#include "transfer/export_git_pack.h"
#include "transfer/export_git_tree.h"

namespace blockarch {
namespace {

constexpr std::string_view kSignature = "blockarch <blockarch@localhost>";
constexpr std::size_t kMaxSubject = 200;

// What can be said in a commit: UTF-8.
std::string shown_url(const ExportUrl& url) {
  return is_valid_utf8(url.given) ? url.given : url.url.href;
}

// A name that git takes for a branch (git-check-ref-format). What had to be changed is marked, so that no two become
// the same.
std::string branch_name(std::string_view host) {
  std::string name;
  for (const char c : host) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                       ((c == '.' || c == '-') && !name.empty() && name.back() != '.');
    name.push_back(plain ? c : '_');
  }
  if (name.ends_with('.') || name.ends_with(".lock") || name == "HEAD") name.push_back('_');
  if (name != host) name += "+" + blake3(host).hex().substr(0, 8);
  return name;
}

class GitExport {
 public:
  GitExport(const Snapshot& snapshot, const GitExportOptions& options, std::string directory, GitPackWriter pack)
      : snapshot_(snapshot), options_(options), directory_(std::move(directory)), pack_(std::move(pack)) {}

  Result<ExportReport> run() {
    BA_ASSIGN(total_, count_captures(snapshot_, options_.selection));
    BA_TRY(each_selected_url(snapshot_, options_.selection, [this](const ExportUrl& url) { return add_pages(url); }));
    names_.assign();
    std::sort(commits_.begin(), commits_.end());
    BA_TRY(write_commits());
    report_.objects = pack_.size();
    BA_TRY(pack_.finish());
    BA_TRY(write_refs());
    report_.output_bytes = pack_.bytes();
    return std::move(report_);
  }

 private:
  struct Commit {
    std::uint32_t branch = 0;
    Time time;
    std::uint32_t page = 0;
    std::uint32_t version = 0;
    std::uint32_t blob = 0;

    // Pages are numbered in key order and versions in order of arrival, so those of the same time have an order too.
    auto operator<=>(const Commit&) const = default;
  };
  struct PageName {
    std::string href;
    std::string shown;
  };
  struct VersionInfo {
    VersionId id;
    std::uint32_t type = 0;
  };

  // The state of the walk over one URL.
  struct Current {
    std::uint32_t page = 0;
    std::uint32_t branch = 0;
    std::optional<GitPackWriter::Number> blob;
    VersionId version;
    Bytes bytes;
    std::string media_type;
  };

  Result<void> add_pages(const ExportUrl& url);
  Result<void> add_page(const ExportUrl& url, const ExportCapture& capture, Current& current);
  std::uint32_t branch_of(const Url& url);
  std::uint32_t type_number(const std::string& type);
  Result<void> write_commits();
  Result<GitPackWriter::Number> write_commit(const Commit& commit, const GitId& tree, const GitId* parent);
  Result<void> write_refs();

  const Snapshot& snapshot_;
  const GitExportOptions& options_;
  const std::string directory_;
  GitPackWriter pack_;
  SiteNames names_;
  std::vector<PageName> pages_;
  std::vector<VersionInfo> versions_;
  std::vector<std::string> types_;
  std::vector<Commit> commits_;
  std::map<std::string, std::uint32_t> branches_;  // by name
  std::vector<std::optional<GitId>> tips_;         // by number
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
  ExportReport report_;
};

std::uint32_t GitExport::branch_of(const Url& url) {
  const std::string name = !options_.branch_per_host ? "main" : branch_name(url.host.empty() ? url.scheme : url.host);
  const auto [found, is_new] = branches_.emplace(name, static_cast<std::uint32_t>(tips_.size()));
  if (is_new) tips_.emplace_back();
  return found->second;
}

std::uint32_t GitExport::type_number(const std::string& type) {
  const auto found = std::find(types_.begin(), types_.end(), type);
  if (found != types_.end()) return static_cast<std::uint32_t>(found - types_.begin());
  types_.push_back(type);
  return static_cast<std::uint32_t>(types_.size() - 1);
}

Result<void> GitExport::add_pages(const ExportUrl& url) {
  Current current;
  current.page = static_cast<std::uint32_t>(pages_.size());
  current.branch = branch_of(url.url);
  BA_TRY(each_selected_capture(snapshot_, options_.selection, url.number,
                               [&](const ExportCapture& capture) { return add_page(url, capture, current); }));
  done_ += url.captures;
  if (options_.progress) options_.progress(done_, total_);
  if (!current.blob) return {};
  // One file for the whole history, named after what the page is now.
  names_.add(url.url, current.media_type);
  pages_.push_back({url.url.href, shown_url(url)});
  ++report_.urls;
  return {};
}

Result<void> GitExport::add_page(const ExportUrl& url, const ExportCapture& capture, Current& current) {
  if (current.blob && current.version == capture.version) {
    ++report_.captures;
    report_.payload_bytes += current.bytes.size();
    return {};
  }
  auto page = snapshot_.page(capture.version);
  if (!page) {
    if (page.error().code != ErrorCode::corrupt && page.error().code != ErrorCode::not_found) return page.error();
    report_.add_problem(fmt::format("{} at {}: {}", url.given, format_rfc3339(capture.time), page.error().message));
    return {};
  }
  GitPackWriter::Base base{current.blob.value_or(0), current.bytes};
  BA_ASSIGN(const auto blob, pack_.add(GitKind::blob, page->bytes, current.blob ? &base : nullptr));
  const bool changed = blob != current.blob;
  current.blob = blob;
  current.version = capture.version;
  current.bytes = std::move(page->bytes);
  current.media_type = page->version.media_type;
  ++report_.captures;
  report_.payload_bytes += current.bytes.size();
  if (!changed) return {};  // the same bytes, cut by another segmenter
  versions_.push_back({capture.version, type_number(current.media_type)});
  commits_.push_back(
      {current.branch, capture.time, current.page, static_cast<std::uint32_t>(versions_.size() - 1), blob});
  return {};
}

Result<void> GitExport::write_commits() {
  GitTree tree;
  std::optional<std::uint32_t> branch;
  std::uint64_t written = 0;
  for (const Commit& commit : commits_) {
    if (branch != commit.branch) tree = GitTree();
    branch = commit.branch;
    const std::string_view path = names_.path_of(pages_[commit.page].href);
    BA_ASSIGN(const GitId root, tree.set(pack_, path, pack_.id(commit.blob)));
    std::optional<GitId>& tip = tips_[commit.branch];
    BA_ASSIGN(const auto number, write_commit(commit, root, tip ? &*tip : nullptr));
    tip = pack_.id(number);
    if (options_.progress) options_.progress(++written, commits_.size());
  }
  report_.commits = commits_.size();
  return {};
}

Result<GitPackWriter::Number> GitExport::write_commit(const Commit& commit, const GitId& tree, const GitId* parent) {
  // Floor, not towards zero; and git has no time before 1970.
  const std::int64_t seconds = std::max<std::int64_t>(0, commit.time.micros) / 1'000'000;
  const std::string& url = pages_[commit.page].shown;
  const VersionInfo& version = versions_[commit.version];
  std::string text = fmt::format("tree {}\n", tree.hex());
  if (parent != nullptr) text += fmt::format("parent {}\n", parent->hex());
  text += fmt::format("author {0} {1} +0000\ncommitter {0} {1} +0000\n\n", kSignature, seconds);
  // A cut must not end inside a character.
  std::size_t cut = std::min(url.size(), kMaxSubject);
  while (cut < url.size() && cut > 0 && (static_cast<unsigned char>(url[cut]) & 0xc0) == 0x80) --cut;
  text += fmt::format("{}\n\nUrl: {}\nCaptured: {}\nVersion: {}\nType: {}\n", url.substr(0, cut), url,
                      format_rfc3339(commit.time), version.id.hash.hex(), types_[version.type]);
  return pack_.add(GitKind::commit, text);
}

Result<void> GitExport::write_refs() {
  FileSystem& files = posix_files();
  std::string refs = "# pack-refs with: peeled fully-peeled sorted \n";
  std::string head = "main";
  for (const auto& [name, number] : branches_) {
    if (!tips_[number]) continue;
    if (report_.branches == 0) head = name;
    ++report_.branches;
    refs += fmt::format("{} refs/heads/{}\n", tips_[number]->hex(), name);
  }
  BA_TRY(files.write_file(directory_ + "/packed-refs", refs));
  BA_TRY(files.write_file(directory_ + "/config",
                          "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"));
  BA_TRY(files.write_file(directory_ + "/description", "Web pages, exported by blockarch\n"));
  return files.write_file(directory_ + "/HEAD", fmt::format("ref: refs/heads/{}\n", head));
}

}  // namespace

Result<ExportReport> export_git(const Snapshot& snapshot, const std::string& directory,
                                const GitExportOptions& options) {
  BA_ASSIGN(ExportDirectory target, ExportDirectory::create(directory));
  FileSystem& files = posix_files();
  for (const char* name : {"/objects", "/objects/info", "/objects/pack", "/refs", "/refs/heads", "/refs/tags"}) {
    BA_TRY(files.make_directory(target.path() + name));
  }
  BA_ASSIGN(GitPackWriter pack, GitPackWriter::create(target.path() + "/objects/pack"));
  BA_ASSIGN(ExportReport report, GitExport(snapshot, options, target.path(), std::move(pack)).run());
  BA_TRY(target.finish());
  return report;
}

}  // namespace blockarch
