// Pages that are packed together: the versions of a URL, or of several small ones that are neighbours. Knows which objects
// they are made of and how long each stayed, and from that the order in which they are written.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "objects/block_list.h"
#include "objects/block_tree.h"
#include "objects/object_id.h"
#include "pack/object_store.h"

namespace blockarch {

// A block or layout on its way into a pack.
struct GroupContent {
  ObjectId id;
  std::uint64_t size = 0;
  std::uint32_t url = 0;    // within the group
  std::uint32_t first = 0;  // version of that URL that first shows it, and the last one
  std::uint32_t last = 0;
  std::uint32_t position = 0;  // order of finding
};

struct GroupVersion {
  std::uint32_t number = 0;  // archive-wide, as it is now
  Hash256 id;
  VersionFacts facts;
  LayoutId layout;
  Hash256 tree_id;
  BlockTree tree;
};

class PackGroup {
 public:
  explicit PackGroup(const ObjectStore& objects) : objects_(objects) {}

  void begin_url();
  Result<void> add_version(std::uint32_t number, const Hash256& id);

  // What no version of the group refers to.
  void add_content(const ObjectId& id, std::uint64_t size) { see(id, size); }
  Result<void> add_list(const Hash256& id) { return see_list(id); }

  const std::vector<GroupVersion>& versions() const { return versions_; }
  std::vector<GroupVersion>& versions() { return versions_; }
  const std::vector<GroupContent>& contents() const { return contents_; }
  // Lists that versions of the group refer to.
  const BlockList& list(const Hash256& id) const { return lists_.at(id); }
  std::uint64_t content_bytes() const { return content_bytes_; }
  // About what it takes in memory.
  std::uint64_t memory() const { return memory_; }

  // Positions in contents(), in the order in which they are to be written. A page needs what lies on one way through a
  // tree over its URL's versions: each content belongs to the smallest node that covers its life.
  std::vector<std::uint32_t> lineage_order() const;
  // Which contents live longest, up to so many bytes.
  std::vector<bool> longest_lived(std::uint64_t bytes) const;

 private:
  void see(const ObjectId& id, std::uint64_t size);
  Result<void> see_list(const Hash256& id);

  const ObjectStore& objects_;
  std::vector<GroupVersion> versions_;
  std::vector<GroupContent> contents_;
  std::unordered_map<Hash256, std::uint32_t> places_;
  std::unordered_map<Hash256, BlockList> lists_;
  std::vector<std::uint32_t> versions_of_url_;
  std::uint64_t content_bytes_ = 0;
  std::uint64_t memory_ = 0;
};

}  // namespace blockarch
