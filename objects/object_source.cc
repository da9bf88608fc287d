#include "objects/object_source.h"

#include <fmt/format.h>

namespace blockarch {
namespace {

// Decoders do not know which object they read; the id makes their messages useful.
template <typename T>
Result<T> with_id(Result<T> decoded, const ObjectId& id) {
  if (decoded.has_value()) return decoded;
  return Error{decoded.error().code, fmt::format("{} cannot be read: {}", id.text(), decoded.error().message)};
}

}  // namespace

Result<Bytes> load(const ObjectSource& source, const ObjectId& id) {
  BA_ASSIGN(auto object, source.find(id.hash));
  if (!object) return Error{ErrorCode::corrupt, fmt::format("{} is missing: run blockarch fsck", id.text())};
  if (object->kind != id.kind) {
    return Error{ErrorCode::corrupt, fmt::format("{} is stored as a {}", id.text(), kind_name(object->kind))};
  }
  return std::move(object->content);
}

Result<BlockList> load_block_list(const ObjectSource& source, const ListId& id) {
  BA_ASSIGN(const Bytes content, load(source, id));
  return with_id(decode_block_list(content), id);
}

Result<Layout> load_layout(const ObjectSource& source, const LayoutId& id) {
  BA_ASSIGN(const Bytes content, load(source, id));
  return with_id(decode_layout(content), id);
}

Result<BlockTree> load_block_tree(const ObjectSource& source, const TreeId& id) {
  BA_ASSIGN(const Bytes content, load(source, id));
  return with_id(decode_block_tree(content), id);
}

Result<Version> load_version(const ObjectSource& source, const VersionId& id) {
  BA_ASSIGN(const Bytes content, load(source, id));
  return with_id(decode_version(content), id);
}

Result<Metadata> load_metadata(const ObjectSource& source, const MetadataId& id) {
  BA_ASSIGN(const Bytes content, load(source, id));
  return with_id(decode_metadata(content), id);
}

Result<VersionParts> ObjectSource::version_parts(const VersionId& id) const {
  BA_ASSIGN(const Version version, load_version(*this, id));
  BA_ASSIGN(BlockTree tree, load_block_tree(*this, version.tree));
  return VersionParts{version, version.layout, std::move(tree)};
}

Result<Hash256> resolve_prefix(const ObjectSource& source, std::string_view hex) {
  constexpr std::size_t kShown = 5;
  if (hex.size() < 4 || hex.size() > 64 || hex.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos) {
    return Error{ErrorCode::invalid, fmt::format("'{}' is not an object id: write 4 to 64 hexadecimal digits", hex)};
  }
  BA_ASSIGN(const auto found, source.find_prefix(hex, kShown + 1));
  if (found.empty()) return Error{ErrorCode::not_found, fmt::format("no object has the id {}", hex)};
  if (found.size() == 1) return found[0];
  std::string names;
  for (std::size_t i = 0; i < found.size() && i < kShown; ++i) names += fmt::format(" {}", short_id(found[i]));
  return Error{ErrorCode::invalid,
               fmt::format("{} is the beginning of several ids:{}{}", hex, names, found.size() > kShown ? " …" : "")};
}

}  // namespace blockarch
