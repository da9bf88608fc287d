// From numbers to versions to everything they are made of. Each tree and list is followed once; what is wrong below it
// makes it broken, and with it every version that needs it.
#include <fmt/format.h>

#include "fsck/inspection.h"
#include "objects/page.h"

namespace blockarch {
namespace {

constexpr char kStage[] = "versions";

class VersionCheck {
 public:
  explicit VersionCheck(Inspection& inspection) : in_(inspection) {}

  Result<void> check(std::uint64_t number, Numbered& numbered) {
    BA_TRY(find_numbered(number, numbered, ObjectKind::version, "version"));
    if (!numbered.why_broken.empty()) return {};
    const VersionId id{*numbered.id};
    BA_ASSIGN(const Version version, load_version(in_.store, id));
    numbered.payload = version.payload_hash;
    const std::string* layout_flaw = refer(id, version.layout, std::nullopt);
    const std::string* tree_flaw = refer(id, version.tree, std::nullopt);
    if (tree_flaw) numbered.why_broken = *tree_flaw;
    if (layout_flaw) numbered.why_broken = *layout_flaw;
    if (!layout_flaw && !tree_flaw) BA_TRY(check_shape(id, version, numbered));
    return {};
  }

  // The object that a number names must be here and be what it should be.
  Result<void> find_numbered(std::uint64_t number, Numbered& numbered, ObjectKind kind, const char* what) {
    if (!numbered.id) {
      numbered.why_broken = fmt::format("the entry of {} number {} is damaged", what, number);
      return {};
    }
    ObjectCatalog::Entry* entry = in_.catalog.find(*numbered.id);
    if (entry) entry->reached = true;
    if (const std::string* why = in_.catalog.why_broken(*numbered.id)) {
      numbered.why_broken = *why;
    } else if (!entry || entry->kind != kind) {
      numbered.why_broken =
          fmt::format("{} number {} names object {}, which is {}", what, number, short_id(*numbered.id),
                      entry ? fmt::format("a {}", kind_name(entry->kind)) : "missing");
      in_.log.add(findings::kNumberDangling, numbered.why_broken);
    }
    return {};
  }

 private:
  // Tree and layout fit each other and make a page of the right size.
  Result<void> check_shape(const VersionId& id, const Version& version, Numbered& numbered) {
    BA_ASSIGN(const Layout layout, load_layout(in_.store, version.layout));
    BA_ASSIGN(const BlockTree tree, load_block_tree(in_.store, version.tree));
    BA_TRY(follow_tree(version.tree, tree));
    if (const std::string* why = in_.catalog.why_broken(version.tree.hash)) {
      numbered.why_broken = *why;
      return {};
    }
    const auto ranges = node_ranges(layout, tree);
    if (ranges && ranges->front().end == version.payload_size) return {};
    numbered.why_broken = fmt::format(
        "{}: {}", ObjectId(id).text(),
        ranges ? fmt::format("its parts make {} bytes instead of {}", ranges->front().end, version.payload_size)
               : ranges.error().message);
    in_.log.add(findings::kVersionInconsistent, numbered.why_broken);
    return {};
  }

  Result<void> follow_tree(const TreeId& id, const BlockTree& tree) {
    ObjectCatalog::Entry* entry = in_.catalog.find(id.hash);
    if (!entry || std::exchange(entry->followed, true)) return {};
    for (const TreeNode& node : tree.nodes) {
      if (!node.is_leaf()) continue;
      const std::string* flaw = refer(id, node.content, node.size);
      if (!flaw && node.content.kind == ObjectKind::list) BA_TRY(follow_list(ListId{node.content.hash}));
      if (!flaw) flaw = in_.catalog.why_broken(node.content.hash);
      if (flaw) in_.catalog.set_broken(id.hash, std::string(*flaw));
    }
    return {};
  }

  Result<void> follow_list(const ListId& id) {
    ObjectCatalog::Entry* entry = in_.catalog.find(id.hash);
    if (!entry || std::exchange(entry->followed, true)) return {};
    BA_ASSIGN(const BlockList list, load_block_list(in_.store, id));
    for (const Chunk& chunk : list.chunks) {
      const std::string* flaw = refer(id, chunk.id, chunk.size);
      if (flaw) in_.catalog.set_broken(id.hash, std::string(*flaw));
    }
    return {};
  }

  // What is wrong with the reference or with what it names; nullptr where nothing is. The text lives until the next
  // call.
  const std::string* refer(const ObjectId& from, const ObjectId& to, std::optional<std::uint64_t> size) {
    ObjectCatalog::Entry* entry = in_.catalog.find(to.hash);
    if (!entry) {
      return flawed(findings::kReferenceMissing, fmt::format("{} needs {}, which is missing", from.text(), to.text()));
    }
    entry->reached = true;
    if (const std::string* why = in_.catalog.why_broken(to.hash)) return why;
    if (entry->kind != to.kind) {
      return flawed(findings::kReferenceWrongKind,
                    fmt::format("{} needs {}, which is a {}", from.text(), to.text(), kind_name(entry->kind)));
    }
    if (size && entry->size != *size) {
      return flawed(findings::kReferenceWrongSize,
                    fmt::format("{} needs {} with {} bytes, which has {}", from.text(), to.text(), *size, entry->size));
    }
    return nullptr;
  }

  const std::string* flawed(const FindingKind& kind, std::string message) {
    in_.log.add(kind, message);
    flaw_ = std::move(message);
    return &flaw_;
  }

  Inspection& in_;
  std::string flaw_;
};

}  // namespace

Result<void> check_versions(Inspection& in) {
  VersionCheck check(in);
  BA_ASSIGN(in.versions, read_numbers(in, in.tables.version_numbers, "version_numbers"));
  BA_ASSIGN(in.metadata, read_numbers(in, in.tables.metadata_numbers, "metadata_numbers"));
  in.report.versions = in.versions.size();
  for (std::uint64_t number = 0; number < in.versions.size(); ++number) {
    BA_TRY(check.check(number, in.versions[number]));
    in.progress(kStage, number + 1, in.versions.size());
  }
  for (std::uint64_t number = 0; number < in.metadata.size(); ++number) {
    BA_TRY(check.find_numbered(number, in.metadata[number], ObjectKind::metadata, "metadata"));
  }
  in.catalog.reach_bases();
  return {};
}

Result<void> check_pages(Inspection& in) {
  constexpr char kPages[] = "pages";
  for (std::uint64_t number = 0; number < in.versions.size(); ++number) {
    Numbered& numbered = in.versions[number];
    in.progress(kPages, number + 1, in.versions.size());
    if (!numbered.why_broken.empty()) continue;
    BA_ASSIGN(const Version version, load_version(in.store, VersionId{*numbered.id}));
    const auto page = join_page(in.store, version);
    if (page) continue;
    if (page.error().code != ErrorCode::corrupt) return page.error();
    numbered.why_broken = page.error().message;
    in.log.add(findings::kPageDiffers, numbered.why_broken);
  }
  return {};
}

}  // namespace blockarch
