#include "cli/contents.h"

#include <fmt/format.h>

namespace blockarch {
namespace {

// The page with its blocks left out: what two layouts differ in shows with any diff.
Bytes layout_text(const Layout& layout) {
  Bytes text = layout.literals.front();
  for (std::size_t slot = 0; slot < layout.slots(); ++slot) {
    text += fmt::format("{{{{slot {}}}}}", slot);
    text += layout.literals[slot + 1];
  }
  return text;
}

// A line for each node, indented by its depth: "block ID SIZE" for leaves, "node CHILDREN" for the others.
Bytes tree_text(const BlockTree& tree) {
  Bytes text;
  std::vector<std::uint32_t> open;  // children still to come, for each node on the way down
  for (const TreeNode& node : tree.nodes) {
    while (!open.empty() && open.back() == 0) open.pop_back();
    text.append(open.size() * 2, ' ');
    if (!open.empty()) --open.back();
    if (node.is_leaf()) {
      text += fmt::format("{} {} {}\n", kind_name(node.content.kind), node.content.hash.hex(), node.size);
    } else {
      text += fmt::format("node {}\n", node.children);
      open.push_back(node.children);
    }
  }
  return text;
}

Bytes metadata_text(const Metadata& metadata) {
  Bytes text;
  for (const auto& [key, value] : metadata.entries) text += fmt::format("{}: {}\n", key, value);
  return text;
}

Result<Bytes> readable(const Snapshot& snapshot, const ObjectId& id) {
  const ObjectSource& objects = snapshot.objects();
  switch (id.kind) {
    case ObjectKind::block:
      return load(objects, id);
    case ObjectKind::list: {
      BA_ASSIGN(const BlockList list, load_block_list(objects, ListId{id.hash}));
      return join_block(objects, id, list.size());
    }
    case ObjectKind::layout: {
      BA_ASSIGN(const Layout layout, load_layout(objects, LayoutId{id.hash}));
      return layout_text(layout);
    }
    case ObjectKind::tree: {
      BA_ASSIGN(const BlockTree tree, load_block_tree(objects, TreeId{id.hash}));
      return tree_text(tree);
    }
    case ObjectKind::version:
      return snapshot.page_bytes(VersionId{id.hash});
    case ObjectKind::metadata: {
      BA_ASSIGN(const Metadata metadata, load_metadata(objects, MetadataId{id.hash}));
      return metadata_text(metadata);
    }
  }
  return Error{ErrorCode::unsupported, fmt::format("{} is of a kind that this program does not know", id.text())};
}

}  // namespace

Result<Contents> contents_of(const Snapshot& snapshot, const Named& named, bool raw) {
  const auto* capture = std::get_if<CaptureInfo>(&named);
  const ObjectId id = capture != nullptr ? ObjectId(capture->version) : *std::get_if<ObjectId>(&named);
  BA_ASSIGN(Bytes bytes, raw ? load(snapshot.objects(), id) : readable(snapshot, id));
  return Contents{id, std::move(bytes)};
}

}  // namespace blockarch
