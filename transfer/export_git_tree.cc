#include "transfer/export_git_tree.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "transfer/export_git_delta.h"

namespace blockarch {
namespace {

constexpr std::string_view kFile = "100644";
constexpr std::string_view kDirectory = "40000";

struct TreeEntry {
  std::string_view mode;
  std::string_view name;
  std::size_t begin = 0;
  std::size_t id = 0;  // where its 20 bytes begin
  std::size_t end = 0;
};

TreeEntry entry_at(std::string_view content, std::size_t at) {
  const std::size_t blank = content.find(' ', at);
  const std::size_t null = content.find('\0', blank);
  return {content.substr(at, blank - at), content.substr(blank + 1, null - blank - 1), at, null + 1, null + 21};
}

// Git sorts a directory as if its name ended in "/".
bool sorts_after(const TreeEntry& entry, std::string_view mode, std::string_view name) {
  const std::size_t common = std::min(entry.name.size(), name.size());
  if (const int order = entry.name.substr(0, common).compare(name.substr(0, common)); order != 0) return order > 0;
  const auto next = [common](std::string_view m, std::string_view n) {
    return n.size() > common ? static_cast<unsigned char>(n[common]) : m == kDirectory ? '/' : '\0';
  };
  return next(entry.mode, entry.name) > next(mode, name);
}

}  // namespace

struct GitTree::Directory {
  Bytes content;                                // the tree object
  std::optional<GitPackWriter::Number> object;  // as which it was last written
  std::map<std::string, std::unique_ptr<Directory>, std::less<>> inner;

  // Sets an entry and writes the tree.
  Result<GitId> set(GitPackWriter& pack, std::string_view mode, std::string_view name, const GitId& id);
};

Result<GitId> GitTree::Directory::set(GitPackWriter& pack, std::string_view mode, std::string_view name,
                                      const GitId& id) {
  std::size_t at = 0;       // where the new bytes go
  std::size_t removed = 0;  // of the old ones
  Bytes added;
  while (at < content.size()) {
    const TreeEntry entry = entry_at(content, at);
    if (entry.name == name && entry.mode == mode) {
      at = entry.id;
      removed = id.bytes.size();
      break;
    }
    if (sorts_after(entry, mode, name)) break;
    at = entry.end;
  }
  if (removed == 0) {
    added.append(mode).append(" ").append(name).push_back('\0');
  }
  added.append(id.view());
  const std::size_t rest = content.size() - at - removed;
  GitDeltaBuilder delta(content.size(), content.size() - removed + added.size());
  delta.copy(0, at);
  delta.insert(added);
  delta.copy(at + removed, rest);
  content.replace(at, removed, added);
  if (object) {
    BA_ASSIGN(object, pack.add_with_delta(GitKind::tree, content, delta.take(), *object));
  } else {
    BA_ASSIGN(object, pack.add(GitKind::tree, content));
  }
  return pack.id(*object);
}

GitTree::GitTree() : root_(std::make_unique<Directory>()) {}
GitTree::GitTree(GitTree&&) noexcept = default;
GitTree& GitTree::operator=(GitTree&&) noexcept = default;
GitTree::~GitTree() = default;

Result<GitId> GitTree::set(GitPackWriter& pack, std::string_view path, const GitId& blob) {
  std::vector<std::pair<Directory*, std::string_view>> way;  // each with the name of what changes in it
  Directory* directory = root_.get();
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    way.emplace_back(directory, name);
    if (slash == std::string_view::npos) break;
    auto found = directory->inner.find(name);
    if (found == directory->inner.end()) {
      found = directory->inner.emplace(std::string(name), std::make_unique<Directory>()).first;
    }
    directory = found->second.get();
    path.remove_prefix(slash + 1);
  }
  GitId id = blob;
  std::string_view mode = kFile;
  for (; !way.empty(); way.pop_back()) {
    BA_ASSIGN(id, way.back().first->set(pack, mode, way.back().second, id));
    mode = kDirectory;
  }
  return id;
}

}  // namespace blockarch
