// The stored blocks of versions, for walks over many versions: trees alone are read, no page is put together.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "objects/object_source.h"

namespace blockarch {

struct Leaf {
  ObjectId content;  // a block or a list
  std::uint64_t size = 0;
  bool operator==(const Leaf&) const = default;
};

// The leaves of a block tree in the order of the page.
using Leaves = std::vector<Leaf>;
Leaves leaves_of(const BlockTree& tree);

// What walks over versions ask for; the payload's hash may be zero.
struct VersionLeaves {
  PageFacts facts;
  LayoutId layout;
  Leaves leaves;
};

// Reads versions and keeps the last few, so that a page that swings between two versions is decoded twice, not each time.
class LeafReader {
 public:
  explicit LeafReader(const ObjectSource& objects) : objects_(objects) {}

  Result<std::shared_ptr<const VersionLeaves>> of(const VersionId& version);

  const ObjectSource& objects() const { return objects_; }
  std::uint64_t trees_read() const { return trees_read_; }

 private:
  struct Known {
    VersionId version;
    std::shared_ptr<const VersionLeaves> leaves;
  };

  const ObjectSource& objects_;
  std::list<Known> known_;  // the last used first
  std::uint64_t trees_read_ = 0;
};

}  // namespace blockarch
