// The meta page that a commit is about to overwrite, to be put back where the commit fails. LMDB then leaves the old
// transaction's number with the new state's roots there: nobody reads that page again, but a checker could not tell it
// from a damaged one. Nobody outside base/lmdb*.cc includes this.
#pragma once

#include <array>
#include <cstdint>

struct MDB_env;

namespace blockarch::lmdb_detail {

class MetaPageKeeper {
 public:
  // Before the commit of the transaction with this number.
  MetaPageKeeper(MDB_env* env, std::uint64_t transaction);
  // After it failed. Best effort: where the disk does not take this either, the page stays as LMDB left it.
  void put_back() const;

 private:
  // All of what a meta page holds, and less than a sector, which disks write as a whole.
  std::array<char, 256> bytes_{};
  std::int64_t offset_ = 0;
  int descriptor_ = -1;  // LMDB's own; -1 where the page could not be read
};

}  // namespace blockarch::lmdb_detail
