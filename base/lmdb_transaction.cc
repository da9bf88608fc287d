#include <fmt/format.h>
#include <lmdb.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

#include "base/lmdb.h"
#include "base/lmdb_environment.h"
#include "base/lmdb_meta.h"

namespace blockarch {
namespace lmdb_detail {
namespace {

MDB_val to_lmdb(ByteView bytes) {
  // LMDB takes all memory as writable and writes to none that it is given.
  return {bytes.size(), const_cast<char*>(bytes.data())};
}

ByteView from_lmdb(const MDB_val& value) {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

// The number of the last transaction that has become visible, by the way that readers take. 0 where that is not known.
std::uint64_t last_visible(MDB_env* env) {
  MDB_txn* probe = nullptr;
  if (mdb_txn_begin(env, nullptr, MDB_RDONLY, &probe) != MDB_SUCCESS) return 0;
  const std::uint64_t id = mdb_txn_id(probe);
  mdb_txn_abort(probe);
  return id;
}

// LMDB's readers note the number of the last transaction and then copy its meta page. Where a reader is held up between
// the two, the next transaction but one overwrites that page: the copy may be of a state that is not yet visible, or
// half of one and half of the other. That write begins after the next transaction has become visible, so the copy is
// whole where this has not happened by the time it was made.
bool is_copy_whole(MDB_env* env, MDB_txn* txn) {
  MDB_envinfo info = {};
  mdb_env_info(env, &info);
  const std::uint64_t mine = mdb_txn_id(txn);
  return info.me_last_txnid == mine || last_visible(env) == mine;
}

}  // namespace

int begin_reading(MDB_env* env, MDB_txn** txn) {
  constexpr int kTries = 1000;  // each takes less than a commit does, so the second one is good, hardly ever the third
  for (int i = 0; i < kTries; ++i) {
    const int rc = mdb_txn_begin(env, nullptr, MDB_RDONLY, txn);
    if (rc != MDB_SUCCESS || is_copy_whole(env, *txn)) return rc;
    mdb_txn_abort(std::exchange(*txn, nullptr));
  }
  return EAGAIN;
}

Transaction::Transaction(std::shared_ptr<Environment> owner, MDB_txn* begun, std::thread::id who, bool for_writing)
    : environment(std::move(owner)), txn(begun), writable(for_writing), opener_(who) {}

Transaction::~Transaction() {
  close_cursors();
  if (txn != nullptr) mdb_txn_abort(txn);
  environment->gate.leave(opener_);
}

int Transaction::commit() {
  close_cursors();
  if (!writable) return mdb_txn_commit(std::exchange(txn, nullptr));
  MetaPageKeeper keeper(environment->env, mdb_txn_id(txn));
  const int rc = mdb_txn_commit(std::exchange(txn, nullptr));
  if (rc != MDB_SUCCESS) keeper.put_back();
  return rc;
}

// LMDB frees the cursors of a write transaction with it, and not those of a read transaction.
void Transaction::close_cursors() {
  for (CursorState* state : cursors) {
    mdb_cursor_close(state->cursor);
    state->transaction = nullptr;
  }
  cursors.clear();
}

Error Transaction::failure(int rc, const char* what) {
  if (rc == MDB_MAP_FULL) map_full = true;
  return lmdb_error(rc, what, environment->path);
}

Result<void> Transaction::check_key(ByteView key) const {
  if (!key.empty() && key.size() <= kMaxKey) return {};
  return Error{ErrorCode::invalid,
               fmt::format("a key of {} bytes in {}: 1 to {} are possible", key.size(), environment->path, kMaxKey)};
}

Result<std::unique_ptr<Transaction>> begin_transaction(const std::shared_ptr<Environment>& environment,
                                                       bool for_writing) {
  // Both remedies may be needed again: other processes go on growing the map and filling the table of readers.
  constexpr int kTries = 8;
  int rc = 0;
  for (int i = 0; i < kTries; ++i) {
    const std::thread::id who = environment->gate.enter();
    MDB_txn* txn = nullptr;
    rc = MDB_PANIC;
    if (!environment->broken) {
      rc = for_writing ? mdb_txn_begin(environment->env, nullptr, 0, &txn) : begin_reading(environment->env, &txn);
    }
    if (rc == 0) return std::make_unique<Transaction>(environment, txn, who, for_writing);
    environment->gate.leave(who);
    if (rc == MDB_MAP_RESIZED) {
      BA_TRY(environment->adopt_size());
    } else if (rc == MDB_READERS_FULL) {
      int dead = 0;
      mdb_reader_check(environment->env, &dead);
      if (dead == 0) break;
    } else {
      break;
    }
  }
  return lmdb_error(rc, for_writing ? "write" : "read", environment->path);
}

CursorState::~CursorState() {
  if (transaction == nullptr) return;
  std::erase(transaction->cursors, this);
  mdb_cursor_close(cursor);
}

}  // namespace lmdb_detail

using lmdb_detail::CursorState;
using lmdb_detail::from_lmdb;
using lmdb_detail::to_lmdb;
using lmdb_detail::Transaction;

using Place = CursorState::Place;
using MaybeEntry = Result<std::optional<KeyValue>>;

namespace {

Error ended_error() {
  return Error{ErrorCode::invalid, "a cursor is used after its transaction has ended"};
}

// Where nothing is found, the cursor stands at `otherwise`.
MaybeEntry move(CursorState& state, MDB_cursor_op op, ByteView key, Place otherwise) {
  MDB_val k = to_lmdb(key);
  MDB_val v = {};
  const int rc = mdb_cursor_get(state.cursor, &k, &v, op);
  if (rc != 0) {
    state.place = otherwise;
    if (rc == MDB_NOTFOUND) return std::optional<KeyValue>();
    return state.transaction->failure(rc, "read");
  }
  state.place = Place::at_entry;
  if (state.transaction->writable) {
    state.key = from_lmdb(k);
    state.seen_changes = state.transaction->changes;
  }
  return std::optional(KeyValue{from_lmdb(k), from_lmdb(v)});
}

bool has_table_changed(const CursorState& state) {
  return state.transaction->writable && state.seen_changes != state.transaction->changes;
}

}  // namespace

Cursor::Cursor(std::unique_ptr<CursorState> state) : state_(std::move(state)) {}
Cursor::Cursor(Cursor&&) noexcept = default;
Cursor& Cursor::operator=(Cursor&&) noexcept = default;
Cursor::~Cursor() = default;

MaybeEntry Cursor::first() {
  if (state_->transaction == nullptr) return ended_error();
  return move(*state_, MDB_FIRST, {}, Place::after_last);
}

MaybeEntry Cursor::last() {
  if (state_->transaction == nullptr) return ended_error();
  return move(*state_, MDB_LAST, {}, Place::before_first);
}

MaybeEntry Cursor::next() {
  CursorState& state = *state_;
  if (state.transaction == nullptr) return ended_error();
  if (state.place == Place::after_last) return std::optional<KeyValue>();
  if (state.place != Place::at_entry) return first();
  if (has_table_changed(state)) {
    const Bytes from = state.key;
    BA_ASSIGN(const auto found, move(state, MDB_SET_RANGE, from, Place::after_last));
    if (!found || found->key != from) return found;
  }
  return move(state, MDB_NEXT, {}, Place::after_last);
}

MaybeEntry Cursor::previous() {
  CursorState& state = *state_;
  if (state.transaction == nullptr) return ended_error();
  if (state.place == Place::before_first) return std::optional<KeyValue>();
  if (state.place != Place::at_entry) return last();
  if (has_table_changed(state)) {
    const Bytes from = state.key;
    BA_ASSIGN(const auto found, move(state, MDB_SET_RANGE, from, Place::after_last));
    if (!found) return last();
  }
  return move(state, MDB_PREV, {}, Place::before_first);
}

MaybeEntry Cursor::seek(ByteView key) {
  if (state_->transaction == nullptr) return ended_error();
  BA_TRY(state_->transaction->check_key(key));
  return move(*state_, MDB_SET_RANGE, key, Place::after_last);
}

MaybeEntry Cursor::seek_back(ByteView key) {
  if (state_->transaction == nullptr) return ended_error();
  BA_TRY(state_->transaction->check_key(key));
  BA_ASSIGN(const auto found, move(*state_, MDB_SET_RANGE, key, Place::after_last));
  if (!found) return last();
  if (found->key == key) return found;
  return move(*state_, MDB_PREV, {}, Place::before_first);
}

ReadTransaction::ReadTransaction(std::unique_ptr<Transaction> transaction) : transaction_(std::move(transaction)) {}
ReadTransaction::ReadTransaction(ReadTransaction&&) noexcept = default;
ReadTransaction& ReadTransaction::operator=(ReadTransaction&&) noexcept = default;
ReadTransaction::~ReadTransaction() = default;

Result<std::optional<ByteView>> ReadTransaction::get(Table table, ByteView key) const {
  BA_TRY(transaction_->check_key(key));
  MDB_val k = to_lmdb(key);
  MDB_val v = {};
  const int rc = mdb_get(transaction_->txn, table.handle, &k, &v);
  if (rc == MDB_NOTFOUND) return std::optional<ByteView>();
  if (rc != 0) return transaction_->failure(rc, "read");
  return std::optional(from_lmdb(v));
}

Result<Cursor> ReadTransaction::cursor(Table table) const {
  MDB_cursor* opened = nullptr;
  const int rc = mdb_cursor_open(transaction_->txn, table.handle, &opened);
  if (rc != 0) return transaction_->failure(rc, "read");
  auto state = std::make_unique<CursorState>(*transaction_, opened);
  transaction_->cursors.push_back(state.get());
  return Cursor(std::move(state));
}

Result<TableStats> ReadTransaction::stats(Table table) const {
  MDB_stat stat = {};
  const int rc = mdb_stat(transaction_->txn, table.handle, &stat);
  if (rc != 0) return transaction_->failure(rc, "read");
  return TableStats{.entries = stat.ms_entries,
                    .pages = stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages,
                    .depth = stat.ms_depth};
}

std::uint64_t ReadTransaction::id() const {
  return mdb_txn_id(transaction_->txn);
}

Result<void> WriteTransaction::put(Table table, ByteView key, ByteView value) {
  BA_TRY(transaction_->check_key(key));
  MDB_val k = to_lmdb(key);
  MDB_val v = to_lmdb(value);
  const int rc = mdb_put(transaction_->txn, table.handle, &k, &v, 0);
  if (rc != 0) return transaction_->failure(rc, "write");
  ++transaction_->changes;
  return {};
}

Result<void> WriteTransaction::append(Table table, ByteView key, ByteView value) {
  BA_TRY(transaction_->check_key(key));
  MDB_val k = to_lmdb(key);
  MDB_val v = to_lmdb(value);
  const int rc = mdb_put(transaction_->txn, table.handle, &k, &v, MDB_APPEND);
  if (rc == MDB_KEYEXIST) {
    return Error{ErrorCode::invalid,
                 fmt::format("keys of {} are appended out of order", transaction_->environment->path)};
  }
  if (rc != 0) return transaction_->failure(rc, "write");
  ++transaction_->changes;
  return {};
}

Result<bool> WriteTransaction::put_new(Table table, ByteView key, ByteView value) {
  BA_TRY(transaction_->check_key(key));
  MDB_val k = to_lmdb(key);
  MDB_val v = to_lmdb(value);
  const int rc = mdb_put(transaction_->txn, table.handle, &k, &v, MDB_NOOVERWRITE);
  if (rc == MDB_KEYEXIST) return false;
  if (rc != 0) return transaction_->failure(rc, "write");
  ++transaction_->changes;
  return true;
}

Result<bool> WriteTransaction::erase(Table table, ByteView key) {
  BA_TRY(transaction_->check_key(key));
  MDB_val k = to_lmdb(key);
  const int rc = mdb_del(transaction_->txn, table.handle, &k, nullptr);
  if (rc == MDB_NOTFOUND) return false;
  if (rc != 0) return transaction_->failure(rc, "write");
  ++transaction_->changes;
  return true;
}

Result<void> WriteTransaction::clear(Table table) {
  const int rc = mdb_drop(transaction_->txn, table.handle, 0);
  if (rc != 0) return transaction_->failure(rc, "write");
  ++transaction_->changes;
  return {};
}

}  // namespace blockarch
