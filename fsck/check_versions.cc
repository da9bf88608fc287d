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

  Result<void> check(std::uint32_t number, const Hash256& hash) {
    if (!find_numbered(in_.versions, number, hash, ObjectKind::version)) return {};
    const VersionId id{hash};
    const auto version = load_version(in_.store, id);
    if (!version) return broken(number, version.error());
    in_.versions.set_payload(number, head_of(version->payload_hash));
    const std::string* layout_flaw = refer(id, version->layout, std::nullopt);
    if (layout_flaw) in_.versions.set_broken(number, *layout_flaw);
    const std::string* tree_flaw = refer(id, version->tree, std::nullopt);
    if (tree_flaw) in_.versions.set_broken(number, *tree_flaw);
    return layout_flaw || tree_flaw ? Result<void>() : check_shape(number, id, *version);
  }

  // The object that a number names must be here and be what it should be. False where it is not.
  bool find_numbered(Numbering& numbers, std::uint32_t number, const Hash256& id, ObjectKind kind) {
    ObjectCatalog::Entry* entry = in_.catalog.find(id);
    if (entry) entry->reached = true;
    if (const std::string* why = in_.catalog.why_broken(id)) {
      numbers.set_broken(number, *why);
      return false;
    }
    if (entry ? entry->kind == kind : look_in_packs(in_, kind, id) == Held::yes) return true;
    numbers.set_broken(number,
                       fmt::format("{} number {} names object {}, which is {}", numbers.what(), number, short_id(id),
                                   entry ? fmt::format("a {}", kind_name(entry->kind)) : "missing"));
    in_.log.add(findings::kNumberDangling, numbers.troubles().at(number).why);
    return false;
  }

 private:
  // What cannot be read is damage that has been said; other errors end the check.
  Result<void> broken(std::uint32_t number, const Error& error) {
    if (error.code != ErrorCode::corrupt) return error;
    in_.versions.set_broken(number, error.message);
    return {};
  }

  // Tree and layout fit each other and make a page of the right size.
  Result<void> check_shape(std::uint32_t number, const VersionId& id, const Version& version) {
    const auto layout = load_layout(in_.store, version.layout);
    if (!layout) return broken(number, layout.error());
    const auto tree = load_block_tree(in_.store, version.tree);
    if (!tree) return broken(number, tree.error());
    BA_TRY(follow_tree(version.tree, *tree));
    if (const std::string* why = in_.catalog.why_broken(version.tree.hash)) {
      in_.versions.set_broken(number, *why);
      return {};
    }
    const auto ranges = node_ranges(*layout, *tree);
    if (ranges && ranges->front().end == version.payload_size) return {};
    std::string why = fmt::format(
        "{}: {}", ObjectId(id).text(),
        ranges ? fmt::format("its parts make {} bytes instead of {}", ranges->front().end, version.payload_size)
               : ranges.error().message);
    in_.log.add(findings::kVersionInconsistent, why);
    in_.versions.set_broken(number, std::move(why));
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
      const Held held = look_in_packs(in_, to.kind, to.hash);
      if (held == Held::yes) return nullptr;
      return flawed(findings::kReferenceMissing, fmt::format("{} needs {}, which is {}", from.text(), to.text(),
                                                             held == Held::no ? "missing" : "in a damaged frame"));
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

// A chunk of ids stays while one of its numbers is not packed; the others must be what the pack says.
Result<void> compare_with_pack(Inspection& in, const Numbering& numbers, std::uint32_t number, const Hash256& id,
                               const Result<Hash256>& packed) {
  if (!packed) return packed.error().code == ErrorCode::corrupt ? Result<void>() : packed.error();
  if (*packed != id) {
    in.log.add(findings::kNumberConflict, fmt::format("{} number {} is {} in table {} and {} in a pack", numbers.what(),
                                                      number, short_id(id), numbers.table(), short_id(*packed)));
  }
  return {};
}

Result<Hash256> packed_version_id(const Inspection& in, std::uint32_t number) {
  const auto packed = in.store.packed_version(number);
  return packed->pack->version_id(packed->ordinal);
}

Result<Hash256> packed_metadata_id(const Inspection& in, std::uint32_t number) {
  const auto packed = in.store.packed_metadata(number);
  BA_ASSIGN(const Pack::Content content, packed->pack->metadata(packed->ordinal));
  return content.id();
}

}  // namespace

Result<void> check_versions(Inspection& in) {
  VersionCheck check(in);
  BA_TRY(read_numbers(in, in.tables.version_numbers, in.versions));
  BA_TRY(read_numbers(in, in.tables.metadata_numbers, in.metadata));
  in.report.versions = in.versions.count_given();
  std::uint64_t done = 0;
  for (const auto& [number, id] : in.versions.loose()) {
    if (in.versions.is_packed(number)) {
      BA_TRY(compare_with_pack(in, in.versions, number, id, packed_version_id(in, number)));
    } else {
      BA_TRY(check.check(number, id));
    }
    in.progress(kStage, ++done, in.versions.loose().size());
  }
  for (const auto& [number, id] : in.metadata.loose()) {
    if (!in.metadata.is_packed(number)) {
      check.find_numbered(in.metadata, number, id, ObjectKind::metadata);
    } else if (in.options.full) {
      BA_TRY(compare_with_pack(in, in.metadata, number, id, packed_metadata_id(in, number)));
    }
  }
  in.catalog.reach_bases();
  return {};
}

Result<void> check_pages(Inspection& in) {
  constexpr char kPages[] = "pages";
  std::uint64_t done = 0;
  for (const auto& [number, id] : in.versions.loose()) {
    in.progress(kPages, ++done, in.versions.loose().size());
    if (in.versions.is_broken(number) || in.versions.is_packed(number) || !is_drawn(in.options, number)) continue;
    ++in.report.rebuilt;
    BA_ASSIGN(const Version version, load_version(in.store, VersionId{id}));
    const auto page = join_page(in.store, version);
    if (page) continue;
    if (page.error().code != ErrorCode::corrupt) return page.error();
    in.versions.set_broken(number, page.error().message);
    in.log.add(findings::kPageDiffers, page.error().message);
  }
  return {};
}

}  // namespace blockarch
