#include "base/lmdb.h"

#include <fmt/format.h>
#include <lmdb.h>
#include <sys/statvfs.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/lmdb_environment.h"
#include "base/lmdb_maps.h"

namespace blockarch {

using lmdb_detail::Environment;
using lmdb_detail::Transaction;

namespace {

// Marks this thread as the one that writes.
class WriterMark {
 public:
  explicit WriterMark(Environment& environment) : lock_(environment.write_mutex), environment_(environment) {
    environment_.writer = std::this_thread::get_id();
  }
  WriterMark(const WriterMark&) = delete;
  WriterMark& operator=(const WriterMark&) = delete;
  ~WriterMark() { environment_.writer = std::thread::id(); }

 private:
  std::lock_guard<std::mutex> lock_;
  Environment& environment_;
};

// LMDB takes a write that was cut short for an I/O error; on a full disk that is how it begins.
int explain(int rc, const std::string& path) {
  constexpr std::uint64_t kNothing = 256 << 10;
  struct statvfs disk;
  if (rc != EIO || ::statvfs(path.c_str(), &disk) != 0) return rc;
  return std::uint64_t{disk.f_bavail} * disk.f_frsize < kNothing ? ENOSPC : rc;
}

// The free list is LMDB's table 0: page numbers after their count.
Result<std::uint64_t> count_free_pages(Transaction& transaction) {
  constexpr MDB_dbi kFreeList = 0;
  MDB_cursor* cursor = nullptr;
  int rc = mdb_cursor_open(transaction.txn, kFreeList, &cursor);
  if (rc != 0) return transaction.failure(rc, "read");
  std::uint64_t pages = 0;
  MDB_val key = {};
  MDB_val value = {};
  while ((rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
    std::size_t count = 0;
    if (value.mv_size < sizeof count) {
      rc = MDB_CORRUPTED;
      break;
    }
    std::memcpy(&count, value.mv_data, sizeof count);
    pages += count;
  }
  mdb_cursor_close(cursor);
  if (rc != MDB_NOTFOUND) return transaction.failure(rc, "read");
  return pages;
}

}  // namespace

Lmdb::Lmdb(std::shared_ptr<Environment> environment, std::map<std::string, Table> tables, bool read_only)
    : environment_(std::move(environment)), tables_(std::move(tables)), read_only_(read_only) {}
Lmdb::Lmdb(Lmdb&&) noexcept = default;
Lmdb& Lmdb::operator=(Lmdb&&) noexcept = default;
Lmdb::~Lmdb() = default;

Result<Lmdb> Lmdb::open(const std::string& path, const LmdbOptions& options) {
  std::map<std::string, Table> tables;
  BA_ASSIGN(auto environment, lmdb_detail::open_environment(path, options, tables));
  return Lmdb(std::move(environment), std::move(tables), options.read_only);
}

Table Lmdb::table(const std::string& name) const {
  const auto place = tables_.find(name);
  assert(place != tables_.end());
  return place->second;
}

std::optional<Table> Lmdb::find_table(const std::string& name) const {
  const auto place = tables_.find(name);
  return place == tables_.end() ? std::nullopt : std::optional(place->second);
}

Result<ReadTransaction> Lmdb::read() const {
  BA_ASSIGN(auto transaction, begin_transaction(environment_, false));
  return ReadTransaction(std::move(transaction));
}

Result<void> Lmdb::write(const std::function<Result<void>(WriteTransaction&)>& change) {
  Environment& environment = *environment_;
  if (read_only_) {
    return Error{ErrorCode::permission, fmt::format("{} is open for reading only", environment.path)};
  }
  if (environment.writer == std::this_thread::get_id()) {
    return Error{ErrorCode::invalid, fmt::format("a write begins inside another write on {}", environment.path)};
  }
  const WriterMark mark(environment);
  while (true) {
    BA_TRY(environment.make_room());
    {
      BA_ASSIGN(auto begun, begin_transaction(environment_, true));
      WriteTransaction transaction(std::move(begun));
      const Result<void> changed = change(transaction);
      Transaction& inner = *transaction.transaction_;
      // Whatever `change` made of the error: a transaction that has filled the map cannot be committed.
      if (!inner.map_full) {
        if (!changed) return changed;
        const int rc = inner.commit();
        if (rc == 0) return {};
        if (rc != MDB_MAP_FULL) return inner.failure(explain(rc, environment.path), "write");
      }
    }
    BA_TRY(environment.grow());
  }
}

Result<Lmdb::Usage> Lmdb::usage() const {
  BA_ASSIGN(const auto transaction, begin_transaction(environment_, false));
  MDB_envinfo info = {};
  MDB_stat stat = {};
  mdb_env_info(environment_->env, &info);
  mdb_env_stat(environment_->env, &stat);
  BA_ASSIGN(const std::uint64_t free_pages, count_free_pages(*transaction));
  return Usage{.page_size = stat.ms_psize,
               .map_size = info.me_mapsize,
               .used_pages = std::uint64_t{info.me_last_pgno} + 1,
               .free_pages = free_pages};
}

void Lmdb::release_memory() const {
  const auto transaction = begin_transaction(environment_, false);
  if (transaction) environment_->release_memory();
}

bool Lmdb::is_mapped(const void* address) {
  return lmdb_detail::is_in_memory_map(address);
}

}  // namespace blockarch
