// LMDB: an environment with named tables, read transactions that never block, one write transaction at a time.
//
// 1. Views (ByteView) returned by a transaction live until the next write in that transaction, or until it ends.
// 2. A write is a function that may run more than once: when the map is full, the transaction is thrown away, the map
//    is doubled and the function runs again. It must have no effect outside the transaction that a second run would
//    repeat.
// 3. LMDB allows one open environment per file and process; open() hands out the same one to everybody who asks for the
//    same file, so several Archive objects may live in one process.
//    Replacing the file while it is open, and using an environment after fork(), are not supported.
// 4. Another process may grow the map; the next transaction here adopts the new size.
// 5. The map moves (2, 4) only while no transaction of this process is open. Whoever needs it moved waits for the
//    others for LmdbOptions::growth_wait at most, then fails with io. So transactions should be short, and a thread
//    that holds a read transaction should not write(): where the write needs a larger map it fails at once, as it would
//    wait for itself. The initial map is large (it costs addresses, not memory), so this hardly ever happens.
// 6. Keys are 1 to kMaxKey bytes, else `invalid`.
//
// MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, MDB_VERSION_MISMATCH and a file that ends before a page in use give
// `corrupt`; ENOSPC no_space; EACCES, EROFS permission; everything else io. Messages name the file.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

inline constexpr std::size_t kMaxKey = 511;
inline constexpr std::size_t kMaxTables = 64;

// Names a table inside an environment; cheap to copy.
struct Table {
  unsigned handle = 0;
};

struct KeyValue {
  ByteView key;
  ByteView value;
};

namespace lmdb_detail {
struct CursorState;
struct Environment;
struct Transaction;
}  // namespace lmdb_detail

// Walks a table in key order inside a transaction. Once the transaction has ended, every call is `invalid`. In a write
// transaction the table may change under the cursor: next() is the first entry beyond the last one returned, previous()
// the last one before it, whether or not that one is still there.
class Cursor {
 public:
  Cursor(Cursor&&) noexcept;
  Cursor& operator=(Cursor&&) noexcept;
  ~Cursor();

  // Nothing at the end of the table. A new cursor stands at neither end: next() is first(), previous() is last().
  // Beyond the last entry next() stays there and previous() is last(); before the first one the other way round.
  Result<std::optional<KeyValue>> first();
  Result<std::optional<KeyValue>> last();
  Result<std::optional<KeyValue>> next();
  Result<std::optional<KeyValue>> previous();
  // The first entry with key >= `key`.
  Result<std::optional<KeyValue>> seek(ByteView key);
  // The last entry with key <= `key`.
  Result<std::optional<KeyValue>> seek_back(ByteView key);

 private:
  friend class ReadTransaction;
  explicit Cursor(std::unique_ptr<lmdb_detail::CursorState> state);
  std::unique_ptr<lmdb_detail::CursorState> state_;
};

struct TableStats {
  std::uint64_t entries = 0;
  std::uint64_t pages = 0;  // branch, leaf and overflow
  std::uint64_t depth = 0;
};

// A consistent view of all tables at one moment.
class ReadTransaction {
 public:
  ReadTransaction(ReadTransaction&&) noexcept;
  ReadTransaction& operator=(ReadTransaction&&) noexcept;
  virtual ~ReadTransaction();

  Result<std::optional<ByteView>> get(Table table, ByteView key) const;
  Result<Cursor> cursor(Table table) const;
  Result<TableStats> stats(Table table) const;
  // Of the last commit that it sees: equal numbers, equal content.
  std::uint64_t id() const;

 protected:
  friend class Lmdb;
  explicit ReadTransaction(std::unique_ptr<lmdb_detail::Transaction> transaction);
  std::unique_ptr<lmdb_detail::Transaction> transaction_;
};

class WriteTransaction : public ReadTransaction {
 public:
  // Keys and values may be views into this transaction only where it has not written them itself.

  // Adds or replaces.
  Result<void> put(Table table, ByteView key, ByteView value);
  // Adds unless the key is there; tells whether it was added.
  Result<bool> put_new(Table table, ByteView key, ByteView value);
  // Adds beyond the last key, which must be smaller; fills pages to the brim. For writing whole tables.
  Result<void> append(Table table, ByteView key, ByteView value);
  // Tells whether it was there.
  Result<bool> erase(Table table, ByteView key);
  // Erases everything in it, without a copy of each page as erasing one by one makes. No cursor of the table is open.
  Result<void> clear(Table table);

 private:
  friend class Lmdb;
  using ReadTransaction::ReadTransaction;
};

struct LmdbOptions {
  // Makes the file and the tables that are not there, durably. A file without any data in it (a creation that died) is
  // begun anew. The caller sees to it that only one process creates.
  bool create = false;
  // Refuses writes through this Lmdb. The environment itself is opened for writing wherever the file permits it, so
  // that it can be shared with writers in this process.
  bool read_only = false;
  // At least twice the file; less where the system does not give that many addresses.
  std::uint64_t initial_map_size = std::uint64_t{1} << 36;
  std::uint64_t max_map_size = std::uint64_t{1} << 44;
  unsigned max_readers = 254;
  std::chrono::milliseconds growth_wait = std::chrono::seconds(10);
  std::vector<std::string> tables;  // made on create; must be there otherwise
  // Made on create, and absent without complaint in files that were made before they came into being. Such a one is not
  // looked for while transactions of this process are open.
  std::vector<std::string> later_tables;
};

// Thread-safe: any thread may open any number of read transactions and end those of others; writes are serialised.
class Lmdb {
 public:
  // not_found where there is no file and none is to be created. Where the same file is open in this process already,
  // the map sizes, max_readers and growth_wait of the first opening stay.
  static Result<Lmdb> open(const std::string& path, const LmdbOptions& options);

  Lmdb(Lmdb&&) noexcept;
  Lmdb& operator=(Lmdb&&) noexcept;
  ~Lmdb();

  // By name, one of LmdbOptions::tables; a name that is not there is a programmer error.
  Table table(const std::string& name) const;
  // Also of later_tables; nothing where it was absent when this was opened.
  std::optional<Table> find_table(const std::string& name) const;

  Result<ReadTransaction> read() const;
  // Runs `change` in a transaction and commits it durably; an error from `change` rolls back and is returned. A write
  // inside a write is `invalid`. A commit that fails while LMDB writes its meta page leaves the environment unusable:
  // everything is io from then on, until all its users have closed it and it is opened again.
  Result<void> write(const std::function<Result<void>(WriteTransaction&)>& change);

  // Where the file has grown large: lets go of the memory that reading it has taken in this process. Costs reading what is
  // needed again, which the system still has in its cache.
  void release_memory() const;

  struct Usage {
    std::uint64_t page_size = 0;
    std::uint64_t map_size = 0;
    std::uint64_t used_pages = 0;  // highest page ever used + 1
    std::uint64_t free_pages = 0;  // of those, waiting for reuse
  };
  Result<Usage> usage() const;

  // True where `address` lies in a memory map of an open environment: a fault there means a damaged or truncated file.
  // Async-signal-safe. Knows the first 64 environments that are open at a time.
  static bool is_mapped(const void* address);

  // Called with one line that names the file when LMDB finds damage that it cannot report as an error. The handler
  // should not return: LMDB aborts the process after it, as it does without one.
  static void on_damage(void (*handler)(const char* message));

 private:
  Lmdb(std::shared_ptr<lmdb_detail::Environment> environment, std::map<std::string, Table> tables, bool read_only);
  std::shared_ptr<lmdb_detail::Environment> environment_;
  std::map<std::string, Table> tables_;
  bool read_only_;
};

}  // namespace blockarch
