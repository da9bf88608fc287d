// Where objects are read from: the loose store, memory, later packs. Reading verifies: content that does not hash to its
// id is reported as corrupt and never handed out.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "objects/block_list.h"
#include "objects/block_tree.h"
#include "objects/layout.h"
#include "objects/metadata.h"
#include "objects/object_id.h"
#include "objects/version.h"

namespace blockarch {

struct Object {
  ObjectKind kind = ObjectKind::block;
  Bytes content;
};

// What a version is made of. The payload's hash is zero where finding it out would mean reading the page.
struct VersionParts {
  PageFacts facts;
  LayoutId layout;
  BlockTree tree;
};

class ObjectSource {
 public:
  virtual ~ObjectSource() = default;

  // Nothing where the object is not here; corrupt where it is damaged.
  virtual Result<std::optional<Object>> find(const Hash256& id) const = 0;
  virtual Result<bool> contains(const Hash256& id) const = 0;
  // Ids that begin with these hexadecimal digits, at most `limit` of them, in order.
  virtual Result<std::vector<Hash256>> find_prefix(std::string_view hex, std::size_t limit) const = 0;
  // Of a version that must be there; for walks over many versions.
  virtual Result<VersionParts> version_parts(const VersionId& id) const;
};

// The content of an object that must be there: corrupt where it is missing or of another kind.
Result<Bytes> load(const ObjectSource& source, const ObjectId& id);

Result<BlockList> load_block_list(const ObjectSource& source, const ListId& id);
Result<Layout> load_layout(const ObjectSource& source, const LayoutId& id);
Result<BlockTree> load_block_tree(const ObjectSource& source, const TreeId& id);
Result<Version> load_version(const ObjectSource& source, const VersionId& id);
Result<Metadata> load_metadata(const ObjectSource& source, const MetadataId& id);

// The one id that begins with `hex` (4 to 64 digits). not_found, or invalid where several do: the message lists them.
Result<Hash256> resolve_prefix(const ObjectSource& source, std::string_view hex);

}  // namespace blockarch
