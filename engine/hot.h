// One generation of an archive's tables, open. Private to engine/.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/lmdb.h"
#include "refs/tables.h"

namespace blockarch {

struct Hot {
  const std::string path;
  const std::uint32_t generation;
  Lmdb lmdb;

  Hot(std::string file, std::uint32_t number, Lmdb opened);

  // With the tables that have been made since it was opened.
  Tables tables() const;
  // Makes the tables that an older version did not know; for whoever holds the writer's lock. Waits until no snapshot of
  // this process is open.
  Result<void> make_later_tables();

 private:
  const Tables first_;
  std::atomic<unsigned> settings_;
  std::atomic<unsigned> packs_;
  std::atomic<unsigned> removed_;
};

// Whoever may only read the file gets it for reading.
Result<std::shared_ptr<Hot>> open_hot(const std::string& path, std::uint32_t generation);
// Makes an empty one.
Result<std::shared_ptr<Hot>> create_hot(const std::string& path, std::uint32_t generation);

}  // namespace blockarch
