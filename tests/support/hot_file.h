// An archive's LMDB file by itself, for tests of refs/.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <functional>

#include "base/lmdb.h"
#include "refs/tables.h"
#include "tests/support/temporary_directory.h"

namespace blockarch {

struct HotFile {
  TemporaryDirectory directory;
  Lmdb lmdb;
  Tables tables;

  HotFile() : lmdb(Lmdb::open(directory.path() + "/" + kHotFile, options()).value()), tables(find_tables(lmdb)) {}

  void write(const std::function<Result<void>(WriteTransaction&)>& change) {
    const auto written = lmdb.write(change);
    if (!written) FAIL(written.error().message);
  }

  static LmdbOptions options() {
    LmdbOptions o;
    o.create = true;
    o.tables = table_names();
    o.later_tables = later_table_names();
    return o;
  }
};

}  // namespace blockarch
