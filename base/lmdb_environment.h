// What stands behind Lmdb and its transactions; nobody outside base/lmdb*.cc includes this.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/bytes.h"
#include "base/lmdb.h"
#include "base/lmdb_gate.h"
#include "base/result.h"

struct MDB_cursor;
struct MDB_env;
struct MDB_txn;

namespace blockarch::lmdb_detail {

// An error for an LMDB or errno value, in the mapping of base/lmdb.h: "cannot WHAT PATH: REASON".
Error lmdb_error(int rc, const std::string& what, const std::string& path);

// One LMDB environment: the only one of its file in this process.
struct Environment {
  Environment(std::string path, const LmdbOptions& options);
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment();  // no transaction is open

  // `page_count` and `page_size` are what the file says of itself, 0 for a new one.
  Result<void> open(bool for_writing, std::uint64_t page_count, std::uint64_t page_size);
  // Of the data file.
  int descriptor() const;
  // Whether nothing was ever written to it.
  bool is_blank() const;
  // Makes sure that all tables are known; makes them where `create` says so, else a missing one is corrupt.
  Result<void> open_tables(const std::vector<std::string>& names, bool create);
  // The same for those that may be missing.
  Result<void> open_later_tables(const std::vector<std::string>& names, bool create);

  // Doubles the map, once no transaction of this process is open.
  Result<void> grow();
  // Grows ahead of need where that costs no waiting: a transaction that fills the map is run twice. That it could not
  // is no error, unless it broke the environment.
  Result<void> make_room();
  // Follows another process that has grown the map.
  Result<void> adopt_size();

  const std::string path;
  const LmdbOptions options;
  MDB_env* env = nullptr;
  bool read_only = false;
  TransactionGate gate;
  std::map<std::string, unsigned> tables;  // guarded by the registry's lock
  std::mutex write_mutex;
  std::atomic<std::thread::id> writer;  // who is inside Lmdb::write
  std::atomic<bool> broken = false;     // the map could not be put back: nothing works any more

  // While a transaction is open, so that the map stays where it is.
  void release_memory() const;

 private:
  struct Sizes {
    std::uint64_t page_size;
    std::uint64_t map_size;
    std::uint64_t used;  // bytes
  };
  Sizes sizes() const;
  Result<void> resize(bool larger, std::chrono::milliseconds wait);
  Result<void> set_map_size(std::uint64_t size);
  // Opens tables, or makes them where it may write; the names of those that are not there.
  Result<std::vector<std::string>> open_tables_in(bool writing, const std::vector<std::string>& names);
  std::vector<std::string> unknown_of(const std::vector<std::string>& names) const;
  void note_map();
  void forget_map();

  int map_slot_ = -1;
};

// Shared by everybody in this process who opens the same file.
Result<std::shared_ptr<Environment>> open_environment(const std::string& path, const LmdbOptions& options,
                                                      std::map<std::string, Table>& tables);

struct CursorState;

// Ends, by rollback unless it was committed, when destroyed.
struct Transaction {
  Transaction(std::shared_ptr<Environment> owner, MDB_txn* begun, std::thread::id who, bool for_writing);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  // Returns what LMDB says. The transaction is over in any case.
  int commit();
  // An error for `rc`; remembers that the map was full, so that Lmdb::write can grow it and try again.
  Error failure(int rc, const char* what);
  Result<void> check_key(ByteView key) const;

  const std::shared_ptr<Environment> environment;
  MDB_txn* txn;
  const bool writable;
  bool map_full = false;
  std::uint64_t changes = 0;          // puts and erasures so far
  std::vector<CursorState*> cursors;  // open ones

 private:
  void close_cursors();
  const std::thread::id opener_;
};

// mdb_txn_begin for reading, with a copy of the meta page that is surely whole.
int begin_reading(MDB_env* env, MDB_txn** txn);

Result<std::unique_ptr<Transaction>> begin_transaction(const std::shared_ptr<Environment>& environment,
                                                       bool for_writing);

// A cursor and where it stands. LMDB's own notion is vague after an end was passed or an entry was erased.
struct CursorState {
  enum class Place { nowhere, before_first, at_entry, after_last };

  CursorState(Transaction& owner, MDB_cursor* opened) : transaction(&owner), cursor(opened) {}
  CursorState(const CursorState&) = delete;
  CursorState& operator=(const CursorState&) = delete;
  ~CursorState();

  Transaction* transaction;  // none once it has ended
  MDB_cursor* cursor;
  Place place = Place::nowhere;
  Bytes key;                       // of the entry; kept in write transactions only,
  std::uint64_t seen_changes = 0;  // where the entry may vanish
};

}  // namespace blockarch::lmdb_detail
